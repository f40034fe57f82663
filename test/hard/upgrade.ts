/** An upgrade with a planted column: added beside the old one, filled, and the old one taken away, while writers write. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readSettings } from '../../src/config.ts'
import { openStore } from '../../src/store/store.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { makePartner } from './support/prepare.ts'
import { commandOf, type Env, type Hard, pause, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { together } from './support/together.ts'
import { inFolder, withChanges } from './support/tree.ts'
import { check, sumOf, type Writer, writerOf } from './support/writers.ts'

interface Size {
  readonly milliseconds: number
  /** How many processes serve side by side on PostgreSQL. */
  readonly places: number
  /** The versions that follow the first one. */
  readonly upgrades: readonly (keyof typeof versions)[]
  /** With a trusted proxy a service that is told to stop gives three seconds' notice; ours in front needs none. */
  readonly trustedProxies: '127.0.0.1' | ''
}

const steps = {
  old: `{ name: '9001-old-mark', async up({ addColumns }) { await addColumns('businesses', { old_mark: 'integer=0' }) } }`,
  fresh: `{ name: '9002-new-mark', worksFrom: '9001-old-mark', async up({ addColumns }) { await addColumns('businesses', { new_mark: 'integer=0' }) } }`,
  fill: `{ name: '9003-fill-new-mark', worksFrom: '9002-new-mark', rewrites: 'businesses', async up({ db }) { await db.updateTable('businesses').set({ new_mark: 7 } as never).where('new_mark' as never, '=', 0).execute() } }`,
  drop: `{ name: '9004-drop-old-mark', worksFrom: '9003-fill-new-mark', async up({ db }) { await db.schema.alterTable('businesses').dropColumn('old_mark').execute() } }`,
}

/** One with a column, one that writes it and its successor, one that fills and writes only the successor, one without the old column. */
const versions = {
  first: { steps: [steps.old], writes: 'old_mark: 7', reads: 'old_mark' },
  second: { steps: [steps.old, steps.fresh], writes: 'old_mark: 7, new_mark: 7', reads: 'old_mark' },
  third: { steps: [steps.old, steps.fresh, steps.fill], writes: 'new_mark: 7', reads: 'new_mark' },
  fourth: { steps: [steps.old, steps.fresh, steps.fill, steps.drop], writes: 'new_mark: 7', reads: 'new_mark' },
}

export const upgrade: Goal<Size> = {
  id: 'upgrade',
  says: 'four versions one after the other under load, side by side on PostgreSQL and with a stop on SQLite: nothing acknowledged is lost, nothing is wrong',
  short: { milliseconds: 200, places: 1, upgrades: ['second'], trustedProxies: '' },
  long: { milliseconds: 10_000, places: 2, upgrades: ['second', 'third', 'fourth'], trustedProxies: '127.0.0.1' },
  forMutants: { milliseconds: 400, places: 1, upgrades: ['second'], trustedProxies: '' },
  run: (tree, size) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const cluster = await makeCluster(folder)
      try {
        const [onPostgres, onSqlite] = await together([
          upgradeOn(tree, size, cluster.env, 'side by side', chance),
          upgradeOn(tree, size, { DATA_DIR: join(folder, 'data') }, 'with a stop', chance),
        ])
        return {
          figures: { seed: chance.seed, ...prefixed('postgres', onPostgres.figures), ...prefixed('sqlite', onSqlite.figures) },
          faults: [...onPostgres.faults, ...onSqlite.faults],
        }
      } finally {
        await cluster.stop()
      }
    }),
  mutants: [
    {
      says: 'a version is not ready beside steps it does not know',
      file: 'src/store/migrate.ts',
      from: 'unknown.filter(({ works_from }) => !isKnown(works_from))',
      to: 'unknown',
    },
  ],
}

/** A process asks its database once a second, and a little later the answer is new. */
const readinessKeptMilliseconds = 1_500

type Way = 'side by side' | 'with a stop'

async function upgradeOn(tree: string, size: Size, env: Env, way: Way, chance: Chance) {
  const upstreams: Hard[] = []
  const front = await openFront(upstreams)
  try {
    return await upgradeUnderLoad(tree, size, env, way, chance, upstreams, front)
  } finally {
    front.close()
    for (const service of upstreams) await service.kill()
  }
}

