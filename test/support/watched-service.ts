/** The service in a process of its own, which tells how much memory it holds and how long its event loop was held at a stretch. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readSettings } from '../../src/config.ts'
import { openLog } from '../../src/lib/log.ts'
import { startReaders } from '../../src/readers/pool.ts'
import { startService } from '../../src/service.ts'
import { bareEnvironment, relativeImports } from './child-node.ts'

export interface WatchedService {
  readonly url: string
  readonly pid: number
  /** Resident bytes now. */
  memory(): number
  /** Processor milliseconds of the longest turn of the event loop since `watchTurns`. */
  longestTurn(): Promise<number>
  watchTurns(): Promise<void>
  stop(): Promise<void>
}

export async function startWatchedService(env: Readonly<Record<string, string>>): Promise<WatchedService> {
  const settings = { PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error', ...env }
  const child = fork(fileURLToPath(import.meta.url), ['serve'], {
    // As bin/marquee.js starts the service.
    env: { ...bareEnvironment(), MALLOC_MMAP_THRESHOLD_: '131072', ...settings },
    execArgv: ['--expose-gc', '--max-semi-space-size=16', '--heap-growing-percent=30', ...relativeImports],
  })
  const { url } = await told<{ url: string }>(child)
  const pid = child.pid as number
  return {
    url,
    pid,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    async longestTurn() {
      child.send('turn')
      return (await told<{ turn: number }>(child)).turn
    },
    async watchTurns() {
      child.send('watch')
      await told(child)
    },
    async stop() {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

async function told<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message')
  return message as T
}

if (process.argv[2] === 'serve' && process.send) void serve(process.send.bind(process))

async function serve(tell: (message: object) => void): Promise<void> {
  const settings = readSettings(process.env)
  const service = await startService(settings, openLog(settings.logLevel))
  startReaders(service.app)
  let endWatch = () => 0
  process.on('message', async (message) => {
    if (message === 'turn') tell({ turn: endWatch() })
    if (message === 'watch') {
      endWatch = watch()
      tell({})
    }
    if (message !== 'stop') return
    await service.stop()
    process.disconnect()
  })
  tell({ url: service.url })
}

/**
 * Processor time, not the clock's: on a busy machine a process waits for others without holding anyone up itself.
 * What this gives ends the watch, which keeps the processor busy, and tells the longest turn.
 */
function watch(): () => number {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
    next = setImmediate(look)
  }
  let next = setImmediate(look)
  return () => {
    clearImmediate(next)
    return longest
  }
}
