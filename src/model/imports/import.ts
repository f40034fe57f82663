/** Imports check everything first and then store it in batches; running the same import again completes or repeats it without harm. */

import { setImmediate as otherWork } from 'node:timers/promises'
import { notFound, refuse, shownCharacter } from '../../lib/failures.ts'
import { accountsWithin, type Managing, sitesWithin } from '../core/tenancy.ts'
import { countRecords, keylessId } from '../core/use/usage-counts.ts'
import { type CheckOptions, ImportCheck } from './check/check.ts'
import type { DoubledLines } from './check/doubled-keys.ts'
import type { ReadAs } from './check/reading-end.ts'
import { suggestSites } from './check/suggestions.ts'
import { dailyCounts, lookLikeTotals } from './check/totals.ts'
import { previewImport } from './dry-run/preview.ts'
import type { ImportLine } from './import-line.ts'
import type { IntakeAbout } from './journal/record-intake.ts'
import { References } from './references.ts'
import type { SiteToCome, Target } from './refs.ts'
import type { ImportSpools } from './spools.ts'
import { type ApplyOptions, applyImport } from './store/apply.ts'
import { ImportCounts, type ImportSummary } from './summary.ts'

export interface ImportOptions {
  /** Creates the sites, competitors, keywords and pages that lines refer to. */
  readonly createMissing?: boolean
  /** Only checks, and tells what would be done. */
  readonly isDryRun?: boolean
  /** Sites that come while the lines are read; more may be added on the way. */
  readonly sitesToCome?: readonly SiteToCome[]
  /** Stores the accepted records even if others were refused. */
  readonly takeGood?: boolean
  /** Refuses records of one key with other figures; otherwise the last wins. */
  readonly refusesDoubled?: boolean
  /** Reads the same lines once more, so that the others can be stored where some are refused for their keys. */
  readonly again?: () => AsyncIterable<readonly ImportLine[]>
  /** Called with each line that is refused, and why. */
  readonly refused?: CheckOptions['refused']
  /** Says when reading ends early, after which nothing is stored; `file` unless given. */
  readonly readAs?: ReadAs
  /** Stores everything in one transaction, so that readers see all or nothing, even if the process is killed. */
  readonly inOneTransaction?: boolean
  /** Whether review counts are daily counts or running totals. Unless stated, counts that never fall are refused. */
  readonly counts?: 'daily' | 'totals' | 'ask'
  /** Where the import came from; called after everything was read. */
  readonly about?: () => Partial<IntakeAbout>
  /** The intake that is already recorded; `isResumed` if it may have been stored in part. */
  readonly intake?: { readonly id: number; readonly isResumed: boolean }
  /** Called from time to time with the number of lines checked, then of records stored. */
  readonly progress?: (stage: 'check' | 'apply', done: number) => void
  /** Waited for after each transaction, none of which pauses on the way: in a thread of its own, others wait for the lock and not for the event loop. */
  readonly betweenWrites?: () => Promise<void>
}

export async function importObservations(
  caller: Managing,
  target: Target,
  arrivals: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const { check, isStopped } = await checkAll(caller, target, arrivals, options)
  const { reach } = check
  try {
    await reach.plain.settle(caller.app.store.db)
    settleCounts(check.spools, check.hasOwn && options.counts === 'ask' ? 'daily' : (options.counts ?? 'daily'))
    // A push of which every record was refused stores nothing, so it is not recorded as stored.
    const hasGood = check.refused === 0 || (options.takeGood === true && check.accepted.size > 0)
    const isApplied = !options.isDryRun && !isStopped && hasGood
    const applied = isApplied ? await applyImport(caller, check, applyOptions(caller, options)) : undefined
    const previewed = options.isDryRun && !isStopped && hasGood ? await previewImport(caller, check) : undefined
    const kinds = (applied?.counts ?? previewed?.counts ?? new ImportCounts()).by(check.accepted)
    const faults = options.readAs === 'push' ? check.faults : await suggestSites(reach, check.faults)
    const told = { lines: check.lines, refused: check.refused, faults, isApplied, kinds, notices: reach.plain.notices }
    return { ...told, ...(previewed && { preview: previewed.preview }), ...(applied && { intakeId: applied.intakeId }) }
  } finally {
    check.close()
  }
}

interface Checked {
  readonly check: ImportCheck
  /** Whether nothing may be stored. */
  readonly isStopped: boolean
}

/** More lines with doubled keys than this stop an import, because the file is not what its sender means. */
const mostDoubled = 100_000

