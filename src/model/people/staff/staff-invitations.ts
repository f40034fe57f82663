/**
 * Invitations to the staff of a partner: by mail, for seven days, used once. Accepting one always sets a new password and ends whatever was open for the
 * login, so that whoever made the login beforehand gains nothing.
 */

import type { Kysely, Selectable } from 'kysely'
import { complete, type Draft } from '../../../fields/read.ts'
import { invalid, notFound, refuse } from '../../../lib/failures.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import { type NewStaffInvitation, newStaffInvitation, type StaffInvitation } from '../../../resources/user.ts'
import type { StaffInvitationRow } from '../../../store/rows/invitations.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { OperatorCaller } from '../../core/caller.ts'
import type { Managing } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import { foldEmail } from '../../mail/addresses.ts'
import { refusePestering } from '../../mail/pestering.ts'
import { queueMail } from '../../mail/queue.ts'
import { brandOfPartner, homeOf } from '../../partners/brands.ts'
import { countingTakenAnswers } from '../name-probing-limit.ts'
import { foldName } from '../users.ts'
import { postBy } from './staff.ts'
import { postOf, refuseUnlessOverStaff } from './staff-rules.ts'

type Db = Kysely<Tables>
export type KnownInvitation = Selectable<StaffInvitationRow>

const livesSeconds = 7 * 86_400
/** Staff and invitations together. */
const mostStaff = 500
const tokenDigits = 40

/** What is queued with the mail; the token is computed when it is sent. */
export interface InvitationPayload {
  readonly invitation_id: number
}

/** Mails the invitation. The same address again replaces the one that waits, whose link then no longer works. */
export async function inviteStaff(caller: Managing, partnerId: number, draft: Draft<NewStaffInvitation>): Promise<StaffInvitation> {
  refuseUnlessOverStaff(caller, partnerId)
  if (!sendsMail(caller.app.settings))
    refuse('conflict', 'An invitation goes by mail only, and this service sends none: the operator has to set up a mail server')
  return countingTakenAnswers(caller, () => {
    const wanted = checkedInvitation(draft)
    return change(caller, async (tx) => {
      const invitation = await keepInvitation(tx, caller, partnerId, wanted)
      await queueInvitation(tx, caller, invitation)
      return shown(invitation)
    })
  })
}

/** For the operator where no mail is sent: the link is printed instead. */
export async function inviteStaffByLink(
  caller: OperatorCaller,
  partnerId: number,
  draft: Draft<NewStaffInvitation>,
): Promise<StaffInvitation & { url: string }> {
  const wanted = checkedInvitation(draft)
  return change(caller, async (tx) => {
    const invitation = await keepInvitation(tx, caller, partnerId, wanted)
    const brand = await brandOfPartner(caller.app, partnerId)
    return { ...shown(invitation), url: `${homeOf(caller.app, brand?.host_name)}/join/${invitationToken(caller.app, invitation)}` }
  })
}

/** Those that can still be accepted. */
export async function listStaffInvitations(caller: Managing, partnerId: number): Promise<StaffInvitation[]> {
  refuseUnlessOverStaff(caller, partnerId)
  return (await waiting(caller.app.store.db, caller.app, partnerId).orderBy('id').execute()).map(shown)
}

export async function findStaffInvitation(caller: Managing, partnerId: number, id: number): Promise<StaffInvitation> {
  refuseUnlessOverStaff(caller, partnerId)
  return shown(
    (await waiting(caller.app.store.db, caller.app, partnerId).where('id', '=', id).executeTakeFirst()) ?? notFound('invitation'),
  )
}

/** The link no longer works. */
export async function withdrawStaffInvitation(caller: Managing, partnerId: number, id: number): Promise<StaffInvitation> {
  const known = await findStaffInvitation(caller, partnerId, id)
  return change(caller, async (tx) => {
    await tx.deleteFrom('staff_invitations').where('id', '=', id).execute()
    const { role, customers } = known
    await audit(tx, caller, 'staff.withdraw', { id: null, partner_id: partnerId }, { before: { invitation_id: id, role, customers } })
    return known
  })
}

/** Also from what is about the invitation: a database that is restored gives ids again. */
export function invitationToken({ secrets }: App, invitation: KnownInvitation): string {
  return `${invitation.id}.${secrets.hmac('session', signedOf(invitation), tokenDigits)}`
}

/** The invitation of a token, if it can still be accepted. */
export async function invitationBehind(app: App, token: string, db: Db = app.store.db): Promise<KnownInvitation | undefined> {
  const [, id, value = ''] = /^(\d{1,15})\.(.+)$/.exec(token) ?? []
  if (id === undefined) return undefined
  const row = await readInvitation(app, Number(id), db)
  return row !== undefined && app.secrets.isHmac(value, 'session', signedOf(row), tokenDigits) ? row : undefined
}

