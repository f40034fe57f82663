/** What `npm test` runs: the checks, then every test file on real parts, started before and gone after. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { run } from 'node:test'
import { spec as SpecReporter } from 'node:test/reporters'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { relativeImports } from './support/child-node.ts'
import { findChromium } from './support/chromium.ts'
import { engineNames, makeTemplates } from './support/engines.ts'
import { startPostgres, type TestPostgres } from './support/postgres.ts'
import { makeRunFolder } from './support/run-folder.ts'

const root = dirname(import.meta.dirname)
/** It only ends what hangs: on a busy machine a test takes many times as long as on a quiet one. Long forms ask for more. */
const testTimeoutMinutes = Number(process.env.TEST_MINUTES ?? 15)
// A red run must be red again: short forms draw the same data each time, long forms draw other data.
if (process.env.TEST_MINUTES === undefined) process.env.HARD_SEED ??= '1'
const checks = [
  ['biome', 'check', '.'],
  ['tsc', '--noEmit'],
  ['knip', '--no-progress'],
] as const
// One more than there are cores: files wait for browsers and processes.
const lanes = availableParallelism() + 1
/** Folders whose files take longest, which go first: a long file at the end would leave the other lanes empty. */
const longFolders = ['test/web/', 'test/hard/', 'test/cli/', 'test/demo/', 'test/api/']
/** What is started for the tests, by the name under which they read of it. */
const allParts = ['TEST_CHROMIUM', 'TEST_POSTGRES_URL', 'TEST_POSTGRES_TEMPLATE'] as const
type Part = (typeof allParts)[number]

const filesPerProcess = 12
/** An editor saves in several steps. */
const settlingMilliseconds = 200
const suites = pathToFileURL(join(root, 'test/support/file-suites.ts')).href
const summaryLine = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /

process.chdir(root)
// All processes compile the same sources.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled-tests')
process.env.PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
process.exitCode = await main(process.argv.slice(2))

async function main(given: string[]): Promise<number> {
  const named = given.filter((word) => word !== '--watch')
  const found = (named.length > 0 ? named : ['test/**/*.test.ts']).flatMap((pattern) => globSync(pattern)).sort()
  const files = found.toSorted((one, other) => placeOf(one) - placeOf(other))
  if (files.length === 0) {
    console.error(`No test file matches ${named.join(' ')}`)
    return 1
  }
  const isSound = named.length > 0 || (await runChecks())
  const parts = await makeReady(named.length > 0 ? readBy(files) : allParts)
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())
  try {
    let hasPassed = await runFiles(files, isSound, interruption.signal)
    while (given.includes('--watch') && (await sourcesChange(interruption.signal)))
      hasPassed = await runFiles(files, isSound, interruption.signal)
    return hasPassed && isSound ? 0 : 1
  } finally {
    await parts.stop()
  }
}

function placeOf(file: string): number {
  const place = longFolders.findIndex((folder) => file.startsWith(folder))
  return place < 0 ? longFolders.length : place
}

