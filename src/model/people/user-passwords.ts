/** A person's password: changed by themselves, or reset; either way all their sessions and links end. */

import type { Kysely } from 'kysely'
import { type FieldError, invalid } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { admitLogin, forgive } from './login-throttle.ts'
import { findCandidateById } from './logins.ts'
import { endSessions, type LoggedIn, openSession, passwordMark } from './sessions.ts'
import type { Visitor } from './visitor.ts'

/** The minimum on the page; the interface lets partners set shorter ones. */
const leastCharacters = 8
const mostBytes = 1024

interface NewPassword {
  /** Not needed after a login by link. */
  readonly current: string
  readonly fresh: string
}

/** Returns the token of the session that continues; all others end. */
export async function changePassword(visitor: Visitor, { person, session, login }: LoggedIn, input: NewPassword): Promise<string> {
  const { app } = visitor
  const faults = passwordFaults(input.fresh)
  if (faults.length > 0) invalid(faults)
  await provePassword(visitor, { person, session, login }, input.current)
  const verifier = await app.passwords.hash(input.fresh)
  return app.store.write(async (tx) => {
    await forgive(tx, visitor, login)
    await replaceVerifier(tx, person, { id: person.userId, account_id: person.accountId }, verifier)
    const { isRemembered, lastVisitAt } = session
    const mark = passwordMark(app, verifier)
    return openSession(tx, visitor, { userId: person.userId, passwordMark: mark, isRemembered, lastVisitAt, openedBy: 'password' })
  })
}

export async function replaceVerifier(
  tx: Kysely<Tables>,
  caller: Caller,
  user: { id: number; account_id: number },
  verifier: string,
): Promise<void> {
  const changed_at = caller.app.clock.now()
  await tx.updateTable('user_passwords').set({ verifier, changed_at }).where('user_id', '=', user.id).execute()
  await tx.updateTable('users').set({ updated_at: changed_at }).where('id', '=', user.id).execute()
  await endSessions(tx, user.id)
  await audit(tx, caller, 'user.password', user)
}

/** Of a password that a person chooses on a page. */
export function passwordFaults(fresh: string): FieldError[] {
  if (fresh === '') return [{ field: 'password', code: 'blank' }]
  if ([...fresh].length < leastCharacters) return [{ field: 'password', code: 'too_short', limit: leastCharacters }]
  return Buffer.byteLength(fresh) > mostBytes ? [{ field: 'password', code: 'too_long', limit: mostBytes }] : []
}

/** Not asked of whoever came by a login link. Throttled like a login: a session left open must not let a passer-by guess. */
export async function provePassword(visitor: Visitor, { person, session, login }: Proving, current: string): Promise<void> {
  if (session.openedBy === 'link') return
  await admitLogin(visitor, login, true)
  await refuseWrongPassword(visitor.app, person.userId, current)
}

export async function refuseWrongPassword(app: App, userId: number, given: string): Promise<void> {
  const candidate = await findCandidateById(app.store.db, userId)
  const isRight = candidate !== undefined && (await app.passwords.verify(given, candidate.verifier))
  if (!isRight) invalid([{ field: 'current_password', code: 'invalid' }])
}

type Proving = Pick<LoggedIn, 'person' | 'session' | 'login'>
