/** Sessions of people who are logged in. The database has only the hash of the token in the cookie; sessions expire by themselves. */

import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { numberOf } from '../../lib/secrets.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { PersonCaller, StaffPost } from '../core/caller.ts'
import { writeLate } from '../core/late-writes.ts'
import { findSeen, type View } from './staff/seen-people.ts'
import type { Visitor } from './visitor.ts'

const rememberedSeconds = 14 * 24 * 60 * 60
const longestSeconds = 12 * 60 * 60
export const idleSeconds = 30 * 60
/** The time of last use is written at most this often. */
const seenEverySeconds = 60
/** A clock that was set back must not make expired sessions valid again. */
const clockSlackSeconds = 2 * 60 * 60

export interface Session {
  readonly tokenHash: string
  readonly openedBy: 'password' | 'link'
  readonly isRemembered: boolean
  readonly lastVisitAt: string | null
  /** When the password or the second factor was last proved; null for a session that began without. */
  readonly provedAt: string | null
}

/** A person with the data that their pages need. */
export interface LoggedIn {
  readonly person: PersonCaller
  readonly session: Session
  readonly login: string
  readonly email: string
  /** The name to greet the person with, or else the login. */
  readonly name: string
  /** The time zone in which days are counted: the person's own choice, or else that of their account. */
  readonly timeZone: string
  /** How figures and times are written; what is null follows the browser and the service. */
  readonly written: { readonly region: string | null; readonly timeZone: string | null }
  /** Whether the partner demands a second factor of the person, who has none. */
  readonly lacksSecondFactor: boolean
  /** Set while somebody of the staff looks at the pages as a person of a customer sees them; name, email, time zone and last visit are then those of the person. */
  readonly view: View | null
}

export interface NewSession {
  readonly userId: number
  readonly passwordMark: string
  readonly isRemembered: boolean
  readonly openedBy: 'password' | 'link'
  readonly lastVisitAt: string | null
  readonly hasProved?: boolean
}

/** Returns the token for the cookie: 256 random bits that are stored nowhere else. */
export async function openSession(
  tx: Kysely<Tables>,
  { app, ...where }: Omit<Visitor, 'requestId' | 'hostPartnerId'>,
  opened: NewSession,
): Promise<string> {
  const token = newToken()
  const now = app.clock.now()
  await tx.deleteFrom('sessions').where('expires_at', '<', now).execute()
  await tx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: opened.userId,
      password_mark: opened.passwordMark,
      is_remembered: opened.isRemembered ? 1 : 0,
      opened_by: opened.openedBy,
      last_visit_at: opened.lastVisitAt,
      ...whereFrom(where),
      proved_at: opened.openedBy === 'password' || opened.hasProved ? now : null,
      created_at: now,
      last_seen_at: now,
      expires_at: secondsAfter(now, opened.isRemembered ? rememberedSeconds : longestSeconds),
    })
    .execute()
  return token
}

function whereFrom({ network, browser }: Pick<Visitor, 'network' | 'browser'>): { network: string; browser: string | null } {
  return { network, browser: browser ?? null }
}

/** Why somebody is logged in no more: no page was opened for half an hour, or all else. */
export type EndedSession = 'idle' | 'ended'

export async function findSession(visitor: Visitor, token: string): Promise<LoggedIn | null> {
  const found = await lookAtSession(visitor, token)
  return typeof found === 'string' ? null : found
}

export async function lookAtSession(visitor: Visitor, token: string): Promise<LoggedIn | EndedSession> {
  const row = await sessionRow(visitor.app, hashToken(token))
  if (row === undefined) return 'ended'
  const end = endOf(visitor, row)
  if (end !== null) {
    writeLate(visitor.app, (tx) => tx.deleteFrom('sessions').where('token_hash', '=', row.token_hash).execute())
    return end
  }
  if (visitor.hostPartnerId !== null && visitor.hostPartnerId !== row.partner_id) return 'ended'
  see(visitor, row)
  const { app, requestId } = visitor
  const loggedIn: LoggedIn = {
    person: {
      kind: 'person',
      app,
      requestId,
      partnerId: row.partner_id,
      accountId: row.account_id,
      userId: row.user_id,
      post: postIn(row),
    },
    session: {
      tokenHash: row.token_hash,
      openedBy: row.opened_by,
      isRemembered: row.is_remembered === 1,
      lastVisitAt: row.last_visit_at,
      provedAt: row.proved_at,
    },
    login: row.login,
    email: row.email,
    name: row.name.trim() || row.login,
    timeZone: row.own_time_zone ?? row.time_zone ?? 'UTC',
    written: { region: row.region ?? row.account_region, timeZone: row.own_time_zone },
    lacksSecondFactor: row.role !== null && row.demands_second_factor === 1 && row.confirmed_at === null,
    view: null,
  }
  const seen = await findSeen(loggedIn.person, row)
  return seen === null ? loggedIn : { ...loggedIn, ...seen.person, session: { ...loggedIn.session, ...seen.visit }, view: seen.view }
}

