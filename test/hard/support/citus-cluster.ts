/** A Citus cluster on this machine, from a build of Citus: a coordinator and workers, databases with the schema spread over them, and nodes that die. */

import type { ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readSettings } from '../../../src/config.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { migrations } from '../../../src/store/migrations.ts'
import { distribute } from '../../../src/store/postgres/distribute.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { initialise, launch, serverIdentity, untilReady } from '../../support/postgres.ts'

export interface CitusNode {
  readonly port: number
  url(database: string): string
  ask<R extends object>(database: string, text: string): Promise<R[]>
  /** At once, as a power cut ends it. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** What the server has logged. */
  log(): string
  stop(): void
}

export interface CitusCluster {
  readonly coordinator: CitusNode
  readonly workers: CitusNode[]
  /** Another node, with these databases, that takes no data yet. */
  addWorker(databases: readonly string[]): Promise<CitusNode>
  stop(): void
}

export const template = 'marquee_template'

/** `bin` is the folder of the programs of a PostgreSQL that has Citus. */
export async function startCitus(bin: string): Promise<CitusCluster> {
  const coordinator = await startNode(bin)
  const workers = [await startNode(bin), await startNode(bin)]
  return {
    coordinator,
    workers,
    async addWorker(databases) {
      const node = await startNode(bin)
      for (const database of databases) await makeDatabase(node, database)
      for (const database of databases) await joinCluster(coordinator, database, node)
      workers.push(node)
      return node
    },
    stop: () => {
      for (const node of [coordinator, ...workers]) node.stop()
    },
  }
}

/** A database whose measured tables are spread over the cluster, as `marquee distribute` does it. */
export async function makeSpreadDatabase(cluster: CitusCluster, name: string, steps = migrations): Promise<void> {
  const store = await makeGatheredDatabase(cluster, name, steps)
  await store.write(distribute, 'unlimited')
  await store.close()
}

/** A database of the cluster whose tables all lie on the coordinator. */
export async function makeGatheredDatabase({ coordinator, workers }: CitusCluster, name: string, steps = migrations): Promise<Store> {
  for (const node of [coordinator, ...workers]) await makeDatabase(node, name)
  await coordinator.ask(name, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
  for (const node of workers) await joinCluster(coordinator, name, node)
  const store = openStore(readSettings({ DATABASE_URL: coordinator.url(name), DATA_DIR: tmpdir() }))
  await migrate(store, steps)
  return store
}

/** Each test gets a copy of it on every node; nobody may be connected to it. */
export async function makeTemplate(cluster: CitusCluster): Promise<void> {
  await makeSpreadDatabase(cluster, template)
  for (const node of [cluster.coordinator, ...cluster.workers]) {
    await node.ask('postgres', `alter database ${template} allow_connections false`)
    await node.ask('postgres', `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`)
  }
}

async function makeDatabase(node: CitusNode, name: string): Promise<void> {
  await node.ask('postgres', `create database ${name}`)
  await node.ask(name, 'create extension citus')
}

async function joinCluster(coordinator: CitusNode, database: string, { port }: CitusNode): Promise<void> {
  await coordinator.ask(database, `select citus_add_node('127.0.0.1', ${port})`)
}

async function startNode(bin: string): Promise<CitusNode> {
  const identity = serverIdentity()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-citus-'))
  if (identity) chownSync(folder, identity.uid, identity.gid)
  const data = join(folder, 'data')
  initialise(bin, data, identity)
  const port = await freePort()
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const own = { ...settings, log_directory: folder, log_filename: 'server.log' }
  const started: ChildProcess[] = []
  const start = async () => {
    const server = launch(bin, folder, data, port, identity, own)
    started.push(server)
    await untilReady(url('postgres'), server)
  }
  await start()
  return {
    port,
    url,
    ask: (database, text) => ask(url(database), text),
    async kill() {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
      // The backends end by themselves once they see that their postmaster is gone.
      await sleep(1_000)
    },
    async restart() {
      // The dead one still has its number, because the shell that keeps the folder has not asked for its end.
      rmSync(join(data, 'postmaster.pid'), { force: true })
      await start()
    },
    log: () => (existsSync(join(folder, 'server.log')) ? readFileSync(join(folder, 'server.log'), 'utf8') : ''),
    // The shell of a server that was killed waits for this too.
    stop: () => {
      for (const server of started) server.stdin?.end()
    },
  }
}

const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '300',
  max_worker_processes: '200',
  max_prepared_transactions: '300',
  logging_collector: 'on',
  // The statement behind each warning.
  log_min_error_statement: 'warning',
  'citus.shard_count': '8',
  'citus.node_conninfo': 'sslmode=disable',
  // Tests make and drop databases; who is not there must not be asked.
  'citus.enable_statistics_collection': 'off',
}

async function ask<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows as R[]
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