/** A single file starts nothing that neither it nor what it imports reads of. */
function readBy(files: readonly string[]): readonly Part[] {
  const texts = new Map<string, string>()
  const read = (path: string) => {
    if (texts.has(path) || !existsSync(path)) return
    const text = readFileSync(path, 'utf8')
    texts.set(path, text)
    for (const [, target = ''] of text.matchAll(/(?:from|import|import\() ?'(\.[^']+\.ts)'/g)) read(join(dirname(path), target))
  }
  for (const file of files) read(file)
  return allParts.filter((part) => [...texts.values()].some((text) => text.includes(part)))
}

async function makeReady(parts: readonly Part[]): Promise<Pick<TestPostgres, 'stop'>> {
  process.env.TMPDIR = makeRunFolder()
  if (parts.includes('TEST_CHROMIUM')) process.env.TEST_CHROMIUM ||= findChromium()
  const isAsked = parts.includes('TEST_POSTGRES_URL') && engineNames.includes('postgres')
  const postgres = !isAsked || process.env.TEST_POSTGRES_URL ? undefined : await startPostgres()
  if (postgres !== undefined) process.env.TEST_POSTGRES_URL = postgres.url
  const templates = parts.includes('TEST_POSTGRES_TEMPLATE') ? await makeTemplates() : undefined
  return {
    stop: async () => {
      await templates?.remove()
      await postgres?.stop()
    },
  }
}

/** Resolves once a source was saved and all stay as they are for a moment; false at an interruption. */
async function sourcesChange(signal: AbortSignal): Promise<boolean> {
  console.log('\nWaiting for a change in src/ or test/; Ctrl+C ends.')
  const changes = ['src', 'test'].map((folder) => once(watch(folder, { recursive: true, signal }), 'change', { signal }))
  return Promise.race(changes).then(
    () => sleep(settlingMilliseconds, true),
    () => false,
  )
}

async function runChecks(): Promise<boolean> {
  const failed: string[] = []
  for (const [name, ...args] of checks) {
    const startedAt = performance.now()
    const { code, output } = await outcome(name, args)
    console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds(performance.now() - startedAt)})`)
    if (code !== 0) {
      failed.push(name)
      console.log(output)
    }
  }
  return failed.length === 0
}

async function outcome(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const code = await new Promise<number>((resolve, reject) => child.on('error', reject).on('close', (status) => resolve(status ?? 1)))
  return { code, output }
}

// The runner's own closing lines are held back, so that the failures and the slowest files come before them.
async function runFiles(files: string[], isSound: boolean, signal: AbortSignal): Promise<boolean> {
  const reporter = new SpecReporter()
  reporter.pipe(process.stdout)
  const durations: [file: string, milliseconds: number][] = []
  const closing: string[] = []
  let hasPassed = true
  const preloads = ['cheap-promises.ts', 'watch-planes.ts'].flatMap((name) => ['--import', join(root, 'test/support', name)])
  const execArgv = [...relativeImports, ...preloads]
  for await (const event of run({ files: entriesOf(files), concurrency: lanes, timeout: testTimeoutMinutes * 60_000, execArgv, signal })) {
    const isEnd = event.type === 'test:pass' || event.type === 'test:fail'
    if (event.type === 'test:fail') hasPassed = false
    if (isEnd && event.data.nesting === 0) durations.push([event.data.name, event.data.details.duration_ms])
    if (event.type === 'test:diagnostic' && event.data.nesting === 0 && summaryLine.test(event.data.message))
      closing.push(event.data.message)
    else reporter.write(event)
  }
  await new Promise((resolve) => reporter.once('end', resolve).end())
  printSlowest(durations)
  if (!isSound) console.log('\n✖ a check failed; its output is above')
  console.log(`\n${closing.map((line) => `ℹ ${line}`).join('\n')}`)
  return hasPassed
}

/** The first files of the processes: each names some files of one folder. */
function entriesOf(files: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'processes-'))
  return Object.entries(Object.groupBy(files, dirname)).flatMap(([name, own = []]) =>
    Array.from({ length: Math.ceil(own.length / filesPerProcess) }, (_, number) => {
      const entry = join(folder, `${name.replaceAll('/', '.')}.${number + 1}.mjs`)
      const shared = own.slice(number * filesPerProcess, (number + 1) * filesPerProcess)
      writeFileSync(entry, `import { fileSuites } from ${JSON.stringify(suites)}\nfileSuites(${JSON.stringify(shared)})\n`)
      return entry
    }),
  )
}

function printSlowest(durations: [file: string, milliseconds: number][]) {
  console.log('\nSlowest files')
  const slowest = durations.toSorted(([, a], [, b]) => b - a).slice(0, 10)
  for (const [file, milliseconds] of slowest) console.log(`${seconds(milliseconds).padStart(9)}  ${file}`)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
