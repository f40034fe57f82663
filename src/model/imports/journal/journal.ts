/** The journal of an import: what each transaction created, changed and found as it was, so that it can be undone record by record. */

import type { Kysely } from 'kysely'
import type { EntryChanges } from '../../../store/packed-changes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { type SeriesName, series } from '../../../store/series.ts'
import { packChanges, rangeOfChanges } from '../../core/packed-steps.ts'
import { addStep, type OwnerTouch, type RowTouch, rangeOf, stepTables } from '../../core/steps.ts'
import type { RowKindName } from '../spools.ts'

/** Records that are created but never changed. */
export type OwnerKind = 'business' | 'site' | 'subject' | 'keyword'

export type StepKind = `${OwnerKind} ids` | RowKindName | SeriesName

/** How many records a step created and changed. */
export interface StepCounts {
  readonly created: number
  readonly updated: number
}

/** New competitors and keywords are counted by their ids. */
const countedElsewhere: ReadonlySet<StepKind> = new Set<StepKind>(['competitor', 'keyword'])

export class Journal {
  readonly intakeId: number

  constructor(intakeId: number) {
    this.intakeId = intakeId
  }

  /** `records` of those made are records: of subjects, the competitors. */
  async keepOwners(tx: Kysely<Tables>, accountId: number, kind: OwnerKind, touch: OwnerTouch, records = touch.made.length): Promise<void> {
    const ids = [...touch.made, ...touch.used]
    if (ids.length === 0) return
    const counts = { created: records, updated: 0 }
    await this.#keep(tx, accountId, `${kind} ids`, { data: Buffer.from(JSON.stringify(touch)), range: rangeOf(ids), counts })
  }

  async keepRows(
    tx: Kysely<Tables>,
    accountId: number,
    kind: RowKindName,
    touches: readonly RowTouch[],
    counts: StepCounts,
  ): Promise<void> {
    if (touches.length === 0) return
    const range = rangeOf(touches.map(({ owner }) => owner))
    await this.#keep(tx, accountId, kind, { data: Buffer.from(JSON.stringify(touches)), range, counts })
  }

  async keepSeries(
    tx: Kysely<Tables>,
    accountId: number,
    kind: SeriesName,
    changes: ReadonlyMap<number, EntryChanges>,
    counts: StepCounts,
  ): Promise<void> {
    const range = rangeOfChanges(changes, series[kind].layout)
    if (range !== undefined) await this.#keep(tx, accountId, kind, { data: packChanges(changes, series[kind].layout), range, counts })
  }

  async #keep(
    tx: Kysely<Tables>,
    accountId: number,
    kind: StepKind,
    { data, range, counts: { created, updated } }: { data: Buffer; range: ReturnType<typeof rangeOf>; counts: StepCounts },
  ): Promise<void> {
    const counts = { created: countedElsewhere.has(kind) ? 0 : created, updated }
    await addStep(tx, accountId, { intake_id: this.intakeId, kind, data, range, counts })
  }
}

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
