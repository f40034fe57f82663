/** Businesses: created, shown, listed, deactivated, reactivated. */

import { readDraft } from '../../fields/read.ts'
import { createBusiness, deactivateBusiness, findBusiness, listBusinesses, reactivateBusiness } from '../../model/partners/businesses.ts'
import { newBusiness } from '../../resources/business.ts'
import type { Call } from '../endpoint.ts'
import type { inPages } from '../parameters.ts'

export function create({ caller, body }: Call) {
  return createBusiness(caller, readDraft(newBusiness, body))
}

export function show({ caller, ids: [id] }: Call) {
  return findBusiness(caller, id)
}

export function index({ caller, query }: Call<typeof inPages>) {
  return listBusinesses(caller, query.after)
}

export function deactivate({ caller, ids: [id] }: Call) {
  return deactivateBusiness(caller, id)
}

export function reactivate({ caller, ids: [id] }: Call) {
  return reactivateBusiness(caller, id)
}
