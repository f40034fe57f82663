/** Proves a second factor at a login, and forgets it. */

import type { Kysely } from 'kysely'
import { refuse } from '../../../lib/failures.ts'
import type { SecondFactorRow } from '../../../store/rows/people.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { unseal } from '../../core/secrets/sealed-values.ts'
import { hashRecoveryCode, stepOf } from './one-time-codes.ts'

type Db = Kysely<Tables>

export function factorRow(db: Db, userId: number): Promise<SecondFactorRow | undefined> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** One that was begun and not confirmed does not count. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await factorRow(db, userId))?.confirmed_at != null
}

/** Whether a code of the app or a recovery code is right; either is used up. The caller holds the lock on the user. */
export async function useCode(tx: Db, app: App, userId: number, code: string): Promise<boolean> {
  const row = await factorRow(tx, userId)
  if (row?.confirmed_at == null) return false
  if (!isOfApp(code)) return useRecoveryCode(tx, userId, code)
  const step = newStepOf(app, row, code)
  if (step === null) return false
  await tx.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()
  return true
}

/** The time step of a code of the app; null for one that is wrong or was used before. */
export function newStepOf({ secrets, clock }: App, row: SecondFactorRow, code: string): number | null {
  const key = unseal(secrets, 'second_factors', row.user_id, row.sealed)
  if (key === null)
    return refuse('unavailable', 'Codes of the app cannot be checked: the server secret that they need is not here. A recovery code works.')
  const step = stepOf(key, code, clock.now())
  return step !== null && step > row.last_step ? step : null
}

function isOfApp(code: string): boolean {
  return /^[\d\s]*$/.test(code)
}

async function useRecoveryCode(tx: Db, userId: number, code: string): Promise<boolean> {
  const codes = tx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('code_hash', '=', hashRecoveryCode(code))
  return (await codes.returning('code_hash').executeTakeFirst()) !== undefined
}

/** Ends what proves a login besides its password; tells whether it was on. */
export async function forgetSecondFactor(tx: Db, userId: number): Promise<boolean> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const ended = await tx.deleteFrom('second_factors').where('user_id', '=', userId).returning('confirmed_at').executeTakeFirst()
  return ended?.confirmed_at != null
}
