/** The long forms of the report tests: `npm run hard:reports -- worlds | memory | readers | stalls | aborts | fairness`; no name means all. */
import assert from 'node:assert/strict'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from '../../bench/measure.ts'
import { open, type Reader, readWhole, stall } from '../support/downloads.ts'
import { freshPlace } from '../support/engines.ts'
import { startPostgres } from '../support/postgres.ts'
import { memoryWhile, type ReportLoad, startReportLoad } from '../support/report-load.ts'
import { checkLegacyWorlds, checkWorlds } from '../support/report-worlds.ts'
import { basic } from '../support/service.ts'
import { startWatchedService } from '../support/watched-service.ts'

const path = '/api/seo_report.xml'
/** About 1 GiB, 100 MB and 35 MB of XML. */
const huge = { sites: 30, competitors: 3, keywords: 50, days: 185, backlinks: 20_000 }
const large = { sites: 12, competitors: 2, keywords: 40, days: 75, backlinks: 2_000 }
const medium = { sites: 6, competitors: 2, keywords: 40, days: 45, backlinks: 1_000 }

const forms = {
  async worlds() {
    const count = 1_000_000
    for (let done = 0; done < count; done += 10_000) await checkWorlds(10_000)
    await checkLegacyWorlds(count / 4)
    return { worlds: count }
  },

  memory: () =>
    onBoth(async (env) => {
      const load = await startReportLoad(env, huge)
      let bytes = 0
      const startedAt = performance.now()
      const atFullSpeed = await memoryWhile(load, async () => {
        bytes = (await readWhole(await open(load.acme, path))).bytes
      })
      const seconds = (performance.now() - startedAt) / 1000
      await load.service.stop()
      assert.ok(atFullSpeed < 100, `${atFullSpeed} MB`)
      return { megabytes_sent: Math.round(bytes / 2 ** 20), seconds: Math.round(seconds), megabytes_held: atFullSpeed }
    }),

  readers: () =>
    onBoth(async (env) => {
      const load = await startReportLoad(env, large)
      const held = await memoryWhile(load, () =>
        Promise.all(Array.from({ length: 50 }, (_, index) => readSlowly(index % 2 === 0 ? load.acme : load.globex))),
      )
      await load.service.stop()
      assert.ok(held < 200, `${held} MB`)
      return { readers: 50, megabytes_held: held }
    }),

  /** A reader who takes nothing for half a minute is cut; one who takes little, but steadily, is not. */
  stalls: () =>
    onBoth(async (env) => {
      const load = await startReportLoad(env, medium)
      const [patient, stalled, steady] = [await stall(load.acme, path), await stall(load.acme, path), await open(load.globex, path)]
      const reading = readWhole(steady, 100)
      await sleep(25_000)
      await readWhole(patient)
      await sleep(25_000)
      await assert.rejects(readWhole(stalled))
      await reading
      await load.service.stop()
      return { cut: 1 }
    }),

  aborts: () =>
    onBoth(async (env) => {
      const load = await startReportLoad(env, medium)
      const whole = await readWhole(await open(load.acme, path))
      for (let done = 0; done < 1_000; done += 10) await Promise.all(Array.from({ length: 10 }, () => goAway(load.acme)))
      assert.deepEqual(await readWhole(await open(load.acme, path)), whole)
      await load.service.stop()
      return { aborts: 1_000 }
    }),

  /** Beside it, another process on the same database sends the same four reports: that is what the machine allows. */
  async fairness() {
    const place = await freshPlace('sqlite')
    const load = await startReportLoad(place.env, large)
    const other = await startWatchedService(place.env)
    const own: number[] = []
    const elsewhere: number[] = []
    for (let round = 0; round < 5; round++) {
      own.push(await besideDownloads(load, load.service.url))
      elsewhere.push(await besideDownloads(load, other.url))
    }
    await other.stop()
    await load.service.stop()
    await place.remove()
    const ratio = median(own) / median(elsewhere)
    assert.ok(ratio <= 1.5, `p99 of ${median(own)} ms against ${median(elsewhere)} ms`)
    return { p99_own: median(own), p99_elsewhere: median(elsewhere), ratio: Number(ratio.toFixed(2)) }
  },
}

async function main(): Promise<void> {
  const named = process.argv.slice(2)
  for (const [name, form] of Object.entries(forms)) {
    if (named.length === 0 || named.includes(name)) console.log(name, JSON.stringify(await form()))
  }
}

async function onBoth<T>(form: (env: Record<string, string>) => Promise<T>): Promise<{ sqlite: T; postgres: T }> {
  const postgres = await startPostgres()
  process.env.TEST_POSTGRES_URL = postgres.url
  try {
    return { sqlite: await onPlace('sqlite', form), postgres: await onPlace('postgres', form) }
  } finally {
    await postgres.stop()
  }
}

async function onPlace<T>(engine: 'sqlite' | 'postgres', form: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const place = await freshPlace(engine)
  try {
    return await form(place.env)
  } finally {
    await place.remove()
  }
}

/** Turned away for want of a turn, it comes again, as the answer says. */
async function readSlowly(reader: Reader): Promise<void> {
  for (;;) {
    const response = await open(reader, path)
    if (response.statusCode === 200) return void (await readWhole(response, 5))
    response.resume()
    await sleep(Number(response.headers['retry-after'] ?? 1) * 1000)
  }
}

async function goAway(reader: Reader): Promise<void> {
  try {
    const response = await open(reader, path, Math.random() < 0.5 ? { 'accept-encoding': 'zstd' } : {})
    if (Math.random() < 0.7) response.resume()
    await sleep(Math.random() * 60)
    response.destroy()
  } catch {
    // Turned away or cut off is gone as well.
  }
}

/** p99 of small requests to the service while four downloads come from the address, each client in a process of its own. */
async function besideDownloads({ service, acme, globex }: ReportLoad, url: string): Promise<number> {
  const downloads = [acme, acme, globex, globex].map(({ credentials }) =>
    spawn('sh', ['-c', 'while :; do curl -s -o /dev/null -u "$1" "$2"; done', 'sh', credentials, `${url}${path}?end_date=2026-12-31`], {
      detached: true,
      stdio: 'ignore',
    }),
  )
  await sleep(500)
  const client = fork(fileURLToPath(import.meta.url), ['small-requests', service.url, acme.credentials])
  const [p99] = await once(client, 'message')
  for (const { pid } of downloads) if (pid !== undefined) process.kill(-pid)
  return p99 as number
}

/** 300 a second for five seconds, whether or not the last has been answered. */
async function smallRequests(url: string, credentials: string): Promise<number> {
  const times: number[] = []
  const startedAt = performance.now()
  while (performance.now() - startedAt < 5_000) {
    const askedAt = performance.now()
    const asked = request(`${url}/api/accounts.json`, { headers: { authorization: basic(credentials) } }, (response) => {
      response.resume().on('end', () => times.push(performance.now() - askedAt))
    })
    asked.end()
    await sleep(1000 / 300)
  }
  await sleep(500)
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

if (process.argv[2] === 'small-requests') process.send?.(await smallRequests(process.argv[3] ?? '', process.argv[4] ?? ''))
else await main()
