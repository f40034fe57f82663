/** A month of rankings on PostgreSQL, written day by day and then closed: what it takes, how scattered a site is, and what a cold report costs. */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { readSettings } from '../src/config.ts'
import { draftOf } from '../src/fields/read.ts'
import { type App, openApp } from '../src/model/core/app.ts'
import type { OperatorCaller } from '../src/model/core/caller.ts'
import { readNdjson } from '../src/model/imports/formats.ts'
import { importObservations } from '../src/model/imports/import.ts'
import { createBusiness } from '../src/model/partners/businesses.ts'
import { createPartner } from '../src/model/partners/partners.ts'
import { createSite } from '../src/model/partners/sites.ts'
import { openReport } from '../src/model/reports/open-report.ts'
import { wholeSeoReport } from '../src/model/reports/question.ts'
import { reportVersion } from '../src/model/reports/version.ts'
import { closeMonths } from '../src/model/upkeep/months.ts'
import { newBusiness } from '../src/resources/business.ts'
import {
  findBinaries,
  freePort,
  initialise,
  launch,
  serverIdentity,
  stop,
  type TestPostgres,
  untilReady,
} from '../test/support/postgres.ts'
import { type Line, line, median, timed } from './measure.ts'

const sites = Number(process.env.BENCH_SITES ?? 60)
const [keywords, engines, days] = [50, ['Bing', 'Google', 'Yahoo'], 30] as const
const rankings = sites * keywords * engines.length * days
/** September is over for more than a week. */
const clock = { now: () => '2026-10-20T12:00:00Z' }
const warmUpSites = 8

export async function closedMonths(): Promise<Line[]> {
  const postgres = await startSmallServer()
  try {
    const [daily, bulk] = [await openWorld(postgres, 'daily'), await openWorld(postgres, 'bulk')]
    for (let day = 0; day < days; day += 1) await importDays(daily, day, 1)
    for (let site = 0; site < sites; site += 1) await importDays(bulk, 0, days, site)
    const open = await measure(daily)
    const { longest_lock_milliseconds: locked } = await closeMonths(daily.app, new AbortController().signal)
    const [closed, loaded] = [await measure(daily), await measure(bulk)]
    const cold = await coldReports(postgres.data, daily, bulk)
    for (const { app } of [daily, bulk]) await app.close()
    const work = `${days} days of ${rankings.toLocaleString('en-US')} rankings written day by day`
    return [
      line({ work: `${work}, closed`, unit: 'bytes a ranking', ours: closed.bytes, against: 'the goal', theirs: 10, goal: '<= 1.0' }),
      line({ work: `${work}, closed`, unit: 'bytes a ranking', ours: closed.bytes, against: 'open', theirs: open.bytes, goal: '' }),
      line({ work: `${work}, closed`, unit: 'pages a site-month', ours: closed.pages, against: 'the goal', theirs: 6, goal: '<= 1.0' }),
      line({ work: `${work}, closed`, unit: 'pages a site-month', ours: closed.pages, against: 'open', theirs: open.pages, goal: '' }),
      line({
        work: `${work}, closed`,
        unit: 'pages a site-month',
        ours: closed.pages,
        against: 'loaded at once',
        theirs: loaded.pages,
        goal: '',
      }),
      line({
        work: 'cold report of one site, closed',
        unit: 'ms',
        ours: cold.daily,
        against: 'loaded at once',
        theirs: cold.bulk,
        goal: '<= 1.1',
      }),
      line({
        work: 'others locked out when a month is swapped',
        unit: 'ms',
        ours: locked,
        against: 'the goal',
        theirs: 1_000,
        goal: '<= 1.0',
      }),
    ]
  } finally {
    await postgres.stop()
  }
}

interface BenchWorld {
  readonly app: App
  readonly operator: OperatorCaller
  readonly partnerId: number
  readonly siteIds: readonly number[]
}

