/**
 * Somebody follows an invitation to an account. Whoever has no login at the partner gets one. Whoever has one proves it by being logged in with its password,
 * or chooses a new one, so that whoever made the login beforehand gains nothing.
 */

import type { Kysely } from 'kysely'
import { complete, draftOf } from '../../../fields/read.ts'
import { invalid, refuse } from '../../../lib/failures.ts'
import { mostAbilitiesHeld } from '../../../resources/ability.ts'
import { changedUser } from '../../../resources/user.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { accountsOf } from '../../core/tenancy.ts'
import { foldEmail } from '../../mail/addresses.ts'
import { enter } from '../logins.ts'
import { hasSecondFactor } from '../second-factor/proof.ts'
import type { LoggedIn } from '../sessions.ts'
import { insertEditor } from '../staff/editors.ts'
import { passwordFaults, replaceVerifier } from '../user-passwords.ts'
import { insertUser } from '../users.ts'
import type { Visitor } from '../visitor.ts'
import { covers, givenScope, keeperOf } from './keepers.ts'
import { endInvitation, type PersonInvitation, personInvitationBehind } from './people-invitations.ts'

type Db = Kysely<Tables>

/** What becomes of the address when the invitation is followed. */
export type InvitedStanding =
  | { readonly is: 'new' }
  | { readonly is: 'known'; readonly id: number; readonly login: string; readonly hasSecondFactor: boolean }
  /** The login cannot be invited here; whose it is and why is nobody's business. */
  | { readonly is: 'elsewhere' }

/** An invitation that works, with whoever made it. */
export interface LivePersonInvitation {
  readonly invitation: PersonInvitation
  readonly partnerId: number
  readonly accountName: string
  readonly maker: string
  readonly standing: InvitedStanding
  /** How many reports wait for this address to be confirmed, since before the invitation. */
  readonly reports: number
}

/** Why one no longer works, or never did. */
export type DeadInvitation = 'used' | 'withdrawn' | 'replaced' | 'expired' | 'without its maker' | 'unknown'

/** What the link shows. Looking does not use it up, because mail scanners open every link. */
export async function lookAtPersonInvitation(visitor: Visitor, token: string, db?: Db): Promise<LivePersonInvitation | DeadInvitation> {
  const { app, hostPartnerId } = visitor
  const invitation = await personInvitationBehind(app, token, db)
  if (invitation === undefined) return 'unknown'
  const live = await liveInvitation(visitor, invitation, db)
  const isElsewhere = typeof live === 'object' && hostPartnerId !== null && hostPartnerId !== live.partnerId
  return isElsewhere ? 'unknown' : live
}

export async function liveInvitation(
  { app, requestId }: Pick<Visitor, 'app' | 'requestId'>,
  invitation: PersonInvitation,
  db: Db = app.store.db,
): Promise<LivePersonInvitation | DeadInvitation> {
  if (invitation.ended !== null) return invitation.ended
  if (invitation.expires_at <= app.clock.now()) return 'expired'
  const maker = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .innerJoin('partners', 'partners.id', 'accounts.partner_id')
    .leftJoin('staff', (join) => join.onRef('staff.user_id', '=', 'users.id').onRef('staff.partner_id', '=', 'partners.id'))
    .select(['users.id', 'users.name', 'login', 'users.account_id', 'accounts.partner_id', 'role', 'customers'])
    .where('users.id', '=', invitation.invited_by)
    .where('users.state', '=', 'active')
    .where('partners.state', '=', 'active')
    .executeTakeFirst()
  if (maker === undefined) return 'without its maker'
  const { id: userId, account_id: accountId, partner_id: partnerId, role, customers } = maker
  const post = role === null || customers === null ? null : { role, customers }
  const person: PersonCaller = { kind: 'person', app, requestId, partnerId, accountId, userId, post }
  const account = await stillGiven(db, person, invitation)
  if (account === null) return 'without its maker'
  const standing = await standingOf(db, partnerId, invitation)
  const reports = (await waitingReports(db, invitation).execute()).length
  return { invitation, partnerId, accountName: account.name, maker: maker.name.trim() || maker.login, standing, reports }
}

/** Whether its maker may still make it. */
async function stillGiven(db: Db, maker: PersonCaller, { account_id, is_editor, ...scope }: PersonInvitation) {
  const accounts = accountsOf(maker.partnerId, db).select('accounts.id').where('accounts.id', '=', account_id)
  if ((await accounts.executeTakeFirst()) === undefined) return null
  const keeper = await keeperOf({ ...maker, accountId: account_id }, account_id, db)
  const held = await givenScope(db, account_id, scope)
  const isGiven = keeper.keeps === 'everything' || (keeper.keeps === 'what they see' && is_editor === 0)
  return isGiven && held !== undefined && covers(keeper.sees, held) ? keeper.account : null
}

