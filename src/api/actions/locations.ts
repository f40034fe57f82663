/** Locations of the partner's sites: listed, shown, added many at a time, changed, deleted. */

import { complete, completeAll, readDraft, readDrafts } from '../../fields/read.ts'
import { addLocations, changeLocation, deleteLocation, findLocation, listLocations } from '../../model/partners/locations.ts'
import { changedLocation, newLocation } from '../../resources/location.ts'
import { mostEntries } from '../../resources/site-contents.ts'
import type { Call } from '../endpoint.ts'
import type { locationFilters } from '../parameters.ts'

export function index({ caller, query: { after, ...narrow } }: Call<typeof locationFilters>) {
  return listLocations(caller, after, narrow)
}

export function show({ caller, ids: [id] }: Call) {
  return findLocation(caller, id)
}

export function create({ caller, body }: Call) {
  return addLocations(caller, completeAll(readDrafts(newLocation, body, 'locations', mostEntries)))
}

/** An unknown id is reported before the faults of the body. */
export async function change({ caller, ids: [id], body }: Call) {
  await findLocation(caller, id)
  return changeLocation(caller, id, complete(changedLocation, readDraft(changedLocation, body)))
}

export function remove({ caller, ids: [id] }: Call) {
  return deleteLocation(caller, id)
}
