/** Customers: made with all that belongs to them, shown, changed, deactivated and reactivated with all their businesses, archived. */

import { readDraft } from '../../fields/read.ts'
import {
  archiveCustomer,
  changeCustomer,
  deactivateCustomer,
  findCustomer,
  reactivateCustomer,
  unarchiveCustomer,
} from '../../model/partners/customers.ts'
import { createCustomer } from '../../model/people/customers/new-customers.ts'
import { changedCustomer, newCustomer } from '../../resources/account.ts'
import type { Call } from '../endpoint.ts'
import type { inCharge } from '../parameters.ts'

export function create({ caller, body, query }: Call<typeof inCharge>) {
  return createCustomer(caller, caller.partnerId, readDraft(newCustomer, body), { colleague: query.colleague })
}

export function show({ caller, ids: [id] }: Call) {
  return findCustomer(caller, id)
}

export function change({ caller, ids: [id], body }: Call) {
  return changeCustomer(caller, id, readDraft(changedCustomer, body))
}

export function deactivate({ caller, ids: [id] }: Call) {
  return deactivateCustomer(caller, id)
}

export function reactivate({ caller, ids: [id] }: Call) {
  return reactivateCustomer(caller, id)
}

export function archive({ caller, ids: [id] }: Call) {
  return archiveCustomer(caller, id)
}

export function unarchive({ caller, ids: [id] }: Call) {
  return unarchiveCustomer(caller, id)
}
