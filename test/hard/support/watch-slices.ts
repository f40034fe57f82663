/**
 * Loaded into the service before anything else: tells how much processor time the main thread used between two turns of its event loop,
 * and how much it used while a request with `x-sent-at` waited for its answer.
 *
 * A delay by the clock says as much about the machine as about the service. Processor time of the thread is the same on a busy
 * machine, so that the short form of a goal can judge it beside other tests.
 */
import { subscribe } from 'node:diagnostics_channel'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isMainThread } from 'node:worker_threads'

interface Turn {
  readonly at: number
  readonly used: number
}

const mostTurns = 20_000

const path = process.env.WATCH_SLICES
if (isMainThread && path !== undefined) watch(path)

function watch(socket: string): void {
  let longest = 0
  let waits: number[] = []
  const turns: Turn[] = [turn()]
  setInterval(() => {
    const now = turn()
    longest = Math.max(longest, now.used - (turns.at(-1)?.used ?? 0))
    turns.push(now)
    if (turns.length > mostTurns) turns.splice(0, mostTurns / 2)
  }, 1).unref()
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const sentAt = Number(request.headers['x-sent-at'])
    if (Number.isNaN(sentAt)) return
    // The turn that was on when the request was sent counts as a whole.
    const before = turns.findLast(({ at }) => at <= sentAt)?.used ?? 0
    response.once('finish', () => waits.push(turn().used - before))
  })
  // The service begins again under the same process id, and finds the socket of its first beginning.
  rmSync(socket, { force: true })
  createServer((_request, response) => {
    response.end(JSON.stringify({ longest, waits }))
    longest = 0
    waits = []
  })
    .listen(socket)
    .unref()
}

function turn(): Turn {
  const { user, system } = process.threadCpuUsage()
  return { at: Number(process.hrtime.bigint()) / 1e6, used: (user + system) / 1000 }
}
