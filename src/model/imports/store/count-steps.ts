/** Counts what an intake did from its journal, which is right even if the work was done in several runs. */

import { wordsOf } from '../../../store/packed-months.ts'
import { isSeriesName, type SeriesName, type SeriesRecord, series } from '../../../store/series.ts'
import type { App } from '../../core/app.ts'
import type { Managing } from '../../core/tenancy.ts'
import { padded } from '../batches.ts'
import type { ImportCheck } from '../check.ts'
import { type OwnerKind, type RowStep, type StepKind, stepTables, unpackSeries } from '../journal.ts'
import type { RowKindName } from '../spools.ts'
import { addCounts, type Counts, ImportCounts, noCounts } from '../summary.ts'

export async function countSteps(caller: Managing, { reach, accepted }: ImportCheck, intakeId: number): Promise<ImportCounts> {
  const found: Found = { counts: new ImportCounts(), parts: new Map() }
  const accounts = new Set(reach.sites.map(({ account_id }) => account_id))
  for (const accountId of accounts) await countStepsOf(caller, accountId, intakeId, found)
  found.counts.countUnchanged(accepted)
  for (const [kind, parts] of found.parts) found.counts.countParts(kind, parts)
  return found.counts
}

interface Found {
  readonly counts: ImportCounts
  /** Parts of records, which are not counted by themselves, as the pages of rankings. */
  readonly parts: Map<SeriesRecord, Counts>
}

async function countStepsOf({ app }: Managing, accountId: number, intakeId: number, found: Found): Promise<void> {
  for (const table of stepTables) {
    const all = app.store.db.selectFrom(table).where('account_id', '=', accountId).where('intake_id', '=', intakeId)
    for (const { step } of await all.select('step').orderBy('step').execute()) {
      // Read one at a time, because together they can be as large as the file.
      const { kind, data } = await all.select(['kind', 'data']).where('step', '=', step).executeTakeFirstOrThrow()
      if (kind === 'subject ids')
        found.counts.add('competitor', { created: await competitorsAmong(app, accountId, JSON.parse(text(data))) })
      else addStep(found, kind as StepKind, Buffer.from(data))
    }
  }
}

function text(data: Uint8Array): string {
  return Buffer.from(data).toString()
}

function addStep(found: Found, kind: StepKind, data: Buffer): void {
  const { counts } = found
  if (isSeriesName(kind)) addSeries(found, kind, seriesCounts(kind, data))
  else if (kind.endsWith(' ids')) addOwners(counts, kind.slice(0, -4) as OwnerKind, JSON.parse(data.toString()))
  else addRows(counts, kind as RowKindName, JSON.parse(data.toString()))
}

function addSeries({ counts, parts }: Found, name: SeriesName, found: Partial<Counts>): void {
  const { record } = series[name]
  if (name === record) counts.add(record, found)
  else addCounts(parts.get(record) ?? partsOf(parts, record), found)
}

function partsOf(parts: Found['parts'], record: SeriesRecord): Counts {
  const none = noCounts()
  parts.set(record, none)
  return none
}

function seriesCounts(kind: SeriesName, data: Buffer): Omit<Counts, 'unchanged'> {
  const { words } = series[kind].layout
  let [created, updated] = [0, 0]
  for (const step of unpackSeries(wordsOf(data))) {
    created += step.created.length / words
    updated += step.updated.length / (2 * words)
  }
  return { created, updated }
}

/** Counts the subjects that are competitors. */
async function competitorsAmong({ store }: App, accountId: number, ids: readonly number[]): Promise<number> {
  const subjects = store.db.selectFrom('subjects').select('id').where('account_id', '=', accountId).where('id', 'in', padded(ids))
  return (await subjects.where('domain', '!=', '').execute()).length
}

/** Businesses are not records of an import, so they are not counted. */
function addOwners(counts: ImportCounts, kind: OwnerKind, ids: readonly number[]): void {
  if (kind === 'site' || kind === 'keyword') counts.add(kind, { created: ids.length })
}

/** New competitors and keywords are counted when they are created. */
function addRows(counts: ImportCounts, kind: RowKindName, steps: readonly RowStep[]): void {
  const fresh = steps.filter(({ before }) => before === null).length
  const isOwner = kind === 'competitor' || kind === 'keyword'
  counts.add(kind, { created: isOwner ? 0 : fresh, updated: steps.length - fresh })
}
