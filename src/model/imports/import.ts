/** Imports: everything is checked first, then applied in batches; running the same import again finishes or repeats it without harm. */

import { setImmediate as otherWork } from 'node:timers/promises'
import { notFound } from '../../lib/failures.ts'
import type { ObservationKind } from '../../resources/observation.ts'
import { accountsWithin, type Managing, sitesWithin } from '../core/tenancy.ts'
import { ImportCheck, type ImportLine } from './check.ts'
import { createOwners, learnPageIds } from './create-missing.ts'
import { References, type Target } from './references.ts'
import { applyRows, rowsByAccount } from './rows.ts'
import { applySeries } from './series.ts'
import { codeSources } from './sources.ts'
import { type RowKindName, rowKindNames } from './spools.ts'
import { ImportCounts, type ImportSummary } from './summary.ts'

export interface ImportOptions {
  /** Create the sites, competitors, keywords and pages that lines refer to. */
  readonly createMissing?: boolean
  /** Check only. */
  readonly isDryRun?: boolean
  /** Apply what is good although something else was refused. */
  readonly takeGood?: boolean
  /** Told now and then how many lines are checked, then how many records are applied. */
  readonly progress?: (stage: 'check' | 'apply', done: number) => void
}

const rowsPerWrite = 1000

export async function importObservations(
  caller: Managing,
  target: Target,
  arrivals: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const reach = new References(caller, target)
  const check = await new ImportCheck(reach, { createMissing: options.createMissing ?? false }).open()
  try {
    for await (const batch of arrivals) {
      await check.take(batch)
      options.progress?.('check', check.lines)
      await otherWork()
    }
    const isApplied = !options.isDryRun && (check.refused === 0 || (options.takeGood ?? false))
    const tally = new ImportCounts()
    if (isApplied) await apply(caller, check, tally, options)
    return { lines: check.lines, refused: check.refused, faults: check.faults, isApplied, kinds: tally.by(check.accepted) }
  } finally {
    check.spools.close()
  }
}

/** The target an operator or partner names, found through the caller. */
export async function findTarget(caller: Managing, named: { partner?: number; account?: number; site?: number }): Promise<Target> {
  if (named.site !== undefined) return siteTarget(caller, named.site)
  if (named.account !== undefined) return accountTarget(caller, named.account)
  const partnerId = caller.kind === 'partner' ? caller.partnerId : (named.partner ?? notFound('partner'))
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

async function apply(
  caller: Managing,
  { reach, spools, accepted }: ImportCheck,
  tally: ImportCounts,
  options: ImportOptions,
): Promise<void> {
  const { store, clock } = caller.app
  let done = 0
  const count = (kind: ObservationKind) => (counts: Parameters<ImportCounts['add']>[1]) => {
    tally.add(kind, counts)
    done += (counts.created ?? 0) + (counts.updated ?? 0) + (counts.unchanged ?? 0)
    options.progress?.('apply', done)
  }
  const rows = async (kind: RowKindName) => {
    for (const block of spools.rows[kind].blocks(rowsPerWrite)) {
      for (const [accountId, some] of rowsByAccount(reach, kind, block)) {
        const counts = await store.write((tx) => applyRows(store, tx, reach, kind, accountId, some, clock.now()))
        // Competitors have been created and counted with the other owners; only an earlier time of creation is news.
        count(kind)(kind === 'competitor' ? { updated: counts.updated, unchanged: -counts.updated } : counts)
        await otherWork()
      }
    }
  }
  await createOwners(caller, reach, spools, tally)
  tally.countKnown(accepted)
  for (const kind of rowKindNames) {
    await rows(kind)
    if (kind === 'page') await learnPageIds(store.db, reach.pages)
  }
  const sources = await codeSources(store, reach.sources.all)
  const now = Math.floor(Date.parse(clock.now()) / 1000)
  await applySeries(store, reach, spools, 'ranking', sources, now, count('ranking'))
  await applySeries(store, reach, spools, 'review_count', sources, now, count('review_count'))
}