async function openWorld({ url }: TestPostgres, database: string): Promise<BenchWorld> {
  await administer(url, `create database ${database}`)
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  const secretFile = join(folder, 'server-secret')
  writeFileSync(secretFile, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
  const address = Object.assign(new URL(url), { pathname: `/${database}` }).href
  const app = await openApp(readSettings({ DATA_DIR: folder, DATABASE_URL: address, MARQUEE_SECRET_FILE: secretFile }), {
    schema: 'bring up',
    clock,
  })
  const operator: OperatorCaller = { kind: 'operator', app, requestId: 'bench' }
  const { partner, account } = await createPartner(operator, 'Bench')
  const business = await createBusiness(operator, draftOf(newBusiness, { name: 'Bench', account_id: account.id }))
  const siteIds: number[] = []
  for (let site = 0; site < sites; site += 1) siteIds.push((await createSite(operator, business.id, domainOf(site))).id)
  return { app, operator, partnerId: partner.id, siteIds }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Rankings of one site, or of all of them, each site in turn as their measuring delivers them. */
async function importDays({ operator, partnerId }: BenchWorld, first: number, count: number, site?: number): Promise<void> {
  const bytes = (async function* () {
    const [from, to] = site === undefined ? [0, sites] : [site, site + 1]
    for (let one = from; one < to; one += 1) for (let day = first; day < first + count; day += 1) yield Buffer.from(linesOf(one, day))
  })()
  await importObservations(operator, { partnerId }, readNdjson(bytes), { createMissing: true })
}

function domainOf(site: number): string {
  return `site-${site}.example`
}

function linesOf(site: number, day: number): string {
  const lines: string[] = []
  for (let keyword = 0; keyword < keywords; keyword += 1)
    for (const search_engine of engines) {
      const ranked_at = `2026-09-${String(day + 1).padStart(2, '0')} 04:${String(keyword % 60).padStart(2, '0')}:00`
      const what = { site: domainOf(site), phrase: `keyword phrase ${keyword}`, search_engine, locale: 'en-us' }
      lines.push(JSON.stringify({ type: 'ranking', ...what, ranked_at, rank: 1 + ((site + keyword * 7 + day) % 100) }))
    }
  return `${lines.join('\n')}\n`
}

async function measure({ app }: BenchWorld): Promise<{ bytes: number; pages: number }> {
  await sql`vacuum analyze`.execute(app.store.db)
  const [month] = (await app.store.engine.months?.sizes()) ?? []
  const { rows } = await sql<{ pages: number }>`
    select avg(pages)::float8 as pages from (
      select count(distinct (m.ctid::text::point)[0]) as pages from ranking_months m
      join keywords k on k.account_id = m.account_id and k.id = m.keyword_id group by k.subject_id
    ) of_subjects`.execute(app.store.db)
  return { bytes: (month?.bytes ?? 0) / rankings, pages: rows[0]?.pages ?? 0 }
}

/** The pages that the system keeps are dropped; the server keeps hardly any. */
function forgetPages(data: string): void {
  execFileSync('sync', ['-f', data])
  execFileSync('find', [join(data, 'base'), '-type', 'f', '-size', '+64k', '-exec', 'dd', 'if={}', 'iflag=nocache', 'count=0', ';'], {
    stdio: 'ignore',
  })
}

/** Sites are asked in turn, one from each database, and never twice. */
async function coldReports(data: string, daily: BenchWorld, bulk: BenchWorld): Promise<{ daily: number; bulk: number }> {
  const taken = { daily: [] as number[], bulk: [] as number[] }
  for (const site of daily.siteIds.keys()) {
    for (const [name, world] of site % 2 === 0
      ? ([
          ['daily', daily],
          ['bulk', bulk],
        ] as const)
      : ([
          ['bulk', bulk],
          ['daily', daily],
        ] as const)) {
      if (site >= warmUpSites) forgetPages(data)
      const milliseconds = await timed(() => readReport(world, world.siteIds[site] as number))
      if (site >= warmUpSites) taken[name].push(milliseconds)
    }
  }
  return { daily: median(taken.daily), bulk: median(taken.bulk) }
}

async function readReport(reader: BenchWorld, siteId: number): Promise<void> {
  const asked = { ...wholeSeoReport, siteIds: [siteId] }
  const { chunks } = await openReport(reader, asked, 'identity', await reportVersion(reader, asked))
  for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) chunks.taken(chunk)
}

interface SmallServer extends TestPostgres {
  readonly data: string
}

/** A server with so little memory of its own that every page comes from the system. */
async function startSmallServer(): Promise<SmallServer> {
  const identity = serverIdentity()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-postgres-'))
  if (identity) chownSync(folder, identity.uid, identity.gid)
  const [bin, data, port] = [findBinaries(folder, identity), join(folder, 'data'), await freePort()]
  initialise(bin, data, identity)
  const server = launch(bin, folder, data, port, identity, { shared_buffers: '1MB' })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url, server)
  return { url, data, stop: () => stop(server) }
}
