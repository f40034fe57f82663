/** The staff of a partner: listed, changed and removed. Who is removed leaves what they looked after to somebody else. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../../fields/read.ts'
import { invalid, notFound, refuse } from '../../../lib/failures.ts'
import { type ChangedStaffMember, changedStaffMember, type StaffMember } from '../../../resources/user.ts'
import type { StaffRow } from '../../../store/rows/people.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { Caller, OperatorCaller, StaffPost } from '../../core/caller.ts'
import type { Managing } from '../../core/tenancy.ts'
import { change, refuseMeanwhile } from '../../core/transaction.ts'
import { foldEmail } from '../../mail/addresses.ts'
import { endSessions } from '../sessions.ts'
import { postOf, refuseUnlessOverStaff, refuseWithoutAnotherAdmin } from './staff-rules.ts'

type Db = Kysely<Tables>

export async function listStaff(caller: Managing, partnerId: number): Promise<StaffMember[]> {
  refuseUnlessOverStaff(caller, partnerId)
  return members(caller.app.store.db, partnerId).orderBy('staff.user_id').execute()
}

export async function findStaffMember(caller: Managing, partnerId: number, userId: number, db = caller.app.store.db): Promise<StaffMember> {
  refuseUnlessOverStaff(caller, partnerId)
  return (await members(db, partnerId).where('staff.user_id', '=', userId).executeTakeFirst()) ?? notFound('staff')
}

/** What the post of a colleague is, as a form keeps it. */
export function staffState({ role, customers }: Kept): string {
  return `${role} ${customers}`
}

/** Absent fields stay unchanged; an admin has all customers. With `was`, refused if the post is another one by now. */
export async function changeStaffMember(
  caller: Managing,
  partnerId: number,
  userId: number,
  draft: Draft<ChangedStaffMember>,
  was?: string,
): Promise<StaffMember> {
  await findStaffMember(caller, partnerId, userId)
  const wanted = complete(changedStaffMember, draft)
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'partners', partnerId)
    const { role, customers } = await findStaffMember(caller, partnerId, userId, tx)
    const before = { role, customers }
    if (was !== undefined && staffState(before) !== was) refuseMeanwhile()
    const after = postBy({ ...before, ...wanted }, wanted.customers)
    if (role === 'admin' && after.role !== 'admin') await refuseWithoutAnotherAdmin(tx, partnerId, userId)
    if (after.role !== role || after.customers !== customers) {
      await tx.updateTable('staff').set(after).where('user_id', '=', userId).execute()
      await audit(tx, caller, 'staff.change', { id: userId, partner_id: partnerId }, { before, after })
    }
    return findStaffMember(caller, partnerId, userId, tx)
  })
}

type Kept = Pick<StaffMember, 'role' | 'customers'>

/** Only a member can be restricted to assigned customers. */
export function postBy({ role, customers }: Kept, asked: Kept['customers'] | undefined): Kept {
  if (role === 'admin' && asked === 'assigned') invalid([{ field: 'customers', code: 'inclusion', words: ['all'] }])
  return { role, customers: role === 'admin' ? 'all' : customers }
}

/** The customers and links of who goes are the successor's; who has some is not removed without one. The login stays, and opens nothing of the desk any more. */
export async function removeStaffMember(caller: Managing, partnerId: number, userId: number, successorId?: number): Promise<StaffMember> {
  await findStaffMember(caller, partnerId, userId)
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'partners', partnerId)
    const before = await findStaffMember(caller, partnerId, userId, tx)
    await endPost(tx, caller, before, await successorOf(tx, partnerId, userId, successorId))
    return before
  })
}

/** Makes a user of the partner account staff, without asking them. */
export async function appointStaff(caller: OperatorCaller, partnerId: number, userId: number, post: StaffPost): Promise<void> {
  return change(caller, (tx) => insertStaff(tx, caller, { user_id: userId, partner_id: partnerId, ...post }, 'staff.appoint'))
}

export async function insertStaff(
  tx: Db,
  caller: Caller,
  { user_id, partner_id, role, customers }: StaffPost & Pick<StaffRow, 'user_id' | 'partner_id'>,
  action: 'staff.appoint' | 'staff.join',
): Promise<void> {
  await tx.insertInto('staff').values({ user_id, partner_id, role, customers, created_at: caller.app.clock.now() }).execute()
  await audit(tx, caller, action, { id: user_id, partner_id }, { after: { role, customers } })
}

/** For a user who is deleted: somebody who has customers or links must be removed from the staff first. */
export async function leaveStaff(tx: Db, caller: Managing, userId: number): Promise<void> {
  const post = await postOf(tx, userId)
  if (post === undefined) return
  await caller.app.store.lock(tx, 'partners', post.partner_id)
  await endPost(tx, caller, { id: userId, role: post.role }, null)
}

/** For a user who is suspended: somebody must be left who decides about the staff. */
export async function refuseLastAdmin(tx: Db, caller: Managing, userId: number): Promise<void> {
  const post = await postOf(tx, userId)
  if (post?.role !== 'admin') return
  await caller.app.store.lock(tx, 'partners', post.partner_id)
  await refuseWithoutAnotherAdmin(tx, post.partner_id, userId)
}

