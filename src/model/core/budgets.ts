/** Budgets shared by all processes on one database: how much of each was spent in the current period. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'

export interface Budget {
  readonly name: string
  /** When the current period begins; earlier spending does not count. */
  readonly begins_at: string
}

export async function readSpent(db: Kysely<Tables>, { name, begins_at }: Budget): Promise<number> {
  const budgets = db.selectFrom('budgets').select('spent').where('name', '=', name).where('begins_at', '=', begins_at)
  return (await budgets.executeTakeFirst())?.spent ?? 0
}

/** Spends one unit and returns the total spent. */
export async function spend(tx: Kysely<Tables>, { name, begins_at }: Budget): Promise<number> {
  const { spent } = await tx
    .insertInto('budgets')
    .values({ name, begins_at, spent: 1 })
    .onConflict((taken) => taken.columns(['name', 'begins_at']).doUpdateSet((row) => ({ spent: row('budgets.spent', '+', 1) })))
    .returning('spent')
    .executeTakeFirstOrThrow()
  return spent
}

export async function forgetBudgets(tx: Kysely<Tables>, before: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('budgets').where('begins_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