function postIn({ role, customers }: Pick<SessionFound, 'role' | 'customers'>): StaffPost | null {
  return role === null || customers === null ? null : { role, customers }
}

export async function closeSession(app: App, { tokenHash }: Session): Promise<void> {
  await app.store.write((tx) => tx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute())
}

/** Ends all sessions, login links, logins and changes of the address under way of a user, but for one session: at a new password, suspension, deletion, a new second factor, or by the operator. */
export async function endSessions(tx: Kysely<Tables>, userId: number, except = ''): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', except).execute()
  for (const table of ['login_links', 'pending_logins', 'email_changes'] as const)
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
}

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Plain SHA-256 is enough, because the token is random. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** A value that changes with the password and reveals nothing of it. */
export function passwordMark({ secrets }: App, verifier: string): string {
  return secrets.hmac('session', `password:${verifier}`, markDigits)
}

/**
 * Whether the password is still the one of the mark. If the process does not know the secret of the mark yet, it refuses as unavailable instead of ending the
 * session.
 */
export function isMarkOf({ secrets }: App, mark: string, verifier: string): boolean {
  if (!secrets.knows(mark)) refuse('unavailable')
  return secrets.isHmac(mark, 'session', `password:${verifier}`, markDigits)
}

const markDigits = 32

type SessionFound = NonNullable<Awaited<ReturnType<typeof sessionRow>>>

function sessionRow(app: App, tokenHash: string) {
  return app.store.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('user_passwords', 'user_passwords.user_id', 'users.id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .innerJoin('partners', 'partners.id', 'accounts.partner_id')
    .leftJoin('staff', (join) => join.onRef('staff.user_id', '=', 'users.id').onRef('staff.partner_id', '=', 'partners.id'))
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .leftJoin('preferences', 'preferences.user_id', 'users.id')
    .where('sessions.token_hash', '=', tokenHash)
    .select(['sessions.token_hash', 'sessions.user_id', 'sessions.password_mark', 'is_remembered', 'opened_by', 'last_visit_at'])
    .select(['proved_at', 'sessions.created_at', 'last_seen_at', 'sessions.expires_at', 'login', 'email', 'users.state', 'verifier'])
    .select(['users.account_id', 'users.name', 'accounts.partner_id', 'accounts.time_zone', 'partners.state as partner_state'])
    .select(['staff.role', 'staff.customers', 'demands_second_factor', 'second_factors.confirmed_at', 'seen_user_id', 'seen_until'])
    .select(['preferences.region', 'accounts.region as account_region', 'preferences.time_zone as own_time_zone'])
    .executeTakeFirst()
}

/** Null while it goes on. */
function endOf({ app }: Visitor, row: SessionFound): EndedSession | null {
  const now = app.clock.now()
  const isFresh = row.is_remembered === 1 || now <= secondsAfter(row.last_seen_at, idleSeconds)
  const isDated = now <= row.expires_at && row.created_at <= secondsAfter(now, clockSlackSeconds)
  const isWelcome = row.state === 'active' && row.partner_state === 'active'
  if (!isDated || !isWelcome) return 'ended'
  if (!isFresh) return 'idle'
  return isMarkOf(app, row.password_mark, row.verifier) ? null : 'ended'
}

/** A session marked under an older server secret moves to the current one when it is used. */
function see({ app, ...where }: Visitor, row: SessionFound): void {
  const now = app.clock.now()
  const isBehind = numberOf(row.password_mark) < app.secrets.current.id
  if (!isBehind && now < secondsAfter(row.last_seen_at, seenEverySeconds)) return
  const seen = { ...whereFrom(where), last_seen_at: now, password_mark: isBehind ? passwordMark(app, row.verifier) : row.password_mark }
  writeLate(app, (tx) => tx.updateTable('sessions').set(seen).where('token_hash', '=', row.token_hash).execute())
}
