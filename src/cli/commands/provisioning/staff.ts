/** `marquee staff`: the people who work at the desk of a partner. */

import { draftOf } from '../../../fields/read.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { listStaff, removeStaffMember } from '../../../model/people/staff.ts'
import { checkedInvitation, inviteStaff, inviteStaffByLink } from '../../../model/people/staff-invitations.ts'
import { newStaffInvitation, type StaffInvitation } from '../../../resources/user.ts'
import type { OperatorInput, Output } from '../../command.ts'

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

/** For the first admin of a partner that is about to be created: a fault is found before anything is made. */
export function checkInvitation(wanted: Wanted): void {
  checkedInvitation(draftOf(newStaffInvitation, wanted))
}

type Wanted = Readonly<Record<'email' | 'role' | 'customers', string>>

/** The link is printed where no mail is sent. */
export function inviteOrPrint({ caller }: OperatorInput, partnerId: number, wanted: Wanted): Promise<StaffInvitation & { url?: string }> {
  const draft = draftOf(newStaffInvitation, wanted)
  return sendsMail(caller.app.settings) ? inviteStaff(caller, partnerId, draft) : inviteStaffByLink(caller, partnerId, draft)
}

export function noteOn({ email, url }: StaffInvitation & { url?: string }): string {
  return url === undefined
    ? `The running service mails the invitation to ${email}.`
    : `No mail is sent from here: give the link to ${email} only. It works once, within seven days.`
}
