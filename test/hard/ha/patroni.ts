/** PostgreSQL servers under Patroni with etcd, on loopback: who is primary, who is synchronous, a switchover, the death of a whole node. */
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort, type Identity, serverIdentity } from '../../support/postgres.ts'
import { type Env, pause } from '../support/process.ts'
import { configuration } from './configurations.ts'
import { childrenOf, isAlive, programPath, type Running, sendSignal, serverFolder, startProgram } from './programs.ts'

export interface PatroniNode {
  readonly name: string
  readonly port: number
  readonly apiPort: number
  url(database?: string): string
  /** Everything of it at once, as when a machine loses its power. */
  kill(): Promise<void>
  start(): Promise<void>
  end(): Promise<void>
}

export interface Patroni {
  /** The first two may become primary; a third is a replica for reports. */
  readonly nodes: readonly PatroniNode[]
  primary(): Promise<PatroniNode>
  /** Asks Patroni to hand the work of the primary to the standby. */
  switchOver(from: PatroniNode, to: PatroniNode): Promise<void>
  /** Until a synchronous standby follows the primary. */
  untilSound(): Promise<PatroniNode>
  readonly env: Env
  end(): Promise<void>
}

const passwords = { superuser: 'superuser-of-the-trial', replication: 'replication-of-the-trial', marquee: 'marquee-of-the-trial' }
const replicaTags = 'tags: { nofailover: true, nosync: true }\n'

export async function startPatroni(folder: string, count: 2 | 3 = 2): Promise<Patroni> {
  const identity = serverIdentity()
  own(folder, identity)
  const etcd = await startEtcd(folder, identity)
  const nodes: PatroniNode[] = []
  try {
    for (let index = 1; index <= count; index += 1) {
      const node = await makeNode(folder, `db${index}`, etcd.port, identity, index === 3 ? replicaTags : '')
      nodes.push(node)
      await node.start()
      if (index === 1) await untilPrimary(nodes)
    }
    const patroni = cluster(folder, nodes, etcd.running)
    await createDatabase(await patroni.untilSound())
    return patroni
  } catch (error) {
    await endAll(nodes, etcd.running)
    throw error
  }
}

function cluster(folder: string, nodes: readonly PatroniNode[], etcd: Running): Patroni {
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, `${'0123456789abcdef'.repeat(4)}\n`, { mode: 0o600 })
  const hosts = nodes.slice(0, 2).map(({ port }) => `127.0.0.1:${port}`)
  return {
    nodes,
    primary: () => untilPrimary(nodes),
    switchOver: async (from, to) => {
      const body = JSON.stringify({ leader: from.name, candidate: to.name })
      const answer = await fetch(`http://127.0.0.1:${from.apiPort}/switchover`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`)
    },
    untilSound: () => untilSound(nodes),
    env: {
      DATABASE_URL: `postgres://marquee:${passwords.marquee}@${hosts.join()}/marquee`,
      MARQUEE_SECRET_FILE: secretFile,
      DATA_DIR: folder,
    },
    end: () => endAll(nodes, etcd),
  }
}

async function endAll(nodes: readonly PatroniNode[], etcd: Running): Promise<void> {
  await Promise.all(nodes.map((node) => node.end()))
  await etcd.end()
}

async function startEtcd(folder: string, identity: Identity): Promise<{ port: number; running: Running }> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const flags = {
    name: 'one',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `one=${peer}`,
  }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  // etcd runs on this processor too, but wants to be told so.
  const env = { ETCD_UNSUPPORTED_ARCH: process.arch }
  const running = await startProgram({ command: programPath('etcd'), args, log: join(folder, 'etcd.log'), identity, env })
  await until('etcd is healthy', async () => (await fetch(`${client}/health`)).ok)
  return { port, running }
}

