/** Intakes: every import and push, found through the caller, told as a record, and forgotten when it is old. */

import type { Kysely } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import type { IntakeRow } from '../../store/rows/intakes.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { page } from '../core/paging.ts'
import type { Managing } from '../core/tenancy.ts'
import type { RowStep, StepTable } from '../imports/journal.ts'

export type IntakeRecord = Omit<IntakeRow, 'id' | 'counts'> & { readonly id: number; readonly kinds: Readonly<Record<string, object>> }

export const stepTables: readonly StepTable[] = ['intake_steps', 'intake_directory_steps']

export async function listIntakes(caller: Managing, after?: string, narrowed: { partner_id?: number } = {}) {
  const query = intakesWithin(caller).selectAll()
  const some = narrowed.partner_id === undefined ? query : query.where('partner_id', '=', narrowed.partner_id)
  const { items, next } = await page<StoredIntake>(some, after)
  return { items: items.map(recordOf), next }
}

export async function findIntake(caller: Managing, id: number): Promise<IntakeRecord> {
  const found = await intakesWithin(caller).selectAll().where('id', '=', id).executeTakeFirst()
  return found === undefined ? notFound('intake') : recordOf(found)
}

/** The accounts that an intake may have touched. */
export async function touchedAccounts({ app }: Managing, { account_id, partner_id }: IntakeRecord): Promise<number[]> {
  if (account_id !== null) return [account_id]
  const rows = await app.store.db.selectFrom('accounts').select('id').where('partner_id', '=', partner_id).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Intakes that began before a moment, with their steps; as many as one transaction should hold. */
export async function forgetIntakes(app: App, before: string): Promise<number> {
  const old = await app.store.db.selectFrom('intakes').select(['id', 'partner_id']).where('created_at', '<', before).limit(20).execute()
  for (const { id, partner_id } of old) {
    const accounts = await app.store.db.selectFrom('accounts').select('id').where('partner_id', '=', partner_id).execute()
    for (const account of accounts) await forgetSteps(app, account.id, id)
    await app.store.write((tx) => tx.deleteFrom('intakes').where('id', '=', id).execute())
  }
  return old.length
}

/** Takes the author of a review out of the steps: undoing never brings back who was erased. */
export async function eraseReviewerFromSteps(app: App, name: string): Promise<void> {
  const accounts = await app.store.db.selectFrom('accounts').select('id').execute()
  for (const { id } of accounts) await app.store.write((tx) => eraseReviewerOf(tx, id, name))
}

type StoredIntake = Omit<IntakeRow, 'id'> & { id: number }

function intakesWithin(caller: Managing) {
  const intakes = caller.app.store.db.selectFrom('intakes')
  return caller.kind === 'partner' ? intakes.where('partner_id', '=', caller.partnerId) : intakes
}

function recordOf({ counts, ...row }: StoredIntake): IntakeRecord {
  return { ...row, kinds: JSON.parse(counts) }
}

async function forgetSteps({ store }: App, accountId: number, intakeId: number): Promise<void> {
  for (const table of stepTables)
    await store.write((tx) => tx.deleteFrom(table).where('account_id', '=', accountId).where('intake_id', '=', intakeId).execute())
}

async function eraseReviewerOf(tx: Kysely<Tables>, accountId: number, name: string): Promise<void> {
  const steps = await tx
    .selectFrom('intake_steps')
    .select(['intake_id', 'step', 'data'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'review')
    .execute()
  for (const { intake_id, step, data } of steps) {
    const rows: RowStep[] = JSON.parse(Buffer.from(data).toString())
    const kept = rows.filter(({ before }) => before?.user !== name)
    if (kept.length === rows.length) continue
    const same = tx.updateTable('intake_steps').where('account_id', '=', accountId).where('intake_id', '=', intake_id)
    await same
      .where('step', '=', step)
      .set({ data: Buffer.from(JSON.stringify(kept)) })
      .execute()
  }
}
