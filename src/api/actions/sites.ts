/** Sites that the partner reaches: created, shown, listed, changed, deleted. */

import { readDraft } from '../../fields/read.ts'
import { deleteSite } from '../../model/partners/site-removal.ts'
import { addSite, changeSite, findSite, listSites } from '../../model/partners/sites.ts'
import { changedSite, newSite } from '../../resources/site.ts'
import type { Call } from '../endpoint.ts'
import type { ownId, siteFilters } from '../parameters.ts'

export function create({ caller, body, query }: Call<typeof ownId>) {
  return addSite(caller, readDraft(newSite, body), query.external_id)
}

export function show({ caller, ids: [id] }: Call) {
  return findSite(caller, id)
}

export function index({ caller, query: { after, ...narrow } }: Call<typeof siteFilters>) {
  return listSites(caller, after, narrow)
}

export function change({ caller, ids: [id], body }: Call) {
  return changeSite(caller, id, readDraft(changedSite, body))
}

export function remove({ caller, ids: [id] }: Call) {
  return deleteSite(caller, id)
}