export function readInvitation({ clock }: App, id: number, db: Db): Promise<KnownInvitation | undefined> {
  return db.selectFrom('staff_invitations').selectAll().where('id', '=', id).where('expires_at', '>', clock.now()).executeTakeFirst()
}

function signedOf({ id, name, created_at }: KnownInvitation): string {
  return `invitation:${id}:${name}:${created_at}`
}

interface Wanted {
  readonly email: string
  readonly role: StaffInvitation['role']
  readonly customers: StaffInvitation['customers']
}

export function checkedInvitation(draft: Draft<NewStaffInvitation>): Wanted {
  const { email, role, customers } = complete(newStaffInvitation, draft)
  return { email, ...postBy({ role, customers: customers ?? 'all' }, customers) }
}

async function keepInvitation(tx: Db, caller: Managing, partnerId: number, { email, ...post }: Wanted): Promise<KnownInvitation> {
  const partner = await tx.selectFrom('partners').select('id').where('id', '=', partnerId).executeTakeFirst()
  if (partner === undefined) notFound('partner')
  const name = foldName(email)
  await refuseUninvitable(tx, caller, partnerId, { name, email })
  const created_at = caller.app.clock.now()
  await tx
    .deleteFrom('staff_invitations')
    .where('partner_id', '=', partnerId)
    .where((row) => row.or([row('name', '=', name), row('expires_at', '<=', created_at)]))
    .execute()
  await refuseTooMany(tx, partnerId)
  const row = { partner_id: partnerId, email, name, ...post, created_at, expires_at: secondsAfter(created_at, livesSeconds) }
  const invitation = await tx.insertInto('staff_invitations').values(row).returningAll().executeTakeFirstOrThrow()
  // The address is not recorded, because it is personal and audit entries outlive the invitation.
  await audit(tx, caller, 'staff.invite', { id: null, partner_id: partnerId }, { after: { invitation_id: invitation.id, ...post } })
  return invitation
}

/** A user of the partner may be invited, where their mail goes; the user's row is locked, so that whoever is just changing them comes before or is refused. */
async function refuseUninvitable(
  tx: Db,
  caller: Managing,
  partnerId: number,
  { name, email }: Pick<KnownInvitation, 'name' | 'email'>,
): Promise<void> {
  const known = await tx.selectFrom('user_names').select('user_id').where('name', '=', name).executeTakeFirst()
  if (known === undefined) return
  await caller.app.store.lock(tx, 'users', known.user_id)
  const users = tx.selectFrom('users').innerJoin('accounts', 'accounts.id', 'users.account_id').select(['email', 'state'])
  const user = await users.where('users.id', '=', known.user_id).where('partner_id', '=', partnerId).executeTakeFirst()
  if (user === undefined || user.state === 'deleted' || foldEmail(user.email) !== foldEmail(email)) {
    // At the desk the mail alone says that the address belongs to a login elsewhere.
    if (caller.kind === 'staff') return
    invalid([{ field: 'email', code: 'taken' }])
  }
  if (user.state === 'suspended') refuse('conflict', 'The user with this address is suspended; unsuspend them first')
  if ((await postOf(tx, known.user_id)) !== undefined) refuse('conflict', 'The user with this address is staff already')
}

async function refuseTooMany(tx: Db, partnerId: number): Promise<void> {
  const staff = await tx.selectFrom('staff').select('user_id').where('partner_id', '=', partnerId).execute()
  const invited = await tx.selectFrom('staff_invitations').select('id').where('partner_id', '=', partnerId).execute()
  if (staff.length + invited.length >= mostStaff) invalid([{ field: 'staff', code: 'too_many', limit: mostStaff }])
}

async function queueInvitation(tx: Db, { app }: Managing, { id, partner_id, email }: KnownInvitation): Promise<void> {
  const { account_id } = await tx.selectFrom('partners').select('account_id').where('id', '=', partner_id).executeTakeFirstOrThrow()
  const recipient = foldEmail(email)
  await refusePestering(tx, app, { kind: 'invitation', account_id: account_id ?? notFound('account'), recipient })
  const payload: InvitationPayload = { invitation_id: id }
  await queueMail(tx, app, { key: `invitation:${id}`, kind: 'invitation', account_id: account_id ?? 0, recipient, payload })
}

function waiting(db: Db, { clock }: App, partnerId: number) {
  return db.selectFrom('staff_invitations').selectAll().where('partner_id', '=', partnerId).where('expires_at', '>', clock.now())
}

function shown({ id, email, role, customers, created_at, expires_at }: KnownInvitation): StaffInvitation {
  return { id, email, role, customers, created_at, expires_at }
}
