/** Invitations to the staff of a partner, by the operator: mailed, or printed where no mail is sent. */

import { draftOf } from '../fields/read.ts'
import { sendsMail } from '../lib/network/smtp.ts'
import { checkedInvitation, inviteStaff, inviteStaffByLink } from '../model/people/staff/staff-invitations.ts'
import { newStaffInvitation, type StaffInvitation } from '../resources/user.ts'
import type { OperatorInput } from './command.ts'

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
