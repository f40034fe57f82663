/** A PostgreSQL of its own that keeps what it promises: with fsync and checksums, crashed and restarted at will. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findBinaries, freePort, serverIdentity } from '../../support/postgres.ts'
import { type Env, pause } from './process.ts'

export interface Cluster {
  readonly url: string
  /** The settings with which the service uses it. */
  readonly env: Env
  readonly version: string
  /** The postmaster and all its children, at once. */
  crash(): Promise<void>
  start(): Promise<void>
  restart(mode: 'fast' | 'immediate'): Promise<void>
  terminateBackends(): Promise<void>
  stop(): Promise<void>
  /** What `pg_checksums` finds wrong, once the cluster is stopped. */
  damage(): string[]
}

export async function makeCluster(folder: string): Promise<Cluster> {
  const identity = serverIdentity()
  chmodSync(folder, 0o755)
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)
  const bin = installedWithTools() ?? findBinaries(folder, identity)
  const data = join(folder, 'cluster')
  const port = await freePort()
  const as = { ...identity, cwd: folder }
  const run = (name: string, ...args: string[]) =>
    execFileSync(join(bin, name), args, { ...as, stdio: ['ignore', 'pipe', 'pipe'] }).toString()
  run('initdb', `--pgdata=${data}`, '--auth=trust', '--username=postgres', '--data-checksums', '--encoding=UTF8', '--locale=C')
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const flags = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', max_connections: '100' }
  const args = ['-D', data, ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  let server: ChildProcess | null = null
  const start = async () => {
    server = spawn(join(bin, 'postgres'), args, { ...as, stdio: 'ignore' })
    await untilAnswers(url)
  }
  const stopWith = async (signal: NodeJS.Signals) => {
    const gone = server === null || server.exitCode !== null || server.signalCode !== null ? null : once(server, 'exit')
    server?.kill(signal)
    await gone
  }
  await start()
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, `${'0123456789abcdef'.repeat(4)}\n`, { mode: 0o600 })
  return {
    url,
    env: { DATABASE_URL: url, MARQUEE_SECRET_FILE: secretFile, DATA_DIR: folder },
    version: run('postgres', '--version').trim(),
    start,
    async crash() {
      const all = [server?.pid ?? 0, ...childrenOf(server?.pid ?? 0)]
      const gone = server === null ? null : once(server, 'exit')
      for (const pid of all) killNow(pid)
      await gone
      while (all.some(isAlive)) await pause(5)
      rmSync(join(data, 'postmaster.pid'), { force: true })
    },
    async restart(mode) {
      await stopWith(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await start()
    },
    terminateBackends: () =>
      query(url, 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null'),
    stop: () => stopWith('SIGINT'),
    damage() {
      if (!existsSync(join(bin, 'pg_checksums'))) return []
      try {
        run('pg_checksums', '--check', '-D', data)
        return []
      } catch (error) {
        return [`pg_checksums: ${String(error)}`]
      }
    },
  }
}

/** The one from npm comes without the tool that checks the checksums, so an installed one goes first. */
function installedWithTools(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  return versions.map((version) => join(debian, version, 'bin')).find((bin) => existsSync(join(bin, 'pg_checksums')))
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    try {
      return await query(url, 'select 1')
    } catch {
      await pause(10)
    }
  }
  throw new Error('PostgreSQL did not come up.')
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
