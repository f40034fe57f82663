/**
 * Loaded into the service before anything else: tells how much processor time the main thread used between two turns of its event loop,
 * how much of it was our own code, and how much it used while a request with `x-sent-at` waited for its answer.
 *
 * A delay by the clock says as much about the machine as about the service. Processor time of the thread is the same on a busy
 * machine, so that the short form of a goal can judge it beside other tests.
 */
import { subscribe } from 'node:diagnostics_channel'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PerformanceObserver, performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import type { Slices } from './slices.ts'

/** The end of a turn, by the clock and in the processor's time so far. */
interface Turn {
  readonly at: number
  readonly used: number
}

interface Span {
  readonly from: number
  readonly to: number
}

const mostTurns = 20_000
/** Shorter ones are not looked at again. */
const noticedMilliseconds = 5
/** Collections are told some time after they happened. */
const tellMilliseconds = 20

const path = process.env.WATCH_SLICES
if (isMainThread && path !== undefined) watch(path)

function watch(socket: string): void {
  let longest = 0
  let waits: number[] = []
  let noticed: (Span & { readonly used: number })[] = []
  let collections: Span[] = []
  const turns: Turn[] = [turn()]
  setInterval(() => {
    const [last, now] = [turns.at(-1) as Turn, turn()]
    const used = now.used - last.used
    longest = Math.max(longest, used)
    if (used >= noticedMilliseconds) noticed.push({ from: last.at, to: now.at, used })
    turns.push(now)
    if (turns.length > mostTurns) turns.splice(0, mostTurns / 2)
  }, 1).unref()
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) collections.push({ from: startTime, to: startTime + duration })
  }).observe({ entryTypes: ['gc'] })
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const sentAt = Number(request.headers['x-sent-at']) - clocksApart
    if (Number.isNaN(sentAt)) return
    // The turn that was on when the request was sent counts as a whole.
    const before = turns.findLast(({ at }) => at <= sentAt)?.used ?? 0
    response.once('finish', () => waits.push(turn().used - before))
  })
  // The service begins again under the same process id, and finds the socket of its first beginning.
  rmSync(socket, { force: true })
  createServer((_request, response) => {
    setTimeout(() => {
      const own = Math.max(0, ...noticed.map((one) => one.used * (1 - lengthOf(collections, one) / (one.to - one.from))))
      const collected = Math.max(0, ...collections.map(({ from, to }) => to - from))
      response.end(JSON.stringify({ longest, own, collected, collections: collections.length, waits } satisfies Slices))
      longest = 0
      waits = []
      noticed = []
      collections = []
    }, tellMilliseconds)
  })
    .listen(socket)
    .unref()
}

/** Other processes know only the clock of the machine. */
const clocksApart = Number(process.hrtime.bigint()) / 1e6 - performance.now()

function turn(): Turn {
  const { user, system } = process.threadCpuUsage()
  return { at: performance.now(), used: (user + system) / 1000 }
}

/** How long the collections were within a turn, by the clock: of that as large a part was in the processor as of the whole turn. */
function lengthOf(collections: readonly Span[], { from, to }: Span): number {
  return collections.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0)
}
