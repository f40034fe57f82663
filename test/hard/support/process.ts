/** The service as a process of its own, started from any tree, killed without mercy, and gone when it should be. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Env = Readonly<Record<string, string>>

export interface Hard {
  readonly url: string
  readonly pid: number
  /** Everything it printed. */
  printed(): string
  /** Resolves with the exit code, or the name of the signal, once it is gone. */
  readonly gone: Promise<number | string>
  readonly hasGone: boolean
  kill(signal?: NodeJS.Signals): Promise<void>
}

interface Starting {
  readonly env: Env
  /** A command that runs the service under itself: `['strace', '-f']`. */
  readonly under?: readonly string[]
  /** A script of the tree that starts the service in its own way, in place of `marquee serve`. */
  readonly script?: string
  readonly seconds?: number
}

const base = { MARQUEE_ENV_FILE: '/dev/null', PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'info' }

export async function startHard(tree: string, { env, under = [], script, seconds = 120 }: Starting): Promise<Hard> {
  const served = script === undefined ? [join(tree, 'bin/marquee.js'), 'serve'] : [join(tree, script)]
  const [command = '', ...args] = [...under, process.execPath, ...served]
  const child = spawn(command, args, { env: { ...cleanEnv(), ...base, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  const state = { hasGone: false }
  const gone = once(child, 'exit').then(([code, signal]: (number | string)[]) => {
    state.hasGone = true
    return code ?? signal ?? 'unknown'
  })
  const url = await untilListening(() => printed, state, seconds, child)
  return {
    url,
    pid: under.length === 0 ? (child.pid ?? 0) : serviceBelow(child.pid ?? 0),
    printed: () => printed,
    gone,
    get hasGone() {
      return state.hasGone
    },
    async kill(signal = 'SIGKILL') {
      killTree(child, signal)
      await gone
    },
  }
}

/** A command line of a tree, while the writers go on: nothing in this process waits for it. Answers what it printed. */
export async function commandOf(tree: string, env: Env, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(tree, 'bin/marquee.js'), ...words], {
    env: { PATH: process.env.PATH, MARQUEE_ENV_FILE: '/dev/null', ...env },
  })
  return stdout
}

function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('MARQUEE_') && name !== 'NODE_OPTIONS' && name !== 'DATABASE_URL'),
  )
}

async function untilListening(printed: () => string, state: { hasGone: boolean }, seconds: number, child: ChildProcess) {
  for (const until = Date.now() + seconds * 1000; Date.now() < until && !state.hasGone; await pause(10)) {
    const url = /Marquee listens on ([^\s"]+)/.exec(printed())?.[1]
    if (url !== undefined) return url
  }
  killTree(child, 'SIGKILL')
  throw new Error(`The service did not start: ${printed()}`)
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Children first: a tracer that goes before its child would leave it running. */
function killTree(child: ChildProcess, signal: NodeJS.Signals): void {
  for (const pid of below(child.pid ?? 0).reverse()) signalled(pid, signal)
  child.kill(signal)
}

function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone already.
  }
}

function below(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    return children.flatMap((child) => [child, ...below(child)])
  } catch {
    return []
  }
}

function serviceBelow(pid: number): number {
  return below(pid).find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('marquee.js')) ?? pid
}
