/** Takes one step of an intake back and forgets it, in one transaction, so that an interrupted undo is completed by running it again. */

import type { Kysely } from 'kysely'
import { wordsOf } from '../../../store/packed-months.ts'
import type { IntakeStepRow } from '../../../store/rows/intakes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { isSeriesName, type SeriesName, series } from '../../../store/series.ts'
import { lockMeasuredVersions, lockReportVersions, renewMeasuredVersions, renewReportVersions } from '../../core/report-version.ts'
import { type OwnerTouch, type RowTouch, type StepTable, stepTables } from '../../core/steps.ts'
import type { Managing } from '../../core/tenancy.ts'
import { type RowStep, unpackSeries } from '../../imports/journal/earlier-steps.ts'
import type { OwnerKind, StepKind } from '../../imports/journal/journal.ts'
import type { RowKindName } from '../../imports/spools.ts'
import { undoRowsByValue } from './earlier-rows.ts'
import { undoSeriesByValue } from './earlier-series.ts'
import { undoEntries } from './entries.ts'
import type { Asked } from './later-steps.ts'
import { undoRecords } from './records.ts'
import type { StepOutcome } from './step-outcome.ts'
import { undoTouches } from './touches.ts'
import type { How } from './trial.ts'

interface StepPlace {
  readonly table: StepTable
  readonly step: number
  readonly kind: string
}

/** What hangs on other records goes before these, and of one kind the last step first. */
export async function stepsOf(db: Kysely<Tables>, accountId: number, intakeId: number): Promise<StepPlace[]> {
  const steps: StepPlace[] = []
  for (const table of stepTables) {
    const rows = db.selectFrom(table).select(['step', 'kind']).where('account_id', '=', accountId).where('intake_id', '=', intakeId)
    steps.push(...(await rows.execute()).map((row) => ({ table, ...row })))
  }
  return steps.sort((a, b) => rankOf(a.kind) - rankOf(b.kind) || b.step - a.step)
}

/** From what hangs on others to what others hang on; everything else comes first. */
const ranked = ['page', 'keyword ids', 'location', 'subject ids', 'site ids', 'business ids']

function rankOf(kind: string): number {
  return ranked.indexOf(kind)
}

const none: StepOutcome = { undone: 0, left: [] }

/** Reads only. */
export async function tryStep(
  caller: Managing,
  db: Kysely<Tables>,
  accountId: number,
  intakeId: number,
  { table, step }: StepPlace,
  how: How,
): Promise<StepOutcome> {
  const steps = db.selectFrom(table).selectAll().where('account_id', '=', accountId).where('intake_id', '=', intakeId)
  const read = await steps.where('step', '=', step).where('last_owner', 'is not', null).executeTakeFirst()
  return read === undefined ? none : revertByVersion(caller, db, read, how)
}

export function undoStep(
  caller: Managing,
  accountId: number,
  intakeId: number,
  { table, step }: StepPlace,
  how: How,
): Promise<StepOutcome> {
  const { store } = caller.app
  const isMeasured = table === 'intake_steps'
  return store.write(async (tx) => {
    await (isMeasured ? lockMeasuredVersions : lockReportVersions)(store, tx, [accountId])
    const taken = await tx
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where('intake_id', '=', intakeId)
      .where('step', '=', step)
      .returningAll()
      .executeTakeFirst()
    if (taken === undefined) return none
    const outcome = await (taken.last_owner === null ? revertByValue(caller, tx, taken) : revertByVersion(caller, tx, taken, how))
    if (outcome.undone > 0) await (isMeasured ? renewMeasuredVersions : renewReportVersions)(tx, [accountId])
    return outcome
  })
}

function revertByVersion(caller: Managing, tx: Kysely<Tables>, taken: IntakeStepRow, how: How): Promise<StepOutcome> {
  const kind = taken.kind as StepKind
  const asked: Asked = {
    accountId: taken.account_id,
    kind,
    after: taken.step,
    ...(how.trial !== undefined && { besides: taken.intake_id }),
    owners: [taken.first_owner ?? 0, taken.last_owner ?? 0],
    times: [taken.first_time ?? 0, taken.last_time ?? 0],
  }
  if (isSeriesName(kind)) return ofRecord(kind, undoEntries(tx, asked, series[kind], taken.data, how.trial), true)
  if (isOwnerStep(kind)) {
    const { made, since = taken.step } = read(taken) as OwnerTouch
    return undoRecords(caller, tx, taken.account_id, ownerKindOf(kind), made, { intakeId: taken.intake_id, since }, how)
  }
  return undoTouches(caller, tx, asked, kind, read(taken) as RowTouch[], how)
}

/** A step of an earlier version: what is as the intake left it goes, but for what was delivered later by an intake of this version. */
function revertByValue(caller: Managing, tx: Kysely<Tables>, taken: IntakeStepRow): Promise<StepOutcome> {
  const kind = taken.kind as StepKind
  const { account_id, intake_id } = taken
  if (isSeriesName(kind)) return ofRecord(kind, undoSeriesByValue(tx, account_id, series[kind], [...unpackSeries(wordsOf(taken.data))]))
  if (isOwnerStep(kind))
    return undoRecords(
      caller,
      tx,
      account_id,
      ownerKindOf(kind),
      read(taken) as number[],
      { intakeId: intake_id, since: 0 },
      { takesPeople: false },
    )
  return undoRowsByValue(caller, tx, account_id, kind, read(taken) as RowStep[])
}

/** What is only a part of a record, as the page of a ranking, is not counted, and left with its record. */
async function ofRecord(kind: SeriesName, outcome: Promise<StepOutcome>, isLeftWithRecord = false): Promise<StepOutcome> {
  if (kind === series[kind].record) return outcome
  const { undone, left } = await outcome
  return { undone, left: isLeftWithRecord ? [] : left, isPart: true }
}

type OwnerStepKind = `${OwnerKind} ids`

function isOwnerStep(kind: OwnerStepKind | RowKindName): kind is OwnerStepKind {
  return kind.endsWith(' ids')
}

function ownerKindOf(kind: OwnerStepKind): OwnerKind {
  return kind.slice(0, -4) as OwnerKind
}

function read({ data }: IntakeStepRow): unknown {
  return JSON.parse(Buffer.from(data).toString())
}
