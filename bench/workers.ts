/** Workers: what a request costs with two of them beside one, what one holds when it is idle, and small reads on PostgreSQL beside a bare server. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Credentials, newPartner, prepare } from '../test/hard/support/prepare.ts'
import { type Env, type Hard, startHard } from '../test/hard/support/process.ts'
import { isThere } from '../test/hard/support/tools.ts'
import { startPostgres } from '../test/support/postgres.ts'
import type { Ask } from './client.ts'
import { openDesk } from './desk.ts'
import { compare, type Line, line, missing } from './measure.ts'
import { rate } from './rates.ts'
import { addUserWithAbilities } from './world.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const idleSeconds = Number(process.env.BENCH_IDLE_SECONDS ?? 60)
const mostIdleMegabytes = 120
/** Of each worker: what one turn of its event loop gathers depends on how many of them it serves. */
const connections = 32

export async function workers(): Promise<Line[]> {
  if (!isThere('wrk')) return [missing('workers', 'one worker', 'wrk is not installed', '')]
  return [...(await onOneFile()), ...(await onPostgres())]
}

/** The idle one first, 60 s after its start and before anybody asks. */
async function onOneFile(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' }
  const { partner, userId } = await prepare(env, async (operator) => {
    const made = await newPartner(operator, 'Bench')
    return { partner: made, userId: await addUserWithAbilities(operator, made.accountId) }
  })
  const one = await startHard(process.cwd(), { env: { ...env, MARQUEE_WORKERS: '1' } })
  try {
    await sleep(idleSeconds * 1000)
    const idle = idleLine(childrenOf(one.pid)[0] ?? 0)
    return [idle, await costLine(one, env, partner, `/api/users/${userId}/abilities.json`)]
  } finally {
    await one.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

function idleLine(pid: number): Line {
  const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return line({
    work: `idle memory of one worker, ${idleSeconds} s after its start`,
    unit: 'MB',
    ours: Number(kilobytes) / 1024,
    against: `${mostIdleMegabytes} MB`,
    theirs: mostIdleMegabytes,
    goal: '<= 1',
  })
}

async function costLine(one: Hard, env: Env, partner: Credentials, path: string): Promise<Line> {
  const two = await startHard(process.cwd(), { env: { ...env, MARQUEE_WORKERS: '2' } })
  const ask = ({ url }: Hard) => ({ url: `${url}${path}`, headers: { authorization: partner.authorization } })
  try {
    const taken = await compare({ one: () => costOf(one, ask(one), 1), two: () => costOf(two, ask(two), 2) }, rounds, 1)
    return line({
      work: 'processor time of GET abilities.json with two workers, 32 connections each',
      unit: 'µs',
      ours: taken.two,
      against: 'with one',
      theirs: taken.one,
      goal: '<= 1.1',
    })
  } finally {
    await two.kill('SIGTERM')
  }
}

/** Microseconds of the processor for one request, the primary's too. */
async function costOf({ pid }: Hard, ask: Ask, workers: number): Promise<number> {
  const processes = [pid, ...childrenOf(pid)]
  const before = processes.reduce((sum, each) => sum + ticksOf(each), 0)
  const startedAt = performance.now()
  const perSecond = await rate(ask, workers * connections)
  const requests = (perSecond * (performance.now() - startedAt)) / 1000
  const ticks = processes.reduce((sum, each) => sum + ticksOf(each), 0) - before
  return (ticks * 10_000) / requests
}

/** Hundredths of a second of the processor. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

async function onPostgres(): Promise<Line[]> {
  const server = await startPostgres()
  let path = ''
  const desk = await openDesk(async (operator, partnerId) => {
    const account = await operator.app.store.db
      .selectFrom('accounts')
      .select('id')
      .where('partner_id', '=', partnerId)
      .executeTakeFirstOrThrow()
    path = `/api/users/${await addUserWithAbilities(operator, account.id)}/abilities.json`
  }, server.url)
  const bare = await startBareQuery(server.url)
  try {
    const ask = desk.ask(path)
    const taken = await compare({ ours: () => rate(ask, connections), bare: () => rate({ ...ask, url: bare.url }, connections) }, rounds, 1)
    return [
      line({
        work: 'GET abilities.json on PostgreSQL',
        unit: 'requests/s',
        ours: taken.ours,
        against: 'bare node:http, one prepared query through pg',
        theirs: taken.bare,
        goal: '>= 0.6',
      }),
    ]
  } finally {
    bare.child.kill()
    await desk.close()
    await server.stop()
  }
}

/** Reads the abilities of a user by one prepared statement and writes them as JSON. */
async function startBareQuery(databaseUrl: string): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(fileURLToPath(import.meta.url), ['bare', databaseUrl])
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}/`, child }
}

if (process.argv[2] === 'bare' && process.send) {
  const tell = process.send.bind(process)
  const pool = new pg.Pool({ connectionString: process.argv[3] ?? '', max: 10 })
  const query = { name: 'abilities', text: 'select key, scope_type, scope_id from abilities order by scope_type, scope_id' }
  const server = createServer(async (_request, response) => {
    const { rows } = await pool.query(query)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ abilities: rows }))
  })
  server.listen(0, '127.0.0.1', () => tell((server.address() as { port: number }).port))
}
