/** Businesses: created, shown, listed, renamed, deactivated, reactivated. */

import { readDraft } from '../../fields/read.ts'
import {
  createBusiness,
  deactivateBusiness,
  findBusiness,
  listBusinesses,
  putBusiness,
  reactivateBusiness,
  renameBusiness,
} from '../../model/partners/businesses.ts'
import { changedBusiness, newBusiness } from '../../resources/business.ts'
import type { Call } from '../endpoint.ts'
import type { businessFilters, calledSo, ownId } from '../parameters.ts'

export function create({ caller, body, query }: Call<typeof ownId>) {
  return createBusiness(caller, readDraft(newBusiness, body), query.external_id)
}

export function put({ caller, body, query }: Call<typeof calledSo>) {
  return putBusiness(caller, query.external_id, readDraft(newBusiness, body))
}

export function show({ caller, ids: [id] }: Call) {
  return findBusiness(caller, id)
}

export function index({ caller, query: { after, ...narrow } }: Call<typeof businessFilters>) {
  return listBusinesses(caller, after, narrow)
}

export function change({ caller, ids: [id], body }: Call) {
  return renameBusiness(caller, id, readDraft(changedBusiness, body))
}

export function deactivate({ caller, ids: [id] }: Call) {
  return deactivateBusiness(caller, id)
}

export function reactivate({ caller, ids: [id] }: Call) {
  return reactivateBusiness(caller, id)
}
