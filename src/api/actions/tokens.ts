/** Read tokens: made, listed, shown and ended. */

import { readDraft } from '../../fields/read.ts'
import { findToken, issueToken, listTokens, revokeToken } from '../../model/partners/keys/read-tokens.ts'
import { newReadToken } from '../../resources/figures/read-token.ts'
import type { Call } from '../endpoint.ts'
import type { inPages } from '../parameters.ts'

export function create({ caller, body }: Call) {
  return issueToken(caller, readDraft(newReadToken, body))
}

export function index({ caller, query }: Call<typeof inPages>) {
  return listTokens(caller, query.after)
}

export function show({ caller, ids: [id] }: Call) {
  return findToken(caller, id)
}

export function revoke({ caller, ids: [id] }: Call) {
  return revokeToken(caller, id)
}
