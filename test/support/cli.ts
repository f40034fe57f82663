/** The real command line, each time as a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Place } from './engines.ts'
import { projectRoot } from './sources.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  json(): unknown
}

interface Circumstances {
  readonly env?: Readonly<Record<string, string>>
  /** What is written to its standard input, which is then closed. */
  readonly input?: string
}

/** `await marquee(place, ['partner', 'create', '--name', 'Acme', '--json'])` */
export async function marquee(place: Place, words: readonly string[], { env = {}, input = '' }: Circumstances = {}): Promise<Outcome> {
  const child = launch(place, words, env)
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  // A command that reads no input may be gone before it is written.
  child.stdin.on('error', () => undefined).end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr(), json: () => JSON.parse(stdout()) }
}

export interface ServedProcess {
  readonly url: string
  readonly pid: number
  /** Everything printed so far, from both streams. */
  printed(): string
  /** Resolves once the text has been printed; fails when the process ends before. */
  until(pattern: RegExp): Promise<void>
  /** The exit code, once it has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** `marquee serve` on a free port, as a process of its own. */
export async function serveProcess(
  place: Place,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServedProcess> {
  const child = launch(place, ['serve', ...words], { PORT: '0', MARQUEE_ADMIN_PORT: '0', ...env })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const printed = () => stdout() + stderr()
  const ended = once(child, 'close') as Promise<[number | null]>
  const until = (pattern: RegExp) => untilPrinted(child, printed, pattern)
  await until(/listens on \S+\n/)
  return {
    url: /listens on (\S+)/.exec(printed())?.[1] ?? '',
    pid: child.pid ?? 0,
    printed,
    until,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}

// Nothing of our own environment but the path: a setting of the machine that runs the tests must not reach them.
function launch(place: Place, words: readonly string[], env: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams {
  const clean = { PATH: process.env.PATH ?? '', HOME: place.folder, ...place.env, ...env }
  return spawn(process.execPath, [join(projectRoot, 'bin', 'marquee.js'), ...words], { cwd: place.folder, env: clean })
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

function untilPrinted(child: ChildProcessWithoutNullStreams, printed: () => string, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (pattern.test(printed())) resolve()
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('close', (code) => reject(new Error(`ended with ${code} before it printed ${pattern}:\n${printed()}`)))
    look()
  })
}
