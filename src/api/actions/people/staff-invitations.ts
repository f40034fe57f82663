/** Invitations to the staff of the partner: made, listed, shown, withdrawn. */

import { readDraft } from '../../../fields/read.ts'
import {
  findStaffInvitation,
  inviteStaff,
  listStaffInvitations,
  withdrawStaffInvitation,
} from '../../../model/people/staff/staff-invitations.ts'
import { newStaffInvitation } from '../../../resources/user.ts'
import type { Call } from '../../endpoint.ts'

export function create({ caller, body }: Call) {
  return inviteStaff(caller, caller.partnerId, readDraft(newStaffInvitation, body))
}

export function index({ caller }: Call) {
  return listStaffInvitations(caller, caller.partnerId)
}

export function show({ caller, ids: [id] }: Call) {
  return findStaffInvitation(caller, caller.partnerId, id)
}

export function remove({ caller, ids: [id] }: Call) {
  return withdrawStaffInvitation(caller, caller.partnerId, id)
}
