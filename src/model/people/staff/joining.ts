/** Joins the staff of a partner by an invitation: somebody new gets a login, and somebody known a new password; either way they are logged in. */

import type { Kysely } from 'kysely'
import { complete, draftOf } from '../../../fields/read.ts'
import { invalid, refuse } from '../../../lib/failures.ts'
import { changedUser } from '../../../resources/user.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { foldEmail } from '../../mail/addresses.ts'
import { enter } from '../logins.ts'
import { forgetSecondFactor } from '../second-factor/proof.ts'
import { passwordFaults, replaceVerifier } from '../user-passwords.ts'
import { insertUser } from '../users.ts'
import type { Visitor } from '../visitor.ts'
import { insertStaff } from './staff.ts'
import { invitationBehind, type KnownInvitation } from './staff-invitations.ts'

type Db = Kysely<Tables>

export interface Joining {
  readonly email: string
  /** The login of a user whom the invitation is for; null if there is none yet. */
  readonly login: string | null
  readonly partnerId: number
  readonly accountId: number
}

/** What the page of the invitation shows; null if it can no longer be accepted. Looking does not use it up, because mail scanners open every link. */
export async function lookAtInvitation(visitor: Visitor, token: string): Promise<Joining | null> {
  const { db } = visitor.app.store
  const invitation = await invitationBehind(visitor.app, token, db)
  const home = invitation && (await openHome(visitor, db, invitation))
  if (!invitation || !home) return null
  const user = await invitedUser(db, invitation)
  if (user === null) return null
  return { email: invitation.email, login: user?.login ?? null, partnerId: invitation.partner_id, accountId: home.account_id }
}

/** Returns the token of a new session. */
export async function acceptInvitation(visitor: Visitor, token: string, { name, fresh }: { name: string; fresh: string }): Promise<string> {
  const { app } = visitor
  if ((await lookAtInvitation(visitor, token)) === null) return refuseToken()
  const { name: called = '' } = complete(changedUser, draftOf(changedUser, { name }))
  const faults = passwordFaults(fresh)
  if (faults.length > 0) invalid(faults)
  const verifier = await app.passwords.hash(fresh, visitor.network)
  return app.store.write(async (tx) => {
    const invitation = await invitationBehind(app, token, tx)
    const home = invitation && (await openHome(visitor, tx, invitation))
    if (!invitation || !home) return refuseToken()
    const used = await tx.deleteFrom('staff_invitations').where('id', '=', invitation.id).returning('id').executeTakeFirst()
    if (used === undefined) return refuseToken()
    const id = await becomeStaff(tx, visitor, invitation, { accountId: home.account_id, name: called, verifier })
    const entrance = await enter(tx, visitor, { id, verifier }, { isRemembered: false, openedBy: 'password' })
    return entrance?.token ?? refuseToken()
  })
}

function refuseToken(): never {
  return refuse('unauthorized', 'This invitation has been used, was withdrawn or is too old. Please ask for a new one.')
}

/** The partner account of an active partner, at whose own host, if at any, the visitor is. */
async function openHome({ hostPartnerId }: Visitor, db: Db, { partner_id }: KnownInvitation): Promise<{ account_id: number } | undefined> {
  if (hostPartnerId !== null && hostPartnerId !== partner_id) return undefined
  const partner = await db
    .selectFrom('partners')
    .select('account_id')
    .where('id', '=', partner_id)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return partner?.account_id == null ? undefined : { account_id: partner.account_id }
}

interface InvitedUser {
  readonly id: number
  readonly login: string
  readonly account_id: number
}

/** Undefined if nobody has the name yet; null if it is that of somebody whose mail goes elsewhere, who would lose the login to whoever reads this one. */
async function invitedUser(db: Db, { name, email, partner_id }: KnownInvitation): Promise<InvitedUser | null | undefined> {
  const known = await db
    .selectFrom('user_names')
    .innerJoin('users', 'users.id', 'user_names.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.login', 'users.email', 'users.state', 'users.account_id', 'accounts.partner_id'])
    .where('user_names.name', '=', name)
    .executeTakeFirst()
  if (known === undefined) return undefined
  const isTheirs = known.partner_id === partner_id && foldEmail(known.email) === foldEmail(email)
  return isTheirs && known.state !== 'deleted' ? known : null
}

/** Whether nobody can accept it, because its address belongs to a login elsewhere; its mail says so. */
export async function isForAnother({ store }: App, invitation: KnownInvitation): Promise<boolean> {
  return (await invitedUser(store.db, invitation)) === null
}

interface Home {
  readonly accountId: number
  readonly name: string
  readonly verifier: string
}

async function becomeStaff(tx: Db, visitor: Visitor, invitation: KnownInvitation, home: Home): Promise<number> {
  const known = await invitedUser(tx, invitation)
  if (known === null) return refuseToken()
  const id = known === undefined ? await createLogin(tx, visitor, invitation, home) : await takeLogin(tx, visitor, known, invitation, home)
  const { partner_id, role, customers } = invitation
  await insertStaff(tx, callerOf(visitor, invitation, home, id), { user_id: id, partner_id, role, customers }, 'staff.join')
  return id
}

async function createLogin(tx: Db, visitor: Visitor, invitation: KnownInvitation, home: Home): Promise<number> {
  const { app } = visitor
  const { email } = invitation
  const stored = await insertUser(tx, app, { email, login: email, account_id: home.accountId }, home.verifier)
  if (home.name !== '') await tx.updateTable('users').set({ name: home.name }).where('id', '=', stored.id).execute()
  await audit(tx, callerOf(visitor, invitation, home, stored.id), 'user.create', stored, { after: stored })
  return stored.id
}

/** Staff are users of the partner account, so that no customer's end is theirs. */
async function takeLogin(tx: Db, visitor: Visitor, known: InvitedUser, invitation: KnownInvitation, home: Home): Promise<number> {
  const { app } = visitor
  const { id } = known
  await app.store.lock(tx, 'users', id)
  const caller = callerOf(visitor, invitation, home, id)
  await replaceVerifier(tx, caller, { id, account_id: home.accountId }, home.verifier)
  await forgetSecondFactor(tx, id)
  const after = { account_id: home.accountId, ...(home.name !== '' && { name: home.name }) }
  const now = app.clock.now()
  await tx
    .updateTable('users')
    .set({ ...after, updated_at: now })
    .where('id', '=', id)
    .execute()
  if (known.account_id !== home.accountId) {
    await tx
      .updateTable('accounts')
      .set({ owner_id: null, updated_at: now })
      .where('id', '=', known.account_id)
      .where('owner_id', '=', id)
      .execute()
    const before = { account_id: known.account_id }
    await audit(tx, caller, 'user.change', { id, account_id: home.accountId }, { before, after: { account_id: home.accountId } })
  }
  return id
}

function callerOf({ app, requestId }: Visitor, { partner_id }: KnownInvitation, { accountId }: Home, userId: number): PersonCaller {
  return { kind: 'person', app, requestId, partnerId: partner_id, accountId, userId, post: null }
}
