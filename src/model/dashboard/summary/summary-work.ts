/** Asks reader threads how sites are doing: one in full, or many of them a line each. */

import type { Closable } from '../../../lib/work/concurrency.ts'
import type { ReaderWork } from '../../../readers/messages.ts'
import { askReaders } from '../../../readers/pool.ts'
import type { SiteLine, SiteSummaryRecord } from '../../../resources/figures/summary.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import { idOfCursor, type ListPage } from '../../core/paging.ts'
import type { AskedPeriod } from '../periods/chosen-period.ts'

/** As plain data: a thread has an app of its own. */
type PlainCaller = Omit<PartnerCaller, 'app' | 'repeat'>

interface Common {
  readonly caller: PlainCaller
  readonly period: AskedPeriod
  readonly now: string
}

interface AskedSummary extends Common {
  readonly siteId: number
}

interface AskedLines extends Common {
  /** Null for all accounts that the caller reaches. */
  readonly accountId: number | null
  /** Only sites with a greater id. */
  readonly after: number
  readonly limit: number
}

export const summaryWork: ReaderWork<AskedSummary, SiteSummaryRecord> = { name: 'summary', lane: 'short' }
export const siteLinesWork: ReaderWork<AskedLines, ListPage<SiteLine>> = { name: 'site-lines', lane: 'long' }

export async function readSummary(
  caller: PartnerCaller,
  siteId: number,
  period: AskedPeriod,
  client?: Closable,
): Promise<SiteSummaryRecord> {
  const asked = { caller: plain(caller), siteId, period, now: caller.app.clock.now() }
  const work = await askReaders(caller.app, summaryWork, asked, { party: String(caller.partnerId), ...(client && { client }) })
  return work.begun()
}

interface WantedLines {
  readonly accountId: number | null
  readonly period: AskedPeriod
  readonly after: string | undefined
  readonly limit: number
}

export async function readSiteLines(caller: PartnerCaller, wanted: WantedLines, client?: Closable): Promise<ListPage<SiteLine>> {
  const after = wanted.after === undefined ? 0 : idOfCursor(wanted.after)
  const asked = { ...wanted, caller: plain(caller), after, now: caller.app.clock.now() }
  const work = await askReaders(caller.app, siteLinesWork, asked, { party: String(caller.partnerId), ...(client && { client }) })
  return work.begun()
}

function plain({ app: _, repeat: __, ...caller }: PartnerCaller): PlainCaller {
  return caller
}