async function checkAll(
  caller: Managing,
  target: Target,
  arrivals: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions,
  leftOut?: DoubledLines,
): Promise<Checked> {
  const { createMissing = false, refusesDoubled = false, refused, takeGood, again } = options
  const reach = new References(caller, target, options.sitesToCome)
  const check = await new ImportCheck(reach, { createMissing, refusesDoubled, refused, doubled: leftOut }).open()
  try {
    const hasEndedEarly = await readAll(caller, check, arrivals, options, leftOut === undefined)
    const isStopped = hasEndedEarly || (check.hasEnded && options.readAs !== 'push')
    const doubled = check.doubledLines()
    if (doubled === undefined) return { check, isStopped }
    if (again !== undefined && takeGood && !isStopped && doubled.many <= mostDoubled) {
      check.close()
      return checkAll(caller, target, again(), options, doubled)
    }
    check.refuseDoubled(doubled)
    return { check, isStopped: true }
  } catch (error) {
    check.close()
    throw error
  }
}

/** Whether reading ended early. */
async function readAll(
  caller: Managing,
  check: ImportCheck,
  arrivals: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions,
  mayEndEarly: boolean,
): Promise<boolean> {
  for await (const batch of arrivals) {
    await check.take(await refusingUnheld(caller, batch))
    if (mayEndEarly && check.endsEarly(options.readAs ?? (options.takeGood ? 'part' : 'file'))) return true
    options.progress?.('check', check.lines)
    await otherWork()
  }
  return false
}

/** Lines with a character that the database cannot hold are refused by themselves: later they would stop all others, and leave a part stored. */
async function refusingUnheld({ app }: Managing, lines: readonly ImportLine[]): Promise<readonly ImportLine[]> {
  const unheld = await app.store.engine.unheldIn(() => JSON.stringify(lines.map(({ record }) => record)))
  return unheld.size === 0 ? lines : lines.map((line) => unlessUnheld(line, unheld))
}

function unlessUnheld({ record, ...line }: ImportLine, unheld: ReadonlySet<string>): ImportLine {
  for (const [field, value] of Object.entries(record ?? {})) {
    const character = [...(JSON.stringify(value) ?? '')].find((one) => unheld.has(one))
    if (character !== undefined) return { ...line, fault: { field, code: 'unheld', detail: shownCharacter(character) } }
  }
  return { ...line, record }
}

/** By whoever answers for the import: the counts of a thread would be lost with it. */
export function countTaken(
  caller: Managing,
  { partnerId }: Target,
  { isApplied, kinds }: Pick<ImportSummary, 'isApplied' | 'kinds'>,
): void {
  if (!isApplied) return
  const records = Object.values(kinds).reduce((sum, { created, updated, unchanged }) => sum + created + updated + unchanged, 0)
  countRecords(caller.app, { partner_id: partnerId, key_id: caller.kind === 'partner' ? caller.keyId : keylessId }, records)
}

/** Finds the target that an operator or partner names, within what the caller reaches. */
export async function findTarget(caller: Managing, named: { partner?: number; account?: number; site?: number }): Promise<Target> {
  if (named.site !== undefined) return siteTarget(caller, named.site)
  if (named.account !== undefined) return accountTarget(caller, named.account)
  if (caller.kind === 'partner' && caller.accountIds?.length === 1) return accountTarget(caller, caller.accountIds[0] as number)
  if (caller.kind === 'staff' && caller.customers === 'assigned') return notFound('account')
  const partnerId = caller.kind === 'operator' ? (named.partner ?? notFound('partner')) : caller.partnerId
  const found = await caller.app.store.db.selectFrom('partners').select('id').where('id', '=', partnerId).executeTakeFirst()
  return { partnerId: found?.id ?? notFound('partner') }
}

async function siteTarget(caller: Managing, id: number): Promise<Target> {
  const site = (await sitesWithin(caller).select('account_id').where('id', '=', id).executeTakeFirst()) ?? notFound('site')
  return { ...(await accountTarget(caller, site.account_id)), siteId: id }
}

async function accountTarget(caller: Managing, id: number): Promise<Target> {
  const account = (await accountsWithin(caller).select('partner_id').where('id', '=', id).executeTakeFirst()) ?? notFound('account')
  return { partnerId: account.partner_id, accountId: id }
}

function settleCounts(spools: ImportSpools, counts: 'daily' | 'totals' | 'ask'): void {
  if (counts === 'totals') spools.series.review_count = dailyCounts(spools.series.review_count)
  if (counts === 'ask' && lookLikeTotals(spools.series.review_count))
    refuse('bad_request', 'The review counts never fall, as running totals do not: say --counts-are-totals, or --counts-are-daily')
}

function applyOptions(caller: Managing, { inOneTransaction = false, progress, about, intake, betweenWrites }: ImportOptions): ApplyOptions {
  const via = caller.kind === 'partner' ? 'push' : 'import'
  const told = progress && { progress: (done: number) => progress('apply', done) }
  return { about: { via, ...about?.() }, inOneTransaction, ...told, ...(intake && { intake }), ...(betweenWrites && { betweenWrites }) }
}