async function upgradeUnderLoad(tree: string, size: Size, env: Env, way: Way, chance: Chance, upstreams: Hard[], front: Front) {
  const { milliseconds, trustedProxies, upgrades } = size
  const places = way === 'side by side' ? size.places : 1
  const partner = await makePartner(env, 'Acme')
  const writers = Array.from({ length: 4 }, (_, index) => writerOf(`${way.replaceAll(' ', '-')}-${index}`, partner, chance, false))
  let isOver = false
  const faults: string[] = []
  let longestStop = 0
  const start = async (from: string) => {
    for (let place = 0; place < places; place += 1)
      upstreams.push(await startHard(from, { env: { ...env, LOG_LEVEL: 'error', MARQUEE_TRUSTED_PROXIES: trustedProxies } }))
  }
  const stop = async (count: number) => {
    for (const service of upstreams.slice(0, count)) {
      await service.kill('SIGTERM')
      upstreams.splice(upstreams.indexOf(service), 1)
    }
  }
  await withVersion(tree, 'first', async (first) => {
    await commandOf(first, env, 'migrate')
    await start(first)
    const working = Promise.all(writers.map((writer) => workOn(writer, front.url, () => isOver)))
    await pause(milliseconds)
    for (const name of upgrades) {
      await withVersion(tree, name, async (next) => {
        const since = performance.now()
        if (way === 'with a stop') await stop(places)
        await commandOf(next, env, 'migrate')
        if (way === 'side by side') faults.push(...(await stillReady(upstreams, milliseconds)))
        await start(next)
        if (way === 'with a stop') longestStop = Math.max(longestStop, performance.now() - since)
        await pause(milliseconds)
        if (way === 'side by side') await stop(places)
        await pause(milliseconds)
      })
    }
    isOver = true
    await working
    for (const writer of writers) await writer.settle(front.url)
    faults.push(...(await check(front.url, partner, writers)))
    await stop(upstreams.length)
  })
  faults.push(
    ...(await marksOf(env, upgrades.at(-1) ?? 'first')),
    ...(way === 'side by side' ? front.refused : []).map((status) => `${way}: a request was answered ${status}`),
  )
  const sums = sumOf(writers)
  if (sums.acknowledged === 0) faults.push('nothing was written: the goal measured nothing')
  return { figures: { ...sums, longest_stop_ms: Math.round(longestStop) }, faults }
}

/** The old processes serve on beside the new steps. */
async function stillReady(services: readonly Hard[], milliseconds: number): Promise<string[]> {
  await pause(Math.max(milliseconds, readinessKeptMilliseconds))
  const ready = await Promise.all(services.map(({ url }) => isReady(url)))
  return ready.filter((is) => !is).map(() => 'an old process is not ready beside the new steps')
}

/** A writer whose request got no answer repeats it, as clients do, until all is over. */
async function workOn(writer: Writer, url: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) await writer.work(url, isOver)
}

/** Every business must hold the mark that the last version reads, whichever version wrote it. */
async function marksOf(env: Env, last: keyof typeof versions): Promise<string[]> {
  const column = sql.ref(versions[last].reads)
  const store = openStore(readSettings({ MARQUEE_ENV_FILE: '/dev/null', ...env }))
  try {
    const { rows } = await sql<{ count: number }>`select count(*) as count from businesses where ${column} <> 7`.execute(store.db)
    const wrong = Number(rows[0]?.count)
    return wrong === 0 ? [] : [`${wrong} businesses lack the mark`]
  } finally {
    await store.close()
  }
}

function withVersion<T>(tree: string, name: keyof typeof versions, work: (tree: string) => Promise<T>): Promise<T> {
  const version = versions[name]
  const change = (file: string, from: string, to: string) => ({ file, from, to })
  return withChanges(
    [
      change('src/store/migrations.ts', ',\n]', `,\n  ${version.steps.join(',\n  ')},\n]`),
      change('src/model/partners/businesses.ts', '.values({', `.values({ ...({ ${version.writes} } as object),`),
    ],
    work,
    tree,
  )
}

type Front = Awaited<ReturnType<typeof openFront>>

/** As a proxy in front would: it asks who is ready, and gives a request that nobody has taken to the next one. */
async function openFront(upstreams: readonly Hard[]) {
  const refused: number[] = []
  const ready = new Set<string>()
  const look = setInterval(() => {
    for (const { url } of upstreams) void isReady(url).then((is) => (is ? ready.add(url) : ready.delete(url)))
  }, 100)
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    for (const until = Date.now() + 10_000; Date.now() < until; await pause(20)) {
      const target = upstreams.find(({ url, hasGone }) => !hasGone && ready.has(url))
      const answer =
        target && (await pass(target.url, incoming.method ?? 'GET', incoming.url ?? '/', incoming.headers, Buffer.concat(chunks)))
      if (!answer) continue
      if (answer.status >= 500) refused.push(answer.status)
      return void outgoing.writeHead(answer.status, answer.headers).end(answer.body)
    }
    refused.push(503)
    outgoing.writeHead(503).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    close() {
      clearInterval(look)
      server.closeAllConnections()
      server.close()
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

type Passed = { status: number; headers: Record<string, string | string[]>; body: Buffer } | null

function pass(url: string, method: string, path: string, headers: NodeJS.Dict<string | string[]>, body: Buffer): Promise<Passed> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const sent = request({ hostname, port, method, path, headers: { ...headers, connection: 'close' } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', () => resolve(null))
      answer.on('end', () => {
        const { connection: _, 'transfer-encoding': _coding, ...kept } = answer.headers
        resolve({ status: answer.statusCode ?? 0, headers: kept as Record<string, string | string[]>, body: Buffer.concat(chunks) })
      })
    })
    sent.on('error', () => resolve(null))
    sent.end(body)
  })
}

function prefixed(prefix: string, figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}_${name}`, value]))
}