/** For a person who is erased: their customers are nobody's until somebody takes them over. Without a partner, the address goes out of all invitations. */
export async function eraseStaff(tx: Db, userId: number, name: string, partnerId: number | null): Promise<void> {
  await tx.deleteFrom('staff').where('user_id', '=', userId).execute()
  await tx.updateTable('accounts').set({ looked_after_by: null }).where('looked_after_by', '=', userId).execute()
  const invitations = tx.deleteFrom('staff_invitations').where('name', '=', name)
  await (partnerId === null ? invitations : invitations.where('partner_id', '=', partnerId)).execute()
}

async function endPost(
  tx: Db,
  caller: Managing,
  { id, role }: Pick<StaffMember, 'id' | 'role'>,
  successorId: number | null,
): Promise<void> {
  const { partner_id } = (await postOf(tx, id)) ?? notFound('staff')
  if (role === 'admin') await refuseWithoutAnotherAdmin(tx, partner_id, id)
  const handed = await handOver(tx, partner_id, id, successorId, caller.app.clock.now())
  await tx.deleteFrom('staff').where('user_id', '=', id).execute()
  await endSessions(tx, id)
  await audit(tx, caller, 'staff.remove', { id, partner_id }, { before: { role }, after: { successor_id: successorId, ...handed } })
}

async function successorOf(tx: Db, partnerId: number, userId: number, successorId: number | undefined): Promise<number | null> {
  if (successorId === undefined) return null
  const post = successorId === userId ? undefined : await postOf(tx, successorId)
  if (post?.partner_id !== partnerId) invalid([{ field: 'successor_id', code: 'does_not_exist' }])
  return successorId
}

interface Handed {
  readonly customers: number
  readonly links: number
  /** Reports by mail of customers that go to the colleague. */
  readonly reports: number
}

async function handOver(tx: Db, partnerId: number, userId: number, successorId: number | null, now: string): Promise<Handed> {
  const accounts = tx.selectFrom('accounts').select('id').where('partner_id', '=', partnerId).where('looked_after_by', '=', userId)
  const links = tx.selectFrom('share_links').select('id').where('created_by', '=', userId).where('revoked_at', 'is', null)
  const living = links.where('expires_at', '>', now)
  const reports = await mailedTo(tx, partnerId, userId)
  const held = { customers: (await accounts.execute()).length, links: (await living.execute()).length, reports: reports.length }
  if (held.customers + held.links + held.reports > 0 && successorId === null)
    refuse(
      'conflict',
      `This colleague looks after ${counted(held.customers, 'customer')}, has made ${counted(held.links, 'link')} and gets ${counted(held.reports, 'report')} by mail: say with successor_id who takes over`,
    )
  await tx
    .updateTable('accounts')
    .set({ looked_after_by: successorId })
    .where('partner_id', '=', partnerId)
    .where('looked_after_by', '=', userId)
    .execute()
  await tx
    .updateTable('share_links')
    .set({ created_by: successorId, maker_lost_at: null })
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
  if (successorId !== null) await handOverMail(tx, partnerId, userId, successorId)
  return held
}

async function mailedTo(tx: Db, partnerId: number, userId: number) {
  const { email } = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  const accounts = tx.selectFrom('accounts').select('id').where('partner_id', '=', partnerId)
  const recipients = tx.selectFrom('report_recipients').select('id').where('email', '=', foldEmail(email)).where('state', '=', 'active')
  return recipients.where('account_id', 'in', accounts).execute()
}

/** Reports that went to the colleague go to the successor, once each. */
async function handOverMail(tx: Db, partnerId: number, userId: number, successorId: number): Promise<void> {
  const people = await tx.selectFrom('users').select(['id', 'email']).where('id', 'in', [userId, successorId]).execute()
  const [from = '', to = ''] = [userId, successorId].map((id) => foldEmail(people.find((one) => one.id === id)?.email ?? ''))
  const accounts = tx.selectFrom('accounts').select('id').where('partner_id', '=', partnerId)
  const there = tx.selectFrom('report_recipients').select('schedule_id').where('email', '=', to).where('account_id', 'in', accounts)
  const doubled = tx.deleteFrom('report_recipients').where('email', '=', from).where('state', '=', 'active')
  await doubled.where('account_id', 'in', accounts).where('schedule_id', 'in', there).execute()
  const rest = tx.updateTable('report_recipients').set({ email: to }).where('email', '=', from).where('state', '=', 'active')
  await rest.where('account_id', 'in', accounts).execute()
}

function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function members(db: Db, partnerId: number) {
  return db
    .selectFrom('staff')
    .innerJoin('users', 'users.id', 'staff.user_id')
    .where('staff.partner_id', '=', partnerId)
    .select(['users.id', 'email', 'login', 'users.name', 'role', 'customers', 'users.state', 'last_login_at', 'staff.created_at'])
    .select((row) => {
      const accounts = row.selectFrom('accounts').select(({ fn }) => fn.countAll<number>().as('many'))
      return row.fn
        .coalesce(
          accounts.whereRef('accounts.looked_after_by', '=', 'staff.user_id').whereRef('accounts.partner_id', '=', 'staff.partner_id'),
          row.val(0),
        )
        .as('looks_after')
    })
}
