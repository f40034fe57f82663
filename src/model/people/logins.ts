/** Login by name and password, with the same work and the same message for every refusal. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { PersonCaller } from '../core/caller.ts'
import { admitLogin, forgive } from './login-throttle.ts'
import { endPendingLogin, findPendingLogin, keepPendingLogin } from './second-factor/pending-logins.ts'
import { hasSecondFactor, useCode } from './second-factor/proof.ts'
import { isMarkOf, openSession, passwordMark } from './sessions.ts'
import { foldName } from './users.ts'
import type { Visitor } from './visitor.ts'

export interface Credentials {
  readonly name: string
  readonly password: string
  readonly isRemembered: boolean
}

export type Candidate = NonNullable<Awaited<ReturnType<typeof findCandidate>>>

/** The token of a new session; or of a login that awaits the code of a second factor. */
export interface Entrance {
  readonly token: string
  readonly awaitsCode: boolean
}

/** Refuses without revealing anything about the name. */
export async function logIn(visitor: Visitor, { name, password, isRemembered }: Credentials): Promise<Entrance> {
  const candidate = await findCandidate(visitor.app, name)
  await admitLogin(visitor, name, await isKnownNetwork(visitor, candidate))
  const { passwords } = visitor.app
  const isRight = candidate
    ? await passwords.verify(password, candidate.verifier, visitor.network)
    : await passwords.verifyNobody(password, visitor.network)
  if (!isRight || !candidate || !mayLogIn(visitor, candidate)) return refuseLogin()
  return visitor.app.store.write(async (tx) => {
    await forgive(tx, visitor, name)
    return (await enter(tx, visitor, candidate, { isRemembered, openedBy: 'password' })) ?? refuseLogin()
  })
}

/**
 * Goes on with a login that awaits a code; null if it is too old, or its password has changed. Wrong codes are counted like refused
 * logins, for themselves: a right password forgives none of them.
 */
export async function completeLogin(visitor: Visitor, token: string, code: string): Promise<(NewEntrance & { token: string }) | null> {
  const { app } = visitor
  const found = await findPendingLogin(app, app.store.db, token)
  const person = found && (await findCandidateById(app.store.db, found.userId))
  if (!found || !person) return null
  const counted = `second factor of ${person.id}`
  await admitLogin(visitor, counted, await isKnownNetwork(visitor, person))
  return app.store.write(async (tx) => {
    await app.store.lock(tx, 'users', found.userId)
    const [pending, candidate] = [await findPendingLogin(app, tx, token), await findCandidateById(tx, found.userId)]
    if (!pending || !candidate || !mayLogIn(visitor, candidate) || !isMarkOf(app, pending.passwordMark, candidate.verifier)) return null
    if (!(await useCode(tx, app, candidate.id, code))) return refuse('unauthorized', 'This code is not right, or was used before.')
    await endPendingLogin(tx, token)
    await forgive(tx, visitor, counted)
    const { isRemembered, openedBy } = pending
    return { token: await open(tx, visitor, candidate, { isRemembered, openedBy, hasProved: true }), isRemembered, openedBy }
  })
}

function refuseLogin(): never {
  return refuse('unauthorized', 'Login or password is not right.')
}

interface NewEntrance {
  readonly isRemembered: boolean
  readonly openedBy: 'password' | 'link'
  readonly hasProved?: boolean
}

/**
 * Logs in a person who has been authenticated by a password or a link, unless a second factor is to be proved first. Null if the person was suspended or
 * deleted, or their password changed, since the candidate was read: checking a password takes long.
 */
export async function enter(
  tx: Kysely<Tables>,
  visitor: Visitor,
  { id, verifier }: Pick<Candidate, 'id' | 'verifier'>,
  how: NewEntrance,
): Promise<Entrance | null> {
  await visitor.app.store.lock(tx, 'users', id)
  const candidate = await findCandidateById(tx, id)
  if (candidate?.verifier !== verifier || !mayLogIn(visitor, candidate)) return null
  if (!(await hasSecondFactor(tx, id))) return { token: await open(tx, visitor, candidate, how), awaitsCode: false }
  const pending = { ...how, userId: id, passwordMark: passwordMark(visitor.app, verifier) }
  return { token: await keepPendingLogin(tx, visitor.app, pending), awaitsCode: true }
}

/** The first login makes a person active. */
async function open(tx: Kysely<Tables>, visitor: Visitor, candidate: Candidate, how: NewEntrance): Promise<string> {
  const { id, verifier } = candidate
  const now = visitor.app.clock.now()
  const first = candidate.state === 'passive' ? { state: 'active' as const, activated_at: now } : {}
  await tx
    .updateTable('users')
    .set({ ...first, last_login_at: now })
    .where('id', '=', id)
    .execute()
  await rememberNetwork(tx, visitor, id, now)
  const activated = candidate.state === 'passive' ? { before: { state: 'passive' }, after: { state: 'active' } } : {}
  await audit(tx, personFrom(visitor, candidate), 'user.login', { id, account_id: candidate.account_id }, activated)
  const { last_login_at: lastVisitAt } = candidate
  return openSession(tx, visitor, { ...how, userId: id, lastVisitAt, passwordMark: passwordMark(visitor.app, verifier) })
}

export function mayLogIn({ hostPartnerId }: Visitor, candidate: Candidate): boolean {
  const isAtHome = hostPartnerId === null || hostPartnerId === candidate.partner_id
  return isAtHome && candidate.partner_state === 'active' && (candidate.state === 'passive' || candidate.state === 'active')
}

export function findCandidate(app: App, name: string) {
  return candidates(app.store.db)
    .innerJoin('user_names', 'user_names.user_id', 'users.id')
    .where('user_names.name', '=', foldName(name))
    .executeTakeFirst()
}

export function findCandidateById(db: Kysely<Tables>, id: number): Promise<Candidate | undefined> {
  return candidates(db).where('users.id', '=', id).executeTakeFirst()
}

function candidates(db: Kysely<Tables>) {
  return db
    .selectFrom('users')
    .innerJoin('user_passwords', 'user_passwords.user_id', 'users.id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .innerJoin('partners', 'partners.id', 'accounts.partner_id')
    .select(['users.id', 'users.account_id', 'users.state', 'users.login', 'users.email', 'users.last_login_at', 'verifier'])
    .select(['accounts.partner_id', 'partners.state as partner_state', 'partners.name as partner_name'])
}

/** Queried for an unknown name too, so that both take the same time. */
async function isKnownNetwork({ app, network }: Visitor, candidate: Candidate | undefined): Promise<boolean> {
  const known = app.store.db
    .selectFrom('login_networks')
    .select('network')
    .where('user_id', '=', candidate?.id ?? 0)
  return (await known.where('network', '=', network).executeTakeFirst()) !== undefined
}

async function rememberNetwork(tx: Kysely<Tables>, { network }: Visitor, user_id: number, last_login_at: string): Promise<void> {
  const networks = tx.insertInto('login_networks').values({ user_id, network, last_login_at })
  await networks.onConflict((on) => on.columns(['user_id', 'network']).doUpdateSet({ last_login_at })).execute()
}

function personFrom({ app, requestId }: Visitor, candidate: Candidate): PersonCaller {
  return {
    kind: 'person',
    app,
    requestId,
    partnerId: candidate.partner_id,
    accountId: candidate.account_id,
    userId: candidate.id,
    post: null,
  }
}
