/** The programs of a cluster and processes of them, which end with this process, however it ends. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from '../../support/postgres.ts'
import { pause } from '../support/process.ts'

/** Each program with the package of Debian that brings it. */
export const programs = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
} as const

export type ProgramName = keyof typeof programs

const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin', '/sbin']

/** Installs what is missing where that is possible, and answers the packages that are missing still. */
export function missingPackages(names: readonly ProgramName[]): string[] {
  const missing = () => [...names.filter((name) => pathOf(name) === undefined).map((name) => programs[name]), ...missingServer()]
  if (missing().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install(missing())
  return missing()
}

export function programPath(name: ProgramName): string {
  return pathOf(name) ?? ''
}

/** Patroni needs pg_ctl, pg_basebackup and pg_rewind, which the server from npm lacks. */
export function serverFolder(): string {
  return (
    ['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin`).find((bin) => existsSync(join(bin, 'pg_rewind'))) ?? ''
  )
}

function missingServer(): string[] {
  return serverFolder() === '' ? ['postgresql-15'] : []
}

function pathOf(name: ProgramName): string | undefined {
  return folders.map((folder) => join(folder, name)).find(existsSync)
}

/** The packages would start services of the machine; RUNLEVEL=1 tells their scripts not to. */
function install(packages: readonly string[]): void {
  console.log(`Installing ${packages.join(', ')} with apt-get.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, stdio: 'ignore' })
}

export interface Running {
  readonly pid: number
  kill(signal: NodeJS.Signals): Promise<void>
  /** Asks it to end and waits until it has. */
  end(): Promise<void>
}

interface Start {
  readonly command: string
  readonly args: readonly string[]
  readonly log: string
  readonly identity?: Identity
  readonly env?: Readonly<Record<string, string>>
}

// The program lives as long as our end of the pipe: even when this process is killed outright, the shell ends it.
const shell = '"$@" & read _; kill -TERM $!; wait $!'

export async function startProgram({ command, args, log, identity, env = {} }: Start): Promise<Running> {
  const output = openSync(log, 'a')
  const options = { ...identity, cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...env }, detached: true }
  const keeper = spawn('sh', ['-c', shell, 'sh', command, ...args], { ...options, stdio: ['pipe', output, output] })
  closeSync(output)
  keeper.stdin?.on('error', () => {})
  const pid = await untilChild(keeper)
  return {
    pid,
    async kill(signal) {
      sendSignal(pid, signal)
      while (isAlive(pid)) await pause(5)
      keeper.stdin?.end()
    },
    async end() {
      keeper.stdin?.end()
      while (isAlive(pid)) await pause(20)
    },
  }
}

async function untilChild({ pid = 0 }: ChildProcess): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const [child] = childrenOf(pid)
    if (child !== undefined) return child
    await pause(10)
  }
  throw new Error('The program did not start.')
}

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone already.
  }
}

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
