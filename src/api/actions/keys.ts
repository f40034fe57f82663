/** Keys that a partner issues itself: issued, listed, shown, rotated, revoked. */

import { readDraft } from '../../fields/read.ts'
import { findOwnKey, issueOwnKey, listOwnKeys, revokeOwnKey, rotateOwnKey } from '../../model/partners/keys/issued-keys.ts'
import { keyRotation, newPartnerKey } from '../../resources/key.ts'
import type { Call } from '../endpoint.ts'
import type { inPages } from '../parameters.ts'

export function create({ caller, body }: Call) {
  return issueOwnKey(caller, readDraft(newPartnerKey, body))
}

export function index({ caller, query }: Call<typeof inPages>) {
  return listOwnKeys(caller, query.after)
}

export function show({ caller, ids: [id] }: Call) {
  return findOwnKey(caller, id)
}

export function rotate({ caller, ids: [id], body }: Call) {
  return rotateOwnKey(caller, id, readDraft(keyRotation, body))
}

export function revoke({ caller, ids: [id] }: Call) {
  return revokeOwnKey(caller, id)
}