async function standingOf(db: Db, partnerId: number, { name, email: invited }: PersonInvitation): Promise<InvitedStanding> {
  const known = await db
    .selectFrom('user_names')
    .innerJoin('users', 'users.id', 'user_names.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .select(['users.id', 'users.login', 'users.email', 'users.state', 'accounts.partner_id', 'staff.role'])
    .where('user_names.name', '=', name)
    .executeTakeFirst()
  if (known === undefined) return { is: 'new' }
  const { id, login, email, state, partner_id, role } = known
  // Whoever reads the mail chooses a new password, so it must go to where the mails of this login go.
  if (partner_id !== partnerId || foldEmail(email) !== foldEmail(invited) || role !== null) return { is: 'elsewhere' }
  if (state === 'deleted' || state === 'suspended') return { is: 'elsewhere' }
  return { is: 'known', id, login, hasSecondFactor: await hasSecondFactor(db, id) }
}

function waitingReports(db: Db, { account_id, email, created_at }: PersonInvitation) {
  return db
    .selectFrom('report_recipients')
    .select('id')
    .where('account_id', '=', account_id)
    .where('email', '=', foldEmail(email))
    .where('state', '=', 'unconfirmed')
    .where('created_at', '<=', created_at)
}

/** How somebody accepts: `here` if they are logged in with the password of the login that is invited. */
export function wayIn({ standing }: LivePersonInvitation, loggedIn: LoggedIn | null): 'new' | 'here' | 'password' | 'log in' | 'elsewhere' {
  if (standing.is !== 'known') return standing.is
  const isHere = loggedIn?.view === null && loggedIn.person.userId === standing.id
  if (isHere && loggedIn.session.openedBy === 'password') return 'here'
  return standing.hasSecondFactor ? 'log in' : 'password'
}

interface Given {
  readonly name: string
  readonly fresh: string
}

/** Returns the token of a new session; null for whoever is logged in already. */
export async function acceptPersonInvitation(
  visitor: Visitor,
  loggedIn: LoggedIn | null,
  token: string,
  { name, fresh }: Given,
): Promise<string | null> {
  const { app } = visitor
  const way = wayOf(await lookAtPersonInvitation(visitor, token), loggedIn)
  const called = complete(changedUser, draftOf(changedUser, { name })).name ?? ''
  const faults = way === 'here' ? [] : passwordFaults(fresh)
  if (faults.length > 0) invalid(faults)
  const verifier = way === 'here' ? null : await app.passwords.hash(fresh, visitor.network)
  return app.store.write(async (tx) => {
    const locked = await lockInvited(tx, visitor, token)
    if (wayOf(locked, loggedIn) !== way || typeof locked !== 'object') return refuseInvitation()
    const id = await giveLogin(tx, visitor, locked, { name: called, verifier })
    await giveAccess(tx, callerOf(visitor, locked, id), locked)
    if (verifier === null) return null
    return (await enter(tx, visitor, { id, verifier }, { isRemembered: false, openedBy: 'password' }))?.token ?? refuseInvitation()
  })
}

function wayOf(found: LivePersonInvitation | DeadInvitation, loggedIn: LoggedIn | null): 'new' | 'here' | 'password' {
  const way = typeof found === 'object' ? wayIn(found, loggedIn) : 'elsewhere'
  return way === 'elsewhere' || way === 'log in' ? refuseInvitation() : way
}

function refuseInvitation(): never {
  return refuse('unauthorized', 'This invitation cannot be accepted any more.')
}

/** The user before the account, as a deletion takes them; what was read before is read again. */
async function lockInvited(tx: Db, visitor: Visitor, token: string): Promise<LivePersonInvitation | DeadInvitation> {
  const { store } = visitor.app
  const found = await lookAtPersonInvitation(visitor, token, tx)
  if (typeof found !== 'object') return found
  if (found.standing.is === 'known') await store.lock(tx, 'users', found.standing.id)
  await store.lock(tx, 'accounts', found.invitation.account_id)
  return lookAtPersonInvitation(visitor, token, tx)
}

async function giveLogin(
  tx: Db,
  visitor: Visitor,
  found: LivePersonInvitation,
  { name, verifier }: { name: string; verifier: string | null },
): Promise<number> {
  const { standing, invitation } = found
  const { email, account_id } = invitation
  if (standing.is === 'known') {
    const caller = callerOf(visitor, found, standing.id)
    if (verifier !== null) await replaceVerifier(tx, caller, { id: standing.id, account_id }, verifier)
    return standing.id
  }
  const stored = await insertUser(tx, visitor.app, { email, login: email, account_id }, verifier ?? refuseInvitation())
  if (name !== '') await tx.updateTable('users').set({ name }).where('id', '=', stored.id).execute()
  await audit(tx, callerOf(visitor, found, stored.id), 'user.create', stored, { after: stored })
  return stored.id
}

/** Whoever reads the mail has confirmed the address for the reports that it names. */
async function giveAccess(tx: Db, caller: PersonCaller, { invitation }: LivePersonInvitation): Promise<void> {
  const { id: invitation_id, account_id, scope_type, scope_id, is_editor } = invitation
  const { userId: user_id, app } = caller
  await endInvitation(tx, invitation_id, 'used', user_id)
  const held = await tx.selectFrom('abilities').select(['scope_type', 'scope_id']).where('user_id', '=', user_id).execute()
  if (!held.some((one) => one.scope_type === scope_type && one.scope_id === scope_id)) {
    if (held.length >= mostAbilitiesHeld) refuse('conflict', 'This login sees as much as a login can: please ask for another one.')
    const ability = { key: 'show', scope_type, scope_id } as const
    await tx
      .insertInto('abilities')
      .values({ user_id, ...ability })
      .execute()
    await audit(tx, caller, 'abilities.merge', { id: user_id, account_id }, { before: [], after: [ability] })
  }
  if (is_editor === 1) await insertEditor(tx, caller, account_id, user_id)
  const recipients = tx.updateTable('report_recipients').set({ state: 'active', updated_at: app.clock.now() })
  await recipients.where('id', 'in', waitingReports(tx, invitation)).execute()
  await audit(tx, caller, 'account.join', { id: account_id, account_id }, { after: { invitation_id, user_id } })
}

function callerOf(
  { app, requestId }: Visitor,
  { partnerId, invitation }: Pick<LivePersonInvitation, 'partnerId' | 'invitation'>,
  userId: number,
): PersonCaller {
  return { kind: 'person', app, requestId, partnerId, accountId: invitation.account_id, userId, post: null }
}
