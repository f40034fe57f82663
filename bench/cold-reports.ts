/** Reports that are in nobody's memory, from the request to the last byte. */
import { startPostgres } from '../test/support/postgres.ts'
import { type Ask, type Client, startClient } from './client.ts'
import { type Desk, openDesk } from './desk.ts'
import { compare, type Line, line, missing, timed } from './measure.ts'
import { openPlainPostgres } from './plain-postgres.ts'
import { openPlainRows, type Report } from './plain-rows.ts'
import { addAccount, usualSize } from './world.ts'

const rounds = 15
/** A service runs for weeks: its code is quick after some sixty reports, and the rows are read as often. */
const warmUp = 15

export async function coldReports(): Promise<Line[]> {
  return [...(await onSqlite()), ...(await onPostgres())]
}

async function onSqlite(): Promise<Line[]> {
  const { desk, accountId, report } = await openBench()
  const client = startClient()
  const rows = openPlainRows(report)
  const cold = (path: string, headers?: Record<string, string>) => fresh(desk, client, accountId, desk.ask(path, headers))
  const taken = await compare(
    {
      xml: () => cold('/api/seo_report.xml'),
      text: () => timed(rows.readText),
      lean: () => timed(rows.readLean),
      json: () => cold('/api/seo_report.json'),
      usual: () => timed(rows.stringify),
      zstd: () => cold('/api/seo_report.xml', { 'accept-encoding': 'zstd' }),
      gzip: () => cold('/api/seo_report.xml', { 'accept-encoding': 'gzip' }),
    },
    rounds,
    warmUp,
  )
  client.stop()
  rows.close()
  await desk.close()
  const from = { unit: 'ms' } as const
  return [
    line({
      ...from,
      work: 'cold XML from SQLite',
      ours: taken.xml,
      against: 'raw read of clustered rows with text columns',
      theirs: taken.text,
      goal: '<= 1.2',
    }),
    line({ ...from, work: 'cold XML from SQLite', ours: taken.xml, against: 'raw read of lean coded rows', theirs: taken.lean, goal: '' }),
    line({
      ...from,
      work: 'cold JSON from SQLite',
      ours: taken.json,
      against: 'rows, tree, JSON.stringify',
      theirs: taken.usual,
      goal: '<= 0.5',
    }),
    line({ ...from, work: 'cold XML with zstd', ours: taken.zstd, against: 'without', theirs: taken.xml, goal: '<= 1.25' }),
    line({ ...from, work: 'cold XML with gzip', ours: taken.gzip, against: 'without', theirs: taken.xml, goal: '<= 1.6' }),
  ]
}

async function onPostgres(): Promise<Line[]> {
  const postgres = await startPostgres()
  const { desk, accountId, report } = await openBench(postgres.url)
  const client = startClient()
  const rows = await openPlainPostgres(postgres.url, report)
  const taken = await compare(
    {
      xml: () => fresh(desk, client, accountId, desk.ask('/api/seo_report.xml')),
      lean: () => timed(rows.read),
      xmlagg: () => timed(rows.xmlagg),
      xmlaggInLines: () => (rows.canWriteLines ? timed(rows.xmlaggInLines) : Number.NaN),
    },
    rounds,
    warmUp,
  )
  client.stop()
  await rows.close()
  await desk.close()
  await postgres.stop()
  const inLines = "PostgreSQL's own xmlagg, the same document"
  const from = { work: 'cold XML from PostgreSQL', unit: 'ms', ours: taken.xml } as const
  return [
    line({ ...from, against: 'raw read of lean rows through pg', theirs: taken.lean, goal: '<= 1.0' }),
    rows.canWriteLines
      ? line({ ...from, against: inLines, theirs: taken.xmlaggInLines, goal: '>= 15x' })
      : missing(from.work, inLines, 'this PostgreSQL cannot write lines', '>= 15x'),
    line({ ...from, against: 'the same on one line, half the bytes', theirs: taken.xmlagg, goal: '' }),
  ]
}

/** The service with the usual world, and that world's report as a tree. */
export async function openBench(databaseUrl?: string): Promise<{ desk: Desk; accountId: number; report: Report }> {
  let accountId = 0
  const desk = await openDesk(async (operator, partnerId) => {
    accountId = await addAccount(operator, partnerId, 'bench', usualSize)
  }, databaseUrl)
  const { url, headers } = desk.ask('/api/seo_report.json')
  return { desk, accountId, report: (await (await fetch(url, { headers })).json()) as Report }
}

async function fresh(desk: Desk, client: Client, accountId: number, ask: Ask): Promise<number> {
  await desk.touch(accountId)
  const { milliseconds, status } = await client.get(ask)
  if (status !== 200) throw new Error(`answered ${status}`)
  return milliseconds
}
