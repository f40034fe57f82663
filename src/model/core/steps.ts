/** Steps: what each transaction stored, changed and found as it was, in the order in which an account was changed. An undo goes by this order. */

import type { Kysely } from 'kysely'
import type { Value } from '../../fields/incoming.ts'
import type { IntakeStepRow } from '../../store/rows/intakes.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { StepRange } from './packed-steps.ts'

/** The table that holds the steps of a kind, stored with the data they describe (see placement.ts). */
export type StepTable = 'intake_steps' | 'intake_directory_steps'

export const stepTables: readonly StepTable[] = ['intake_steps', 'intake_directory_steps']

/** Under these ids stand the steps that are never undone: of people and the API, and of intakes that are no longer kept. */
export const nobodysIntake = 0
export const forgottenIntake = -1

/** A row that something was said about. */
export interface RowTouch {
  /** With the key; of a keyword or competitor, its own id. */
  readonly owner: number
  readonly key: string
  isNew?: boolean
  /** What was changed, as it was before; of a new row, what was said of it, as it is without being said. */
  before: Record<string, Value>
  /** What was said and was so already, or has no value without being said. */
  claimed?: string[]
  /** Whose words may stand in `before`, where it holds words of people. */
  authors?: string[]
}

/** Records that a step created, and those that it only referred to. */
export interface OwnerTouch {
  readonly made: readonly number[]
  readonly used: readonly number[]
  /** Where those made came into being, if another intake has made them first. */
  readonly since?: number
}

type NewStep = Pick<IntakeStepRow, 'intake_id' | 'kind' | 'data'> & {
  readonly range: StepRange
  readonly counts?: { readonly created: number; readonly updated: number }
}

const uncounted = { created: 0, updated: 0 }
const directoryKinds: ReadonlySet<string> = new Set(['business ids', 'site ids', 'location'])

export function tableOfSteps(kind: string): StepTable {
  return directoryKinds.has(kind) ? 'intake_directory_steps' : 'intake_steps'
}

/** Call it while the account is locked, which gives the step its place. */
export async function addStep(tx: Kysely<Tables>, account_id: number, { range, counts = uncounted, ...step }: NewStep): Promise<void> {
  const table = tableOfSteps(step.kind)
  const last = tx
    .selectFrom(table)
    .select(({ fn }) => fn.max('step').as('step'))
    .where('account_id', '=', account_id)
  const place = Number((await last.executeTakeFirst())?.step ?? 0) + 1
  const [first_owner, last_owner] = range.owners
  const [first_time, last_time] = range.times
  const { created, updated } = counts
  await tx
    .insertInto(table)
    .values({ account_id, step: place, ...step, created, updated, first_owner, last_owner, first_time, last_time })
    .execute()
}

/** Of rows and records, which have no times. */
export function rangeOf(owners: readonly number[]): StepRange {
  return { owners: [least(owners), most(owners)], times: [0, 0] }
}

/** What people or the API said about rows: it stays theirs, whichever intake is undone. Nothing is noted where nothing can be undone. */
export async function noteSaid(
  tx: Kysely<Tables>,
  account_id: number,
  kind: 'keyword' | 'page' | 'location',
  touches: readonly RowTouch[],
) {
  if (touches.length === 0 || !(await hasAnySteps(tx, account_id, tableOfSteps(kind)))) return
  const range = rangeOf(touches.map(({ owner }) => owner))
  await addStep(tx, account_id, { intake_id: nobodysIntake, kind, data: Buffer.from(JSON.stringify(touches)), range })
}

/** What people or the API asked for, although an intake may have made it already. */
export async function noteAsked(
  tx: Kysely<Tables>,
  account_id: number,
  kind: 'keyword' | 'subject',
  asked: readonly { readonly id: number }[],
): Promise<void> {
  const ids = asked.map(({ id }) => id)
  if (kind === 'keyword')
    return noteSaid(
      tx,
      account_id,
      kind,
      ids.map((owner) => ({ owner, key: '', before: {} })),
    )
  if (ids.length === 0 || !(await hasAnySteps(tx, account_id, 'intake_steps'))) return
  const data = Buffer.from(JSON.stringify({ made: [], used: ids } satisfies OwnerTouch))
  await addStep(tx, account_id, { intake_id: nobodysIntake, kind: `${kind} ids`, data, range: rangeOf(ids) })
}

/** A column that was set: what it was before, or that it was so already. */
export function wasSaid(column: string, before: Value, after: Value): Pick<RowTouch, 'before' | 'claimed'> {
  return before === after ? { before: {}, claimed: [column] } : { before: { [column]: before } }
}

async function hasAnySteps(tx: Kysely<Tables>, accountId: number, table: StepTable): Promise<boolean> {
  return (await tx.selectFrom(table).select('step').where('account_id', '=', accountId).limit(1).executeTakeFirst()) !== undefined
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((low, one) => Math.min(low, one), Number.MAX_SAFE_INTEGER)
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((high, one) => Math.max(high, one), 0)
}
