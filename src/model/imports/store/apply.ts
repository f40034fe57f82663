/** The second half of an import: stores the accepted records, in batches or in one transaction. */

import { setImmediate as otherWork } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { collectGarbage } from '../../../lib/idle-memory.ts'
import { withParameters } from '../../../resources/imports/import-fault.ts'
import type { ObservationKind } from '../../../resources/observation.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { allSeries } from '../../../store/series.ts'
import { lockMeasuredVersions, lockReportVersions } from '../../core/report-version.ts'
import type { Managing } from '../../core/tenancy.ts'
import { parts, ReferenceGone, rowsPerWrite } from '../batches.ts'
import type { ImportCheck } from '../check/check.ts'
import { Journal } from '../journal/journal.ts'
import { beginIntake, beginStoring, endIntake, type IntakeAbout } from '../journal/record-intake.ts'
import type { SubjectRef } from '../refs.ts'
import { type RowKindName, rowKindNames } from '../spools.ts'
import { type Counts, ImportCounts } from '../summary.ts'
import type { Applying } from './applying.ts'
import { codeSources, type SourceCodes } from './code-sources.ts'
import { codeRankedUrls } from './code-urls.ts'
import { countSteps } from './count-steps.ts'
import { createOwners, learnPageIds } from './create-missing.ts'
import { applyRows, rowsByAccount } from './rows.ts'
import { applySeries } from './series.ts'

export interface ApplyOptions {
  readonly about: IntakeAbout
  readonly inOneTransaction: boolean
  /** The intake that is already recorded; without it, a new one is recorded. */
  readonly intake?: { readonly id: number; readonly isResumed: boolean }
  readonly progress?: (done: number) => void
  readonly betweenWrites?: () => Promise<void>
}

/** More than a push may have, because a collection takes some tens of milliseconds. */
const linesOfLargeImport = 500_000

/** The intake under which the import was stored, and the counts of what it did. */
export interface Applied {
  readonly intakeId: number
  readonly counts: ImportCounts
}

type Steps = Pick<Applying, 'read' | 'write'>

export async function applyImport(caller: Managing, check: ImportCheck, options: ApplyOptions): Promise<Applied> {
  const { store } = caller.app
  const { target } = check.reach
  if (!options.inOneTransaction) {
    const steps: Steps = { read: store.db, write: writesOf(caller, options) }
    // Comes first, because an account may have no code left for another source; then nothing is begun.
    const sources = await codeSources({ caller, ...steps }, check.reach.sources.all)
    const intakeId = await store.write((tx) =>
      options.intake === undefined ? beginIntake(tx, caller, target, options.about) : beginStoring(tx, caller, options.intake.id),
    )
    const applied = await applyAll(applying(caller, check, intakeId, options, steps), check, sources).catch((error: unknown) => {
      throw error instanceof ReferenceGone ? new ReferenceGone(intakeId) : error
    })
    // What was stored before the process was killed now counts as unchanged; only the journal knows that it was created.
    const counts = options.intake?.isResumed ? await countSteps(caller, check, intakeId) : applied
    await store.write((tx) => endIntake(tx, caller, target, intakeId, toldOf(caller, check, counts), options.intake === undefined))
    return { intakeId, counts }
  }
  return store.write(async (tx) => {
    // The only place where several accounts share a transaction. All are locked at once and in order, so that two such imports cannot deadlock.
    const accounts = check.reach.sites.map(({ account_id }) => account_id)
    await lockReportVersions(store, tx, accounts)
    await lockMeasuredVersions(store, tx, accounts)
    const steps: Steps = { read: tx, write: stepsWithin(tx) }
    const sources = await codeSources({ caller, ...steps }, check.reach.sources.all)
    const intakeId = await beginIntake(tx, caller, target, options.about)
    const counts = await applyAll(applying(caller, check, intakeId, options, steps), check, sources)
    await endIntake(tx, caller, target, intakeId, toldOf(caller, check, counts), true)
    return { intakeId, counts }
  }, 'slow')
}

