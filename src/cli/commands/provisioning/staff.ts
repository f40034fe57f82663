/** `marquee staff`: the people who work at the desk of a partner. */

import { listStaff, removeStaffMember } from '../../../model/people/staff/staff.ts'
import type { OperatorInput, Output } from '../../command.ts'
import { inviteOrPrint, noteOn } from '../../invitations.ts'

export async function invite(input: OperatorInput): Promise<Output> {
  const { text, number } = input
  const wanted = { email: text('email') ?? '', role: text('role') ?? 'member', customers: text('customers') ?? 'all' }
  const invitation = await inviteOrPrint(input, number('partner') ?? 0, wanted)
  return { document: { invitation }, note: noteOn(invitation) }
}

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const staff = await listStaff(caller, number('partner') ?? 0)
  return { document: { staff }, columns: ['id', 'login', 'email', 'role', 'customers', 'state', 'last_login_at'] }
}

export async function remove({ caller, id, number }: OperatorInput): Promise<Output> {
  return { document: { removed: await removeStaffMember(caller, number('partner') ?? 0, id, number('successor')) } }
}
