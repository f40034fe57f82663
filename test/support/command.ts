/** The real command line in a process of its own, on the database of a test. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment, relativeImports } from './child-node.ts'
import type { AskedCommand } from './command-loop.ts'
import type { Place } from './engines.ts'

const root = join(import.meta.dirname, '..', '..')

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  json<T = Record<string, never>>(): T
}

interface Surroundings {
  /** The user to run as; only root can choose one. */
  readonly uid?: number
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

/** `marquee(place, 'partner create --name', 'Acme')`: the first words are split at blanks, the rest are taken whole. */
export async function marquee(place: Place, words: string, ...rest: (string | Surroundings)[]): Promise<Outcome> {
  const { env = {}, stdin = '', uid } = rest.find((each) => typeof each === 'object') ?? {}
  const child = start(place, [...words.split(' '), ...rest.filter((each) => typeof each === 'string')], env, uid)
  child.stdin.end(stdin)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr, json: () => JSON.parse(stdout) }
}

/** As `marquee`, in one process for all command lines of a block of tests: most of the time of a command is the start of its process. */
export function marqueeOn(place: Place): typeof marquee {
  let child: ChildProcess
  before(() => {
    child = fork(join(import.meta.dirname, 'command-loop.ts'), { env: environment(place), execArgv: relativeImports })
  })
  after(() => child?.disconnect())
  return async (_, words, ...rest) => {
    const { env = {}, stdin = '' } = rest.find((each) => typeof each === 'object') ?? {}
    child.send({ words: [...words.split(' '), ...rest.filter((each) => typeof each === 'string')], env, stdin } satisfies AskedCommand)
    const [outcome] = (await once(child, 'message')) as [Omit<Outcome, 'json'>]
    return { ...outcome, json: () => JSON.parse(outcome.stdout) }
  }
}

/** Many command lines in one process, one after the other: what each prints, and its code. */
export async function marqueeEach(place: Place, lines: readonly string[]): Promise<Outcome[]> {
  const child = spawn(
    process.execPath,
    [...relativeImports, '--input-type=module', '-e', each, join(root, 'src/cli/command-line.ts'), ...lines],
    {
      env: environment(place),
    },
  )
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')])
  const outcomes: { code: number; stdout: string; stderr: string }[] = JSON.parse(stdout)
  return outcomes.map((outcome) => ({ ...outcome, json: () => JSON.parse(outcome.stdout) }))
}

const each = `
  const [path, ...lines] = process.argv.slice(1)
  const { runCommandLine } = await import(path)
  const outcomes = []
  const out = process.stdout.write.bind(process.stdout)
  for (const line of lines) {
    const outcome = { stdout: '', stderr: '' }
    process.stdout.write = (text) => { outcome.stdout += text; return true }
    process.stderr.write = (text) => { outcome.stderr += text; return true }
    const code = await runCommandLine(line.split(' '), process.env)
    outcomes.push({ code, ...outcome })
  }
  out(JSON.stringify(outcomes))
`

export interface Running {
  readonly url: string
  readonly pid: number
  /** Everything printed so far, on standard output and standard error. */
  printed(): string
  /** The lines of standard output so far. */
  lines(): string[]
  /** Resolves when the text has been printed. */
  prints(text: string): Promise<void>
  /** Nothing that is printed from now on is read. */
  closePipes(): void
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>
}

export async function serving(place: Place, words = 'serve', env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const child = start(place, words.split(' '), { PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error', ...env })
  let [printed, output] = ['', '']
  child.stdout.on('data', (chunk) => {
    printed += chunk
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  const prints = (wanted: string) => untilPrinted(child, wanted, () => printed)
  await prints('listens on ')
  await prints('\n')
  const stop = async (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM') => {
    child.kill(signal)
    if (child.exitCode === null) await once(child, 'close')
    return child.exitCode
  }
  return {
    url: /listens on ([^\s"]+)/.exec(printed)?.[1] ?? '',
    pid: child.pid as number,
    printed: () => printed,
    lines: () => output.split('\n').filter(Boolean),
    prints,
    closePipes() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    stop,
  }
}

function start(place: Place, args: readonly string[], env: Readonly<Record<string, string>>, uid?: number): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [join(root, 'bin', 'marquee.js'), ...args], {
    env: { ...environment(place), ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  })
}

function environment(place: Place): Record<string, string> {
  return { ...bareEnvironment(), ...place.env }
}

async function untilPrinted(child: ChildProcessWithoutNullStreams, wanted: string, printed: () => string): Promise<void> {
  while (!printed().includes(wanted)) {
    if (child.exitCode !== null) throw new Error(`The process ended with ${child.exitCode} before it printed "${wanted}":\n${printed()}`)
    await sleep(10)
  }
}
