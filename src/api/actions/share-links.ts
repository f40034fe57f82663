/** Share links of the partner's sites: listed, shown, created, revoked. */

import { readDraft } from '../../fields/read.ts'
import { findShareLink, listManagedLinks, revokeManagedLink, shareSite } from '../../model/people/managed-share-links.ts'
import { newShareLink } from '../../resources/share-link.ts'
import type { Call } from '../endpoint.ts'
import type { linkFilters } from '../parameters.ts'

export function index({ caller, query: { after, ...narrow } }: Call<typeof linkFilters>) {
  return listManagedLinks(caller, after, narrow)
}

export function show({ caller, ids: [id] }: Call) {
  return findShareLink(caller, id)
}

export function create({ caller, body }: Call) {
  return shareSite(caller, readDraft(newShareLink, body))
}

export function revoke({ caller, ids: [id] }: Call) {
  return revokeManagedLink(caller, id)
}
