/** R7, the log: on a full disk, and with a pipe that nobody reads, lines are dropped and counted; the service serves and stops. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { clientOf } from './support/client.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal, Result } from './support/goal.ts'
import { pause } from './support/process.ts'
import { type Disk, smallDisk } from './support/small-disk.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly requests: number
  /** Whether it is tried on PostgreSQL too, which takes a cluster of its own. */
  readonly onBoth: boolean
}

/** Where the service keeps its data. */
type Store = Readonly<Record<string, string>>

const stopsWithinSeconds = 15
const mostGrowthMegabytes = 100
const mostMilliseconds = 1_000

export const blockedLog: Goal<Size> = {
  id: 'R7-log',
  says: 'a log on a full disk or in a pipe that nobody reads: lines are dropped and counted, the service serves and stops',
  short: { requests: 3_000, onBoth: false },
  long: { requests: 100_000, onBoth: true },
  forMutants: { requests: 3_000, onBoth: false },
  run: async (tree, { requests, onBoth }) => {
    const sqlite = await tryBoth(tree, requests)
    const postgres = onBoth ? await inFolder((folder) => onCluster(tree, folder, requests)) : { figures: {}, faults: [] }
    return { figures: { ...sqlite.figures, ...postgres.figures }, faults: [...sqlite.faults, ...postgres.faults] }
  },
  mutants: [
    {
      says: 'the log is written without asking whether it can be',
      file: 'src/lib/log.ts',
      from: 'Object.assign(pino(options, sink), { lines: sink.counts })',
      to: 'Object.assign(pino(options), { lines: sink.counts })',
    },
    {
      says: 'lines wait for their reader without an end',
      file: 'src/lib/log-sink.ts',
      from: 'const maxPendingBytes = 1 << 18',
      to: 'const maxPendingBytes = 1 << 30',
    },
  ],
}

async function onCluster(tree: string, folder: string, requests: number): Promise<Result> {
  const cluster = await makeCluster(folder)
  try {
    const { figures, faults } = await tryBoth(tree, requests, cluster.env)
    const named = Object.entries(figures).map(([name, value]) => [`postgres_${name}`, value])
    return { figures: Object.fromEntries(named), faults: faults.map((fault) => `on PostgreSQL: ${fault}`) }
  } finally {
    await cluster.stop()
  }
}

async function tryBoth(tree: string, requests: number, store: Store = {}): Promise<Result> {
  const disk = await inFolder((folder) => onFullDisk(tree, folder, requests, store))
  const pipe = await inFolder((folder) => inBlockedPipe(tree, folder, requests, store))
  const figures = { disk: disk.says, disk_dropped: disk.dropped, pipe_dropped: pipe.dropped, pipe_growth_mb: pipe.growth }
  return { figures, faults: [...disk.faults, ...pipe.faults] }
}

async function onFullDisk(tree: string, folder: string, requests: number, store: Store) {
  const disk = smallDisk(join(folder, 'small'))
  const file = disk === null ? '/dev/full' : join(disk.folder, 'log')
  const output = openSync(file, 'a')
  disk?.fill(process.pid)
  try {
    const { faults, dropped } = await tryService(tree, folder, store, output, requests, async (url) =>
      disk === null ? [] : afterRoom(disk, file, url),
    )
    return { says: disk?.says ?? 'a device that is always full', faults, dropped }
  } finally {
    closeSync(output)
    disk?.remove()
  }
}

/** With room again lines are written again, the first of them tells how many are missing, and none continues a torn one. */
async function afterRoom(disk: Disk, file: string, url: string): Promise<string[]> {
  disk.free(process.pid)
  const client = clientOf(url)
  for (let count = 0; count < 5; count += 1) await client.ask('/api/nothing')
  await pause(200)
  client.close()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5)
  const readable = lines.filter((line) => /^\{.*\}$/.test(line))
  const isTold = readFileSync(file, 'utf8').includes('log lines were dropped')
  return [
    ...(readable.length < 5 ? [`with room again the log holds ${JSON.stringify(lines)}`] : []),
    ...(isTold ? [] : ['with room again no line tells of those that were dropped']),
  ]
}

async function inBlockedPipe(tree: string, folder: string, requests: number, store: Store) {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const output = openSync(path, constants.O_RDWR)
  const { faults, dropped, growth } = await tryService(tree, folder, store, output, requests)
  closeSync(output)
  return { faults, dropped, growth }
}

async function tryService(
  tree: string,
  folder: string,
  store: Store,
  output: number,
  requests: number,
  then: (url: string) => Promise<string[]> = async () => [],
) {
  const [port, adminPort] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    MARQUEE_ADMIN_PORT: String(adminPort),
    LOG_LEVEL: 'info',
    ...store,
  }
  execFileSync(process.execPath, [join(tree, 'bin/marquee.js'), 'migrate', '--init'], { env, stdio: 'ignore' })
  const child = spawn(process.execPath, [join(tree, 'bin/marquee.js'), 'serve'], { env, stdio: ['ignore', output, 'ignore'] })
  const url = `http://127.0.0.1:${port}`
  try {
    await untilAlive(url)
    const before = await settledMegabytes(child.pid)
    const faults = await ask(url, requests)
    const growth = residentMegabytes(child.pid) - before
    const dropped = await droppedLines(adminPort)
    if (dropped === 0) faults.push('no line was dropped: the goal measured nothing')
    if (growth > mostGrowthMegabytes) faults.push(`memory grew by ${growth} MB`)
    return { faults: [...faults, ...(await then(url)), ...(await stops(child))], dropped, growth }
  } finally {
    child.kill('SIGKILL')
  }
}

/** Anonymous requests that are logged, with health among them. */
async function ask(url: string, requests: number): Promise<string[]> {
  const client = clientOf(url, undefined, 16)
  const faults: string[] = []
  for (let done = 0; done < requests && faults.length === 0; done += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.ask('/api/nothing', { timeoutMilliseconds: 5_000 })))
    if (answers.some((answer) => answer?.status !== 404)) faults.push(`a request was answered ${answers.map((one) => one?.status).join()}`)
    const health = await client.ask('/health/live', { timeoutMilliseconds: 5_000 })
    if (health?.status !== 200 || health.milliseconds > mostMilliseconds)
      faults.push(`health was answered ${health?.status} after ${health?.milliseconds} ms`)
  }
  client.close()
  return faults
}

async function stops(child: ChildProcess): Promise<string[]> {
  if (child.exitCode !== null || child.signalCode !== null) return ['the service went away']
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(stopsWithinSeconds * 1000) })
  child.kill('SIGTERM')
  const ended = await gone.then(
    ([code]) => code,
    () => 'never',
  )
  return ended === 0 ? [] : [`told to stop, the service ended with ${ended}`]
}

async function droppedLines(adminPort: number): Promise<number> {
  const client = clientOf(`http://127.0.0.1:${adminPort}`)
  const text = String((await client.ask('/metrics'))?.body)
  client.close()
  return Number(/^marquee_log_lines\w*\{[^}]*dropped[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

async function untilAlive(url: string): Promise<void> {
  const client = clientOf(url)
  for (let tries = 0; tries < 300 && (await client.ask('/health/live')) === null; tries += 1) await pause(100)
  client.close()
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}

/** The reader threads load their program while the service already answers. */
async function settledMegabytes(pid?: number): Promise<number> {
  let [before, now] = [0, residentMegabytes(pid)]
  while (now > before) {
    await pause(500)
    ;[before, now] = [now, residentMegabytes(pid)]
  }
  return now
}

function residentMegabytes(pid = 0): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
}