function toldOf(caller: Managing, { accepted, reach }: ImportCheck, counts: ImportCounts) {
  const { notices } = reach.plain
  return { kinds: counts.by(accepted), notices: caller.kind === 'partner' ? notices.map(withParameters) : notices }
}

function writesOf({ app: { store } }: Managing, { betweenWrites }: ApplyOptions): Applying['write'] {
  if (betweenWrites === undefined) return (step) => store.write(step)
  return async (step) => {
    const result = await store.write(step)
    await betweenWrites()
    return result
  }
}

/** All steps in one transaction: whoever stops the import is heard between two of them, as between two commits. */
export function stepsWithin(tx: Kysely<Tables>): Applying['write'] {
  return async (step) => {
    const result = await step(tx)
    await otherWork()
    return result
  }
}

function applying(caller: Managing, { reach, spools }: ImportCheck, intakeId: number, { progress }: ApplyOptions, steps: Steps): Applying {
  const counts = new ImportCounts()
  let done = 0
  const count = (kind: ObservationKind, some: Partial<Counts>) => {
    counts.add(kind, some)
    done += (some.created ?? 0) + (some.updated ?? 0) + (some.unchanged ?? 0)
    progress?.(done)
  }
  return { caller, reach, spools, counts, journal: new Journal(intakeId), ...steps, count }
}

async function applyAll(work: Applying, check: ImportCheck, sources: SourceCodes): Promise<ImportCounts> {
  await createOwners(work)
  await rememberPlain(work)
  // The phrases are not needed any more, and storing the figures should not come on top of them.
  if (check.lines > linesOfLargeImport) collectGarbage()
  return applyRecords(work, check, sources)
}

/** The sites have their ids now. What another import has remembered meanwhile stays. */
async function rememberPlain({ reach, journal, write }: Applying): Promise<void> {
  for (const some of parts(reach.plain.rows(journal.intakeId)))
    await write((tx) =>
      tx
        .insertInto('plain_series')
        .values(some)
        .onConflict((taken) => taken.columns(['site_id', 'engine', 'locale']).doNothing())
        .execute(),
    )
}

/** Stores all records except those that only say that something exists. */
export async function applyRecords(work: Applying, { accepted }: ImportCheck, sources: SourceCodes): Promise<ImportCounts> {
  for (const kind of rowKindNames) {
    await applyRowKind(work, kind)
    if (kind === 'page') await learnPageIds(work)
  }
  work.counts.countKnown(accepted)
  const codes = { ...sources, urls: await codeRankedUrls(work) }
  for (const kind of allSeries) await applySeries(work, kind, codes)
  return work.counts
}

async function applyRowKind(work: Applying, kind: RowKindName): Promise<void> {
  for (const block of work.spools.rows[kind].blocks(rowsPerWrite)) {
    for (const [accountId, some] of rowsByAccount(work.reach, kind, block)) {
      const counts = await work.write((tx) => (kind === 'page' ? applyPages : applyRows)(work, tx, kind, accountId, some))
      // New competitors and keywords were already counted when they were created.
      work.count(kind, kind === 'competitor' || kind === 'keyword' ? { updated: counts.updated } : counts)
    }
  }
}

/** Pages belong to the location of their site. If it was deleted since the locations were stored, it is created again in the transaction that stores the pages. */
async function applyPages(...[work, tx, kind, accountId, pages]: Parameters<typeof applyRows>): Promise<Counts> {
  if (work.samples === undefined) {
    const sites = new Set(pages.map(({ owner }) => (work.reach.subjects[owner] as SubjectRef).site.index))
    const locations = [...sites].map((owner) => ({ owner, values: {} }))
    const { created } = await applyRows(work, tx, 'location', accountId, locations)
    work.count('location', { created })
  }
  return applyRows(work, tx, kind, accountId, pages)
}
