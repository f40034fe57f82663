/** The second factor of a login: set up with an app, proved at each login, taken away by the person or by the operator. */

import type { Kysely } from 'kysely'
import { invalid, notFound, refuse } from '../../../lib/failures.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { OperatorCaller } from '../../core/caller.ts'
import { seal, unseal } from '../../core/secrets/sealed-values.ts'
import { change } from '../../core/transaction.ts'
import { endSessions, type LoggedIn } from '../sessions.ts'
import { provePassword } from '../user-passwords.ts'
import type { Visitor } from '../visitor.ts'
import { hashRecoveryCode, keyUri, newKey, newRecoveryCodes } from './one-time-codes.ts'
import { factorRow, forgetSecondFactor, hasSecondFactor, newStepOf } from './proof.ts'

type Db = Kysely<Tables>

/** What the page shows of a second factor that is on. */
export interface SecondFactor {
  readonly since: string
  readonly recoveryCodes: number
}

/** What an app needs, once: the key to type, and the address behind the QR code. */
export interface NewFactor {
  readonly key: string
  readonly uri: string
}

export async function readSecondFactor(db: Db, userId: number): Promise<SecondFactor | null> {
  const row = await factorRow(db, userId)
  if (row?.confirmed_at == null) return null
  const codes = await db.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()
  return { since: row.confirmed_at, recoveryCodes: codes.length }
}

/** Asked again before it is confirmed, it gives the same key, so that a page loaded twice does not part from its app. */
export async function beginSecondFactor(visitor: Visitor, loggedIn: LoggedIn, password: string, issuer: string): Promise<NewFactor> {
  const { app } = visitor
  const { userId } = loggedIn.person
  await provePassword(visitor, loggedIn, password)
  return app.store.write(async (tx) => {
    await app.store.lock(tx, 'users', userId)
    const known = await factorRow(tx, userId)
    if (known?.confirmed_at != null) refuse('conflict', 'Your second factor is on already.')
    const key = (known && unseal(app.secrets, 'second_factors', userId, known.sealed)) ?? newKey()
    await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
    const sealed = seal(app.secrets, 'second_factors', userId, key)
    await tx
      .insertInto('second_factors')
      .values({ user_id: userId, sealed, last_step: 0, created_at: app.clock.now(), confirmed_at: null })
      .execute()
    return { key, uri: keyUri(key, issuer, loggedIn.login) }
  })
}

/** The key that was begun and not confirmed, for the page that asks for the first code once more. */
export async function readNewFactor({ app }: Visitor, { person, login }: LoggedIn, issuer: string): Promise<NewFactor | null> {
  const row = await factorRow(app.store.db, person.userId)
  if (row === undefined || row.confirmed_at !== null) return null
  const key = unseal(app.secrets, 'second_factors', person.userId, row.sealed)
  return key === null ? null : { key, uri: keyUri(key, issuer, login) }
}

/** Returns the recovery codes, which nobody sees again. Sessions elsewhere, links and logins under way were opened without the factor, and end. */
export async function confirmSecondFactor({ app }: Visitor, { person, session }: LoggedIn, code: string): Promise<readonly string[]> {
  const { userId: id, accountId: account_id } = person
  return app.store.write(async (tx) => {
    await app.store.lock(tx, 'users', id)
    const row = await factorRow(tx, id)
    if (row === undefined || row.confirmed_at !== null)
      return refuse('conflict', 'Please begin anew: this was set up or given up meanwhile.')
    const step = newStepOf(app, row, code)
    if (step === null) return invalid([{ field: 'code', code: 'invalid' }])
    await tx.updateTable('second_factors').set({ confirmed_at: app.clock.now(), last_step: step }).where('user_id', '=', id).execute()
    await endSessions(tx, id, session.tokenHash)
    await audit(tx, person, 'user.second_factor_on', { id, account_id })
    return replaceRecoveryCodes(tx, id)
  })
}

export async function renewRecoveryCodes(visitor: Visitor, loggedIn: LoggedIn, password: string): Promise<readonly string[]> {
  const { userId: id, accountId: account_id } = loggedIn.person
  await provePassword(visitor, loggedIn, password)
  return visitor.app.store.write(async (tx) => {
    await visitor.app.store.lock(tx, 'users', id)
    if (!(await hasSecondFactor(tx, id))) return refuse('conflict', 'Your second factor is off.')
    await audit(tx, loggedIn.person, 'user.recovery_codes', { id, account_id })
    return replaceRecoveryCodes(tx, id)
  })
}

export async function endSecondFactor(visitor: Visitor, loggedIn: LoggedIn, password: string): Promise<void> {
  const { userId: id, accountId: account_id } = loggedIn.person
  await provePassword(visitor, loggedIn, password)
  await visitor.app.store.write(async (tx) => {
    if (await forgetSecondFactor(tx, id)) await audit(tx, loggedIn.person, 'user.second_factor_off', { id, account_id })
  })
}

/** For somebody who has lost the app and the recovery codes; the person is logged out everywhere. */
export async function resetSecondFactor(caller: OperatorCaller, userId: number): Promise<void> {
  const users = caller.app.store.db.selectFrom('users').innerJoin('accounts', 'accounts.id', 'users.account_id')
  const user = users.select(['users.id', 'account_id', 'partner_id']).where('users.id', '=', userId).where('users.state', '!=', 'deleted')
  const named = (await user.executeTakeFirst()) ?? notFound('user')
  await change(caller, async (tx) => {
    if (!(await forgetSecondFactor(tx, userId))) refuse('conflict', 'The user has no second factor.')
    await endSessions(tx, userId)
    await audit(tx, caller, 'user.second_factor_reset', named)
  })
}

async function replaceRecoveryCodes(tx: Db, user_id: number): Promise<readonly string[]> {
  const codes = newRecoveryCodes()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id, code_hash: hashRecoveryCode(code) })))
    .execute()
  return codes
}
