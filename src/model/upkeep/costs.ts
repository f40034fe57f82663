/** Measures what rankings cost on this installation: written day by day into a scratch database, imported at once, and read as reports. */

import { availableParallelism } from 'node:os'
import type { Settings } from '../../config.ts'
import { draftOf } from '../../fields/read.ts'
import { dayNumber, dayText } from '../../lib/time/days.ts'
import { newBusiness } from '../../resources/business.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { openScratch } from '../../store/scratch.ts'
import { type App, openApp } from '../core/app.ts'
import type { OperatorCaller, PartnerCaller } from '../core/caller.ts'
import { readNdjson } from '../imports/formats.ts'
import { importObservations } from '../imports/import.ts'
import { createBusiness } from '../partners/businesses.ts'
import { createPartner } from '../partners/partners.ts'
import { createSite } from '../partners/sites.ts'
import { type ReportQuestion, wholeSeoReport } from '../reports/question.ts'
import { openReport } from '../reports/thread/thread.ts'
import { reportVersion } from '../reports/version.ts'

/** All values are measured, none is assumed. */
export interface Costs {
  readonly rankings: number
  readonly page_bytes: number
  /** After writing day by day, including indexes. */
  readonly bytes_a_ranking: number
  readonly bytes_a_keyword: number
  /** The journal by which an import can be undone, which is kept for MARQUEE_KEEP_INTAKES_DAYS. */
  readonly journal_bytes_a_ranking: number
  readonly imported_a_second: number
  readonly report_milliseconds: number
  readonly reported_a_second: number
  readonly report_bytes_a_ranking: number
  readonly cores: number
}

const sites = 3
const keywords = 100
const days = 30
const firstDay = dayNumber('2026-09-01')
const rounds = 5

export async function measureCosts(settings: Settings, engines: number): Promise<Costs> {
  const scratch = await openScratch(settings)
  try {
    const secretFile = scratch.address.databaseUrl === undefined ? undefined : settings.secretFile
    const app = await openApp({ ...settings, ...scratch.address, secretFile, replicaUrl: undefined }, { schema: 'bring up' })
    // The report threads alone do not keep the process alive.
    const staying = setInterval(() => {}, 60_000)
    try {
      return await measure(app, engines)
    } finally {
      clearInterval(staying)
      await app.close()
    }
  } finally {
    await scratch.remove()
  }
}

async function measure(app: App, engines: number): Promise<Costs> {
  const operator: OperatorCaller = { kind: 'operator', app, requestId: 'simulate' }
  const { partner, account } = await createPartner(operator, 'Simulated')
  const business = await createBusiness(operator, draftOf(newBusiness, { name: 'Simulated', account_id: account.id }))
  const siteIds: number[] = []
  for (let site = 0; site < sites; site += 1) siteIds.push((await createSite(operator, business.id, domainOf(site))).id)
  const store = (first: number, count: number) => importDays(operator, partner.id, engines, first, count)
  const before = await app.store.engine.tableSizes()
  for (let day = 0; day < days; day += 1) await store(day, 1)
  const after = await app.store.engine.tableSizes()
  const rankings = sites * keywords * engines * days
  const grown = (...tables: (keyof Tables)[]) =>
    tables.reduce((sum, table) => sum + (after.bytes.get(table) ?? 0) - (before.bytes.get(table) ?? 0), 0)
  const seconds = await secondsOf(() => store(days, days))
  const reader: Reader = { app, partnerId: partner.id }
  return {
    rankings,
    page_bytes: after.pageBytes,
    bytes_a_ranking: grown('ranking_months') / rankings,
    bytes_a_keyword: grown('keywords') / (sites * keywords),
    journal_bytes_a_ranking: grown('intakes', 'intake_steps') / rankings,
    imported_a_second: rankings / seconds,
    ...(await measureReports(reader, siteIds, rankings * 2)),
    cores: availableParallelism(),
  }
}

type Reader = Pick<PartnerCaller, 'app' | 'partnerId'>

function domainOf(site: number): string {
  return `site-${site}.example`
}

async function importDays(operator: OperatorCaller, partnerId: number, engines: number, first: number, count: number): Promise<void> {
  const bytes = (async function* () {
    for (let day = first; day < first + count; day += 1) yield Buffer.from(linesOf(day, engines))
  })()
  await importObservations(operator, { partnerId }, readNdjson(bytes), { createMissing: true })
}

function linesOf(day: number, engines: number): string {
  const lines: string[] = []
  for (let site = 0; site < sites; site += 1)
    for (let keyword = 0; keyword < keywords; keyword += 1)
      for (let engine = 0; engine < engines; engine += 1)
        lines.push(
          JSON.stringify({
            type: 'ranking',
            site: domainOf(site),
            phrase: `keyword phrase ${keyword}`,
            search_engine: `Engine ${engine + 1}`,
            locale: 'en-us',
            ranked_at: `${dayText(firstDay + day)} 04:${String(keyword % 60).padStart(2, '0')}:00`,
            rank: 1 + ((site + keyword * 7 + day * (engine + 1)) % 100),
          }),
        )
  return `${lines.join('\n')}\n`
}

type ReportCosts = Pick<Costs, 'report_milliseconds' | 'reported_a_second' | 'report_bytes_a_ranking'>

/** A report without rankings gives the base cost, and one with all rankings the cost of each. */
async function measureReports(reader: Reader, siteIds: readonly number[], rankings: number): Promise<ReportCosts> {
  const all = { ...wholeSeoReport, siteIds }
  const none = { ...all, startDate: '2020-01-01', endDate: '2020-01-01' }
  const [empty, full] = [await medianReport(reader, none), await medianReport(reader, all)]
  return {
    report_milliseconds: empty.milliseconds,
    reported_a_second: (rankings * 1000) / Math.max(0.1, full.milliseconds - empty.milliseconds),
    report_bytes_a_ranking: (full.bytes - empty.bytes) / rankings,
  }
}

async function medianReport(reader: Reader, asked: ReportQuestion): Promise<{ bytes: number; milliseconds: number }> {
  const taken: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round += 1) {
    const beganAt = performance.now()
    bytes = await readReport(reader, asked)
    taken.push(performance.now() - beganAt)
  }
  return { bytes, milliseconds: taken.toSorted((one, other) => one - other)[rounds >> 1] as number }
}

async function readReport(reader: Reader, asked: ReportQuestion): Promise<number> {
  const { chunks } = await openReport(reader, asked, 'identity', await reportVersion(reader, asked))
  let bytes = 0
  for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) {
    bytes += chunk.length
    chunks.taken(chunk)
  }
  return bytes
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const beganAt = performance.now()
  await work()
  return (performance.now() - beganAt) / 1000
}
