/** Staff of the partner: listed, shown, changed, removed. */

import { readDraft } from '../../../fields/read.ts'
import { changeStaffMember, findStaffMember, listStaff, removeStaffMember } from '../../../model/people/staff/staff.ts'
import { changedStaffMember } from '../../../resources/user.ts'
import type { Call } from '../../endpoint.ts'
import type { successor } from '../../parameters.ts'

export function index({ caller }: Call) {
  return listStaff(caller, caller.partnerId)
}

export function show({ caller, ids: [id] }: Call) {
  return findStaffMember(caller, caller.partnerId, id)
}

export function change({ caller, ids: [id], body }: Call) {
  return changeStaffMember(caller, caller.partnerId, id, readDraft(changedStaffMember, body))
}

export function remove({ caller, ids: [id], query }: Call<typeof successor>) {
  return removeStaffMember(caller, caller.partnerId, id, query.successor_id)
}
