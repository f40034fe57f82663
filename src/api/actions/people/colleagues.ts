/** Who of the staff looks after an account: shown, set, removed. */

import { readDraft } from '../../../fields/read.ts'
import { assignCustomer, findColleague, setColleague } from '../../../model/people/staff/assignments.ts'
import { newColleague } from '../../../resources/user.ts'
import type { Call } from '../../endpoint.ts'

export function show({ caller, ids: [account] }: Call) {
  return findColleague(caller, account)
}

export function set({ caller, ids: [account], body }: Call) {
  return setColleague(caller, account, readDraft(newColleague, body))
}

export function remove({ caller, ids: [account] }: Call) {
  return assignCustomer(caller, account, null)
}
