/** Marquee behind PgBouncer with the configuration of deploy/cluster: nothing fails, and only 503 is seen while PgBouncer is killed and started again. */
import { execFileSync } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort, serverIdentity } from '../../support/postgres.ts'
import { clientOf, percentile } from '../support/client.ts'
import { type Cluster, makeCluster } from '../support/cluster.ts'
import type { Result } from '../support/goal.ts'
import { makePartner } from '../support/prepare.ts'
import { commandOf, type Env, type Hard, pause, startHard } from '../support/process.ts'
import { chanceFrom } from '../support/random.ts'
import { inFolder, ownTree } from '../support/tree.ts'
import { check, sumOf, writerOf } from '../support/writers.ts'
import { configuration } from './configurations.ts'
import { startProgram } from './programs.ts'

export type PoolMode = 'session' | 'transaction'

const processes = 2
const reads = 2_000
const settings = {
  statement_timeout: '15s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '60s',
  enable_seqscan: 'off',
  jit: 'off',
}
const password = 'marquee-of-the-trial'

export function checkPgbouncer(program: string, mode: PoolMode): Promise<Result> {
  return inFolder(async (folder) => {
    const cluster = await makeCluster(folder)
    const services: Hard[] = []
    const bouncer = await startPgbouncer(folder, cluster, program, mode)
    try {
      const env: Env = { ...cluster.env, DATABASE_URL: bouncer.url, LOG_LEVEL: 'error' }
      const partner = await makePartner(env, 'Acme')
      const unlimited = await doctor(env)
      for (const [name, value] of Object.entries(settings)) await ask(cluster.url, `alter role marquee set ${name} = '${value}'`)
      await bouncer.restart()
      const limited = await doctor(env)
      for (let index = 0; index < processes; index += 1) services.push(await startHard(ownTree, { env }))
      const urls = services.map(({ url }) => url)
      const writers = urls.flatMap((url, at) =>
        Array.from({ length: 4 }, (_, index) => ({ url, writer: writerOf(`writer-${at}-${index}`, partner, chanceFrom(), true) })),
      )
      let isOver = false
      const working = writers.map(async ({ url, writer }) => {
        while (!isOver) await writer.work(url, () => isOver)
        await writer.settle(url)
      })
      const calm = await readAll(urls, partner.authorization, partner.accountId)
      await bouncer.restart()
      const after = await readAll(urls, partner.authorization, partner.accountId)
      isOver = true
      await Promise.all(working)
      const all = writers.map(({ writer }) => writer)
      const wrong = [...calm.filter(({ status }) => status !== 200), ...after.filter(({ status }) => status !== 200 && status !== 503)]
      return {
        figures: {
          version: bouncer.version,
          mode,
          reads: calm.length + after.length,
          reads_503_after_its_restart: after.filter(({ status }) => status === 503).length,
          read_p50_ms: percentile(
            calm.map(({ milliseconds }) => milliseconds),
            0.5,
          ),
          ...sumOf(all),
          doctor:
            unlimited
              .split('\n')
              .find((line) => line.includes('pooler'))
              ?.trim() ?? 'says nothing of a pooler',
        },
        faults: [
          ...wrong.slice(0, 5).map(({ status, text }) => `a read was answered ${status} ${text}`),
          ...(sumOf(all).left_open_by_crashes > 0 ? ['writes got no answer'] : []),
          ...(await check(urls[0] as string, partner, all)),
          ...(/The time limits or the settings of the planner are lost/.test(unlimited)
            ? []
            : [`doctor does not say that settings are lost: ${unlimited}`]),
          ...(/The time limits or the settings of the planner are lost/.test(limited)
            ? [`doctor still says that settings are lost: ${limited}`]
            : []),
        ],
      }
    } finally {
      for (const service of services) await service.kill('SIGTERM')
      await bouncer.end()
      await cluster.stop()
    }
  })
}

interface Seen {
  readonly status: number | 'nothing'
  readonly text: string
  readonly milliseconds: number
}

async function readAll(urls: readonly string[], authorization: string, accountId: number): Promise<Seen[]> {
  const paths = [
    '/api/businesses.json',
    '/api/users.json',
    `/api/seo_report.xml?account_id=${accountId}`,
    `/api/accounts/${accountId}.json`,
  ]
  const clients = urls.map((url) => clientOf(url, authorization, 8))
  const seen: Seen[] = []
  let serial = 0
  const one = async () => {
    while (serial < reads / 2) {
      serial += 1
      const path = paths[serial % paths.length] as string
      const answer = await clients[serial % clients.length]?.ask(path)
      const isFine = answer?.status === 200
      seen.push({
        status: answer?.status ?? 'nothing',
        text: isFine ? '' : `${path} ${answer?.body}`,
        milliseconds: answer?.milliseconds ?? 0,
      })
      if (!isFine) await pause(20)
    }
  }
  await Promise.all(Array.from({ length: 16 }, one))
  for (const client of clients) client.close()
  return seen
}

async function startPgbouncer(folder: string, cluster: Cluster, program: string, mode: PoolMode) {
  const port = await freePort()
  const { port: serverPort } = new URL(cluster.url)
  await ask(cluster.url, `create role marquee login password '${password}'`)
  await ask(cluster.url, 'create database marquee owner marquee')
  const users = join(folder, 'userlist.txt')
  writeFileSync(users, `"marquee" "${password}"\n`)
  const file = join(folder, 'pgbouncer.ini')
  const modes = mode === 'session' ? 'session' : 'transaction\nmax_prepared_statements = 200'
  writeFileSync(
    file,
    configuration('pgbouncer.ini', [
      ['host=10.0.0.20 port=5000', `host=127.0.0.1 port=${serverPort}`],
      ['listen_addr = 10.0.0.30', 'listen_addr = 127.0.0.1'],
      ['listen_port = 6432', `listen_port = ${port}`],
      ['/etc/pgbouncer/userlist.txt', users],
      ['pool_mode = session', `pool_mode = ${modes}`],
    ]),
  )
  const identity = serverIdentity()
  if (identity) for (const path of [users, file]) chownSync(path, identity.uid, identity.gid)
  const start = () => startProgram({ command: program, args: [file], log: join(folder, 'pgbouncer.log'), ...(identity && { identity }) })
  let running = await start()
  const url = `postgres://marquee:${password}@127.0.0.1:${port}/marquee`
  await untilAnswers(url)
  return {
    url,
    version: execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '',
    async restart() {
      await running.kill('SIGKILL')
      running = await start()
      await untilAnswers(url)
    },
    end: () => running.end(),
  }
}

async function doctor(env: Env): Promise<string> {
  return commandOf(ownTree, env, 'doctor').catch((error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`)
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (
      await ask(url, 'select 1').then(
        () => true,
        () => false,
      )
    )
      return
    await pause(50)
  }
  throw new Error('PgBouncer did not answer.')
}

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  await client.query(text).finally(() => client.end())
}
