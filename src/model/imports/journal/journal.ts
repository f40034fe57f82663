/** The journal of an import: what each transaction created and changed, so that it can be undone record by record. */

import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { EntryChanges } from '../../../store/packed-changes.ts'
import { bytesOf } from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { SeriesName } from '../../../store/series.ts'
import type { Row, RowKind } from '../row-kinds.ts'
import type { RowKindName } from '../spools.ts'

/** The table that holds the steps of a kind, stored with the data they describe (see placement.ts). */
export type StepTable = 'intake_steps' | 'intake_directory_steps'

/** Records that are created but never changed. */
export type OwnerKind = 'business' | 'site' | 'subject' | 'keyword'

export type StepKind = `${OwnerKind} ids` | RowKindName | SeriesName

/** A row that was created (`before` is null) or changed; `after` is a hash, because it is only compared. */
export interface RowStep {
  readonly owner: number
  readonly key: string
  readonly before: Row | null
  readonly after: string
}

/** The changes of one series. */
export interface SeriesStep {
  readonly owner: number
  readonly created: Uint32Array
  readonly updated: Uint32Array
}

/** How many records a step created and changed. */
export interface StepCounts {
  readonly created: number
  readonly updated: number
}

const directoryKinds: ReadonlySet<StepKind> = new Set<StepKind>(['business ids', 'site ids', 'location'])
/** New competitors and keywords are counted by their ids. */
const countedElsewhere: ReadonlySet<StepKind> = new Set<StepKind>(['competitor', 'keyword'])

export class Journal {
  readonly intakeId: number
  readonly #isResumed: boolean
  readonly #steps = new Map<number, number>()

  /** A resumed journal continues after the steps that were written before the process was killed. */
  constructor(intakeId: number, isResumed = false) {
    this.intakeId = intakeId
    this.#isResumed = isResumed
  }

  /** `records` of them are records: of subjects, the competitors. */
  async keepOwners(tx: Kysely<Tables>, accountId: number, kind: OwnerKind, ids: readonly number[], records = ids.length): Promise<void> {
    if (ids.length > 0) await this.#keep(tx, accountId, `${kind} ids`, Buffer.from(JSON.stringify(ids)), { created: records, updated: 0 })
  }

  async keepRows(tx: Kysely<Tables>, accountId: number, kind: RowKindName, steps: readonly RowStep[], counts: StepCounts): Promise<void> {
    if (steps.length > 0) await this.#keep(tx, accountId, kind, Buffer.from(JSON.stringify(steps)), counts)
  }

  async keepSeries(
    tx: Kysely<Tables>,
    accountId: number,
    kind: SeriesName,
    changes: ReadonlyMap<number, EntryChanges>,
    counts: StepCounts,
  ): Promise<void> {
    const packed = packSeries(changes)
    if (packed.length > 0) await this.#keep(tx, accountId, kind, packed, counts)
  }

  async #keep(tx: Kysely<Tables>, account_id: number, kind: StepKind, data: Buffer, counts: StepCounts): Promise<void> {
    const step = (this.#steps.get(account_id) ?? (await this.#lastStep(tx, account_id))) + 1
    this.#steps.set(account_id, step)
    const table: StepTable = directoryKinds.has(kind) ? 'intake_directory_steps' : 'intake_steps'
    const created = countedElsewhere.has(kind) ? 0 : counts.created
    await tx
      .insertInto(table)
      .values({ account_id, intake_id: this.intakeId, step, kind, data, created, updated: counts.updated })
      .execute()
  }

  async #lastStep(tx: Kysely<Tables>, accountId: number): Promise<number> {
    if (!this.#isResumed) return 0
    const last = await Promise.all(stepTables.map((table) => lastStepIn(tx, table, accountId, this.intakeId)))
    return Math.max(...last)
  }
}

export const stepTables: readonly StepTable[] = ['intake_steps', 'intake_directory_steps']

/** Whether an intake has stored anything in these accounts that was not undone; or an earlier version, whose steps do not say how many records they hold. */
export async function hasSteps(
  db: Kysely<Tables>,
  accountIds: readonly number[],
  intakeId: number,
  which: 'any' | 'uncounted' = 'any',
): Promise<boolean> {
  for (const accountId of accountIds)
    for (const table of stepTables) {
      const steps = db.selectFrom(table).select('step').where('account_id', '=', accountId).where('intake_id', '=', intakeId)
      const found = which === 'any' ? steps : steps.where('created', 'is', null)
      if ((await found.limit(1).executeTakeFirst()) !== undefined) return true
    }
  return false
}

async function lastStepIn(tx: Kysely<Tables>, table: StepTable, accountId: number, intakeId: number): Promise<number> {
  const steps = tx.selectFrom(table).select('step').where('account_id', '=', accountId).where('intake_id', '=', intakeId)
  return (await steps.orderBy('step', 'desc').limit(1).executeTakeFirst())?.step ?? 0
}

/** A hash of the columns that imports write: two rows with the same hash have the same content. */
export function rowHash(kind: RowKind, row: Row): string {
  const told = kind.columns.filter((column) => !kind.later?.includes(column) || (row[column] ?? null) !== null)
  return hash('sha256', JSON.stringify(told.map((column) => row[column] ?? null)), 'base64url').slice(0, 22)
}

const headWords = 4

/** For each series four words (its owner in two of them, then the lengths of both lists), followed by the lists. */
function packSeries(changes: ReadonlyMap<number, EntryChanges>): Buffer {
  const some = [...changes].filter(([, { created, updated }]) => created.length + updated.length > 0)
  const words = new Uint32Array(some.reduce((sum, [, { created, updated }]) => sum + headWords + created.length + updated.length, 0))
  let at = 0
  for (const [owner, { created, updated }] of some) {
    words.set([owner % 2 ** 32, Math.floor(owner / 2 ** 32), created.length, updated.length], at)
    words.set(created.words(), at + headWords)
    words.set(updated.words(), at + headWords + created.length)
    at += headWords + created.length + updated.length
  }
  return bytesOf(words)
}

export function* unpackSeries(words: Uint32Array): Generator<SeriesStep> {
  for (let at = 0; at < words.length; ) {
    const [low = 0, high = 0, created = 0, updated = 0] = words.subarray(at, at + headWords)
    const [first, second, next] = [at + headWords, at + headWords + created, at + headWords + created + updated]
    yield { owner: high * 2 ** 32 + low, created: words.subarray(first, second), updated: words.subarray(second, next) }
    at = next
  }
}
