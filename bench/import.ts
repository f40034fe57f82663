/** Imports against bare inserts of the same rankings, in one run: `node bench/import.ts [lines]`. Their memory: `npm run hard:imports -- lines`. */

import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { operatorOn } from '../src/cli/command.ts'
import { readSettings } from '../src/config.ts'
import { withBoundedYoungGeneration } from '../src/lib/process-memory.ts'
import { openApp } from '../src/model/core/app.ts'
import { readNdjson } from '../src/model/imports/formats.ts'
import { importObservations } from '../src/model/imports/import.ts'
import { createPartner } from '../src/model/partners/partners.ts'
import { type EngineName, freshPlace } from '../test/support/engines.ts'
import { startPostgres } from '../test/support/postgres.ts'

const lines = Number(process.argv[2] ?? 300_000)
const rounds = 3
const engines = ['Google', 'Bing', 'Yahoo']
const keywordsPerSite = 20
const sites = Math.max(10, Math.round(lines / 2500))
const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
const file = join(folder, 'rankings.ndjson')

const postgres = await startPostgres()
process.env.TEST_POSTGRES_URL = postgres.url
try {
  await writeLines()
  await compareSpeed()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}

interface Row {
  readonly site: number
  readonly keyword: number
  readonly engine: number
  readonly day: number
  readonly rank: number
}

/** Day by day over all sites, as rankings come in life. */
function* rows(): Generator<Row> {
  for (let number = 0; number < lines; number++) {
    const engine = number % engines.length
    const keyword = Math.floor(number / engines.length) % keywordsPerSite
    const site = Math.floor(number / engines.length / keywordsPerSite) % sites
    const day = Math.floor(number / engines.length / keywordsPerSite / sites)
    yield { site, keyword, engine, day, rank: ((site * 31 + keyword * 7 + day * 3) % 100) + 1 }
  }
}

function timeOf(day: number): number {
  return Date.UTC(2026, 0, 1 + day, 4, 5, 6) / 1000
}

async function writeLines(): Promise<void> {
  const out = createWriteStream(file)
  let text = ''
  for (const { site, keyword, engine, day, rank } of rows()) {
    const ranked_at = new Date(timeOf(day) * 1000).toISOString().slice(0, 19).replace('T', ' ')
    text += `${JSON.stringify({ type: 'ranking', site: `site${site}.example`, phrase: `keyword number ${keyword} of many`, search_engine: engines[engine], locale: 'en-us', ranked_at, rank })}\n`
    if (text.length < 1 << 20) continue
    if (!out.write(text)) await once(out, 'drain')
    text = ''
  }
  out.end(text)
  await once(out, 'finish')
}

async function compareSpeed(): Promise<void> {
  const rates: Record<'sqliteImport' | 'sqliteBare' | 'postgresImport' | 'postgresBare', number[]> = {
    sqliteImport: [],
    sqliteBare: [],
    postgresImport: [],
    postgresBare: [],
  }
  for (let round = 0; round < rounds; round++) {
    rates.sqliteBare.push(await timed(bareSqlite))
    rates.sqliteImport.push(await timed(() => importInto('sqlite')))
    rates.postgresBare.push(await timed(barePostgres))
    rates.postgresImport.push(await timed(() => importInto('postgres')))
  }
  for (const [name, all] of Object.entries(rates))
    console.log(`${name.padEnd(15)} ${all.map((rate) => Math.round(rate).toLocaleString('en-US')).join('  ')} rows/s`)
  console.log(`sqlite    import / bare prepared inserts  ${ratio(rates.sqliteImport, rates.sqliteBare)}  (goal 0.55)`)
  console.log(`postgres  import / unnest of 5,000        ${ratio(rates.postgresImport, rates.postgresBare)}  (goal 0.50)`)
}

async function importInto(engine: EngineName): Promise<number> {
  const place = await freshPlace(engine)
  const app = await openApp(readSettings(place.env), { schema: 'bring up' })
  const operator = operatorOn(app)
  const { partner } = await createPartner(operator, 'Acme')
  const startedAt = performance.now()
  const bytes = createReadStream(file, { highWaterMark: 1 << 16 })
  // As the command does it.
  await withBoundedYoungGeneration(() =>
    importObservations(operator, { partnerId: partner.id }, readNdjson(bytes), { createMissing: true }),
  )
  const milliseconds = performance.now() - startedAt
  await app.close()
  await place.remove()
  return milliseconds
}

async function bareSqlite(): Promise<number> {
  const all = [...rows()].map(({ site, keyword, engine, day, rank }) => [1, site * keywordsPerSite + keyword, timeOf(day), engine, rank])
  const database = new Database(join(folder, `bare-${performance.now()}.db`))
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.exec(
    'create table rankings (account_id integer, keyword_id integer, ranked_at integer, source_id integer, rank integer, primary key (account_id, keyword_id, ranked_at, source_id)) strict, without rowid',
  )
  const insert = database.prepare('insert into rankings values (?, ?, ?, ?, ?)')
  const batch = database.transaction((part: number[][]) => {
    for (const row of part) insert.run(row)
  })
  const startedAt = performance.now()
  for (let at = 0; at < all.length; at += 100_000) batch(all.slice(at, at + 100_000))
  const milliseconds = performance.now() - startedAt
  database.close()
  return milliseconds
}

async function barePostgres(): Promise<number> {
  const all = [...rows()]
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('drop table if exists rankings')
  await client.query(
    'create table rankings (account_id int, keyword_id int, ranked_at int, source_id smallint, rank smallint, primary key (account_id, keyword_id, ranked_at, source_id) include (rank))',
  )
  const startedAt = performance.now()
  for (let at = 0; at < all.length; at += 5000) {
    const part = all.slice(at, at + 5000)
    const columns = [
      part.map(() => 1),
      part.map(({ site, keyword }) => site * keywordsPerSite + keyword),
      part.map(({ day }) => timeOf(day)),
      part.map(({ engine }) => engine),
      part.map(({ rank }) => rank),
    ]
    await client.query({
      name: 'insert',
      text: 'insert into rankings select * from unnest($1::int[], $2::int[], $3::int[], $4::smallint[], $5::smallint[])',
      values: columns,
    })
  }
  const milliseconds = performance.now() - startedAt
  await client.end()
  return milliseconds
}

async function timed(work: () => Promise<number>): Promise<number> {
  return (lines / (await work())) * 1000
}

function ratio(ours: readonly number[] = [], bare: readonly number[] = []): string {
  return (median(ours) / median(bare)).toFixed(2)
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
}
