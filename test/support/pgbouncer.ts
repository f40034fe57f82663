/** A real PgBouncer before the server of the tests, with as few connections as a test wants. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, serverIdentity } from './postgres.ts'
import { findProgram } from './programs.ts'

export interface Pooler {
  /** The same database, through the pooler. */
  readonly url: string
  stop(): Promise<void>
}

export async function startPgbouncer(databaseUrl: string, mode: 'session' | 'transaction', connections: number): Promise<Pooler> {
  const program = findProgram({
    names: ['pgbouncer'],
    debian: ['pgbouncer'],
    says: 'The tests put a PgBouncer before PostgreSQL. Install it (Debian: apt-get install pgbouncer).',
  })
  const url = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'marquee-pgbouncer-'))
  const port = await freePort()
  writeFileSync(join(folder, 'users'), `"${url.username}" "${url.password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${url.hostname} port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
default_pool_size = ${connections}
max_client_conn = 500
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options,extra_float_digits
`,
  )
  // PgBouncer does not run as root.
  chmodSync(folder, 0o755)
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { ...serverIdentity(), cwd: tmpdir(), stdio: 'ignore' })
  const ended = once(child, 'exit')
  url.port = String(port)
  url.hostname = '127.0.0.1'
  for (let tries = 0; tries < 200 && child.exitCode === null && !(await answers(url.href)); tries++) await sleep(50)
  return {
    url: url.href,
    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
