/** Intakes: every import and push, found through the caller, shown as a record, and deleted when it is old. */

import type { Kysely, Selectable } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import type { GoingRecord, Intake, IntakeCounts, IntakeFault, LeftAlone } from '../../resources/intake.ts'
import type { IntakeRow } from '../../store/rows/intakes.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Bit } from '../../store/rows/values.ts'
import type { App } from '../core/app.ts'
import { page } from '../core/paging.ts'
import { forgottenIntake, type RowTouch, type StepTable, stepTables } from '../core/steps.ts'
import { accountsWithin, deletedAccountIds, type Managing } from '../core/tenancy.ts'
import { looksLike } from '../imports/csv/recognise.ts'
import type { RowStep } from '../imports/journal/earlier-steps.ts'

/** An intake as partners see it, with what only the operator sees. */
export interface IntakeRecord extends Intake, Pick<IntakeRow, 'partner_id' | 'actor' | 'mapping' | 'began_at'> {
  /** Whether it is undone by the order of its steps, and not by value. */
  readonly is_ordered: Bit
  readonly kinds: readonly IntakeCounts[]
  readonly faults: readonly IntakeFault[]
  readonly left_alone: readonly LeftAlone[]
  readonly preview: UndoPreview
  readonly with_people?: boolean
  readonly notices: readonly { readonly message: string }[]
}

export async function listIntakes(caller: Managing, after?: string, narrowed: { partner_id?: number } = {}) {
  const query = intakesWithin(caller).selectAll()
  const some = narrowed.partner_id === undefined ? query : query.where('partner_id', '=', narrowed.partner_id)
  const { items, next } = await page<StoredIntake>(some, after)
  return { items: items.map(recordOf), next }
}

export async function findIntake(caller: Managing, id: number, db?: Kysely<Tables>): Promise<IntakeRecord> {
  const found = await intakesWithin(caller, db).selectAll().where('id', '=', id).executeTakeFirst()
  return found === undefined ? notFound('intake') : recordOf(found)
}

/** The accounts that an intake may have changed. */
export async function touchedAccounts(
  { app }: Managing,
  { account_id, partner_id }: Pick<IntakeRecord, 'account_id' | 'partner_id'>,
): Promise<number[]> {
  if (account_id !== null) return [account_id]
  const rows = await app.store.db.selectFrom('accounts').select('id').where('partner_id', '=', partner_id).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Whether an undo would leave something behind that comes back with a deleted account. */
export async function storedInDeletedAccount({ app }: Managing, { id, partner_id }: IntakeRecord): Promise<boolean> {
  const { db } = app.store
  for (const account_id of await deletedOf(db, partner_id))
    for (const table of stepTables) {
      const steps = db.selectFrom(table).select('step').where('account_id', '=', account_id).where('intake_id', '=', id)
      if ((await steps.limit(1).executeTakeFirst()) !== undefined) return true
    }
  return false
}

/** Deletes intakes that ended before a time, with their steps, but none that has still to be stored or taken back; as many as one transaction should hold. */
export async function forgetIntakes(app: App, before: string): Promise<number> {
  const { db } = app.store
  const old = await db
    .selectFrom('intakes')
    .select(['id', 'partner_id'])
    .where('created_at', '<', before)
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '<', before)]))
    .where('state', 'not in', ['undoing', 'cancelling', 'parking'])
    .where('id', 'not in', db.selectFrom('intake_tasks').select('intake_id'))
    .limit(20)
    .execute()
  for (const { id, partner_id } of old) {
    for (const account of await accountsOnce(app, partner_id)) await forgetSteps(app, account, id)
    await app.store.write(async (tx) => {
      for (const table of ['intake_tasks', 'intake_refused_lines'] as const)
        await tx.deleteFrom(table).where('intake_id', '=', id).execute()
      await tx.deleteFrom('intakes').where('id', '=', id).execute()
    })
  }
  return old.length
}

/** Removes the author of a review from the steps, so that undoing never brings back an erased person. */
export async function eraseReviewerFromSteps(app: App, name: string): Promise<void> {
  const accounts = await app.store.db.selectFrom('accounts').select('id').execute()
  for (const { id } of accounts) await eraseReviewerOf(app, id, name)
}

/** Who reaches only some accounts sees only intakes of a single one of these. */
export function intakesWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  const deleted = deletedAccountIds(db)
  const intakes = db
    .selectFrom('intakes')
    .where((row) => row.or([row('intakes.account_id', 'is', null), row('intakes.account_id', 'not in', deleted)]))
  if (caller.kind === 'operator') return intakes
  const ours = intakes.where('intakes.partner_id', '=', caller.partnerId)
  switch (caller.kind) {
    case 'partner':
      return caller.accountIds === null ? ours : ours.where('intakes.account_id', 'in', caller.accountIds)
    case 'staff':
      return caller.customers === 'all' ? ours : ours.where('intakes.account_id', 'in', accountsWithin(caller, db).select('accounts.id'))
  }
}

