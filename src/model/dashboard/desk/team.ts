/** What the desk shows of the staff: who they are, how they log in, and who is invited. */

import type { StaffCaller } from '../../core/caller.ts'
import { listStaff } from '../../people/staff/staff.ts'
import { listStaffInvitations } from '../../people/staff/staff-invitations.ts'

export type Team = Awaited<ReturnType<typeof openTeam>>
export type TeamMember = Team['members'][number]

/** For admins. */
export async function openTeam(caller: StaffCaller) {
  const { app, partnerId } = caller
  const staff = await listStaff(caller, partnerId)
  const factors = app.store.db.selectFrom('second_factors').innerJoin('staff', 'staff.user_id', 'second_factors.user_id')
  const on = await factors
    .select('second_factors.user_id')
    .where('staff.partner_id', '=', partnerId)
    .where('confirmed_at', 'is not', null)
    .execute()
  const withFactor = new Set(on.map(({ user_id }) => user_id))
  const partner = app.store.db.selectFrom('partners').select('demands_second_factor').where('id', '=', partnerId)
  return {
    members: staff.map((member) => ({ ...member, called: member.name.trim() || member.login, hasSecondFactor: withFactor.has(member.id) })),
    invitations: await listStaffInvitations(caller, partnerId),
    demandsSecondFactor: (await partner.executeTakeFirstOrThrow()).demands_second_factor === 1,
  }
}