async function makeNode(folder: string, name: string, etcdPort: number, identity: Identity, tags: string): Promise<PatroniNode> {
  const [port, apiPort] = [await freePort(), await freePort()]
  const place = join(folder, name)
  mkdirSync(place)
  own(place, identity)
  const data = join(place, 'data')
  const file = join(place, 'patroni.yml')
  const text = configuration('patroni.yml', [
    ['name: db1', `name: ${name}`],
    ['10.0.0.1:8008', `127.0.0.1:${apiPort}`],
    ['10.0.0.1:5432', `127.0.0.1:${port}`],
    ['10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379', `127.0.0.1:${etcdPort}`],
    ['10.0.0.0/24', '127.0.0.1/32'],
    ['/var/lib/postgresql/15/marquee.pgpass', join(place, 'pgpass')],
    ['/var/lib/postgresql/15/marquee', data],
    ['/usr/lib/postgresql/15/bin', serverFolder()],
    ['/var/run/postgresql', place],
  ])
  writeFileSync(file, `${text}${tags}`)
  const env = { PATRONI_SUPERUSER_PASSWORD: passwords.superuser, PATRONI_REPLICATION_PASSWORD: passwords.replication, HOME: place }
  let running: Running | null = null
  return {
    name,
    port,
    apiPort,
    url: (database = 'postgres') => `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/${database}`,
    async start() {
      running = await startProgram({ command: programPath('patroni'), args: [file], log: join(place, 'patroni.log'), identity, env })
    },
    async kill() {
      const all = [running?.pid ?? 0, ...postmasterOf(data)].flatMap((pid) => [pid, ...childrenOf(pid)]).filter((pid) => pid > 0)
      for (const pid of all) sendSignal(pid, 'SIGKILL')
      while (all.some(isAlive)) await pause(5)
      await running?.end()
    },
    async end() {
      await running?.end()
      for (const pid of postmasterOf(data)) sendSignal(pid, 'SIGQUIT')
    },
  }
}

function postmasterOf(data: string): number[] {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    return isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? [pid] : []
  } catch {
    return []
  }
}

function own(path: string, identity: Identity): void {
  if (identity) chownSync(path, identity.uid, identity.gid)
}

async function createDatabase(primary: PatroniNode): Promise<void> {
  await ask(primary.url(), `create role marquee login password '${passwords.marquee}'`)
  await ask(primary.url(), 'create database marquee owner marquee')
}

async function untilPrimary(nodes: readonly PatroniNode[]): Promise<PatroniNode> {
  let found: PatroniNode | undefined
  await until('there is a primary', async () => {
    for (const node of nodes) if (await acceptsWrites(node.url())) found = node
    return found !== undefined
  })
  return found as PatroniNode
}

async function acceptsWrites(url: string): Promise<boolean> {
  const [row] = await ask<{ is: boolean }>(url, 'select not pg_is_in_recovery() as is').catch(() => [])
  return row?.is === true
}

/** Until a proxy that has just been started has learned who is primary: until its first checks it takes every server for one. */
export function untilPrimaryAt(url: string): Promise<void> {
  let times = 0
  return until('the primary answers there, and nobody else', async () => {
    times = (await acceptsWrites(url)) ? times + 1 : 0
    return times >= 30
  })
}

/** With the standby that is synchronous, and, where there is one, the replica that follows. */
async function untilSound(nodes: readonly PatroniNode[]): Promise<PatroniNode> {
  let sound: PatroniNode | undefined
  await until('a synchronous standby follows', async () => {
    const primary = await untilPrimary(nodes)
    const rows = await ask<{ state: string }>(
      primary.url(),
      "select sync_state as state from pg_stat_replication where state = 'streaming'",
    ).catch(() => [])
    const isFollowed = rows.length >= nodes.length - 1 && rows.some(({ state }) => state === 'sync')
    if (isFollowed && (await knowsStandby(primary))) sound = primary
    return sound !== undefined
  })
  return sound as PatroniNode
}

/** Patroni learns a moment after the server that a standby is synchronous, and promotes only what it knows. */
async function knowsStandby({ apiPort }: PatroniNode): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`)
  const { members } = (await answer.json()) as { members: readonly { role: string; state: string }[] }
  return members.some(({ role }) => role === 'sync_standby') && members.some(({ role }) => role === 'leader')
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(100)) if (await isSo().catch(() => false)) return
  throw new Error(`It did not come about in two minutes that ${what}.`)
}

async function ask<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows as R[]
  } finally {
    await client.end().catch(() => {})
  }
}