/** The stored result of undoing. */
export interface UndoResult {
  readonly undone: number
  readonly left: number
  /** Whether it takes what people added, too. */
  readonly with_people?: boolean
  /** The first hundred records. */
  readonly left_alone: readonly LeftAlone[]
}

/** The stored result of trying an undo, with the versions of the accounts that it is of. */
export interface UndoPreview extends Omit<Intake['preview'], 'going' | 'staying'> {
  readonly going: readonly GoingRecord[]
  readonly staying: readonly LeftAlone[]
  readonly versions?: string
}

export const nothingTried: UndoPreview = {
  state: 'none',
  as_of: null,
  with_people: false,
  goes: 0,
  stays: 0,
  going: [],
  staying: [],
  note: null,
}

type StoredIntake = Selectable<IntakeRow>

export const nothingUndone: UndoResult = { undone: 0, left: 0, left_alone: [] }

function recordOf({ counts, faults, notices, undo, preview, recognised_as, ...row }: StoredIntake): IntakeRecord {
  const byKind = Object.entries(JSON.parse(counts) as Record<IntakeCounts['kind'], Omit<IntakeCounts, 'kind'>>)
  return {
    ...row,
    recognised_as,
    looks_like: recognised_as && looksLike(recognised_as),
    kinds: byKind.map(([kind, its]) => ({ ...its, kind: kind as IntakeCounts['kind'] })),
    faults: faults === null ? [] : (JSON.parse(faults) as IntakeFault[]),
    notices: (JSON.parse(notices ?? '[]') as string[]).map((message) => ({ message })),
    preview: preview === null ? nothingTried : (JSON.parse(preview) as UndoPreview),
    ...(undo === null ? nothingUndone : undoResultIn(undo)),
  }
}

/** What an earlier version left alone says no reason. */
function undoResultIn(undo: string): UndoResult {
  const { left_alone, ...sums } = JSON.parse(undo) as UndoResult
  return { ...sums, left_alone: left_alone.map((one) => ({ ...one, why: one.why ?? '' })) }
}

/** Those of the partner with the deleted ones. */
async function accountsOnce({ store: { db } }: App, partnerId: number): Promise<number[]> {
  const living = await db.selectFrom('accounts').select('id').where('partner_id', '=', partnerId).execute()
  return [...living.map(({ id }) => id), ...(await deletedOf(db, partnerId))]
}

async function deletedOf(db: Kysely<Tables>, partnerId: number): Promise<number[]> {
  const rows = await deletedAccountIds(db).where('partner_id', '=', partnerId).execute()
  return rows.map(({ account_id }) => account_id)
}

async function forgetSteps({ store }: App, accountId: number, intakeId: number): Promise<void> {
  for (const table of stepTables) await store.write((tx) => forgetStepsIn(tx, table, accountId, intakeId))
}

/** What came later than something that can still be undone is known until that is gone too: otherwise its undo would take that along. */
async function forgetStepsIn(tx: Kysely<Tables>, table: StepTable, accountId: number, intakeId: number): Promise<void> {
  const own = tx.deleteFrom(table).where('account_id', '=', accountId).where('intake_id', '=', intakeId)
  await own.where('last_owner', 'is', null).execute()
  const ordered = tx.updateTable(table).set({ intake_id: forgottenIntake }).where('account_id', '=', accountId)
  await ordered.where('intake_id', '=', intakeId).execute()
  const kept = tx
    .selectFrom(table)
    .select(({ fn }) => fn.min('step').as('step'))
    .where('account_id', '=', accountId)
  const first = await kept.where('intake_id', '>', 0).executeTakeFirst()
  const over = tx.deleteFrom(table).where('account_id', '=', accountId).where('intake_id', '<=', 0)
  await (first?.step == null ? over : over.where('step', '<', first.step)).execute()
}

/** Each step by itself, because it is read as a whole. */
async function eraseReviewerOf({ store }: App, accountId: number, name: string): Promise<void> {
  const places = store.db.selectFrom('intake_steps').select(['intake_id', 'step']).where('account_id', '=', accountId)
  for (const { intake_id, step } of await places.where('kind', '=', 'review').execute())
    await store.write(async (tx) => {
      const steps = tx.selectFrom('intake_steps').select('data').where('account_id', '=', accountId).where('intake_id', '=', intake_id)
      const found = await steps.where('step', '=', step).executeTakeFirst()
      const rows: (RowStep | RowTouch)[] = JSON.parse(found === undefined ? '[]' : Buffer.from(found.data).toString())
      const kept = rows.filter((row) => !('authors' in row ? row.authors?.includes(name) : row.before?.user === name))
      if (kept.length === rows.length) return
      const same = tx.updateTable('intake_steps').where('account_id', '=', accountId).where('intake_id', '=', intake_id)
      await same
        .where('step', '=', step)
        .set({ data: Buffer.from(JSON.stringify(kept)) })
        .execute()
    })
}

/** The time of the newest intake of any partner. */
export async function newestIntakeTime(db: Kysely<Tables>): Promise<string | null> {
  return (await db.selectFrom('intakes').select('created_at').orderBy('id', 'desc').limit(1).executeTakeFirst())?.created_at ?? null
}
