/**
 * Health checks for load balancers: whether the process is alive (liveness), and whether it can do its work (readiness). They pass no limit, so they are
 * always answered.
 */

import type { Exchange } from './exchange.ts'
import type { Readiness, ReadyNote } from './readiness.ts'
import { send } from './send.ts'
import type { Door } from './server.ts'

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
const paths = new Set(['/health/live', '/health/ready'])

/** `isReady` rejects when the service cannot do its work. */
export function healthDoor(isReady: Readiness['isReady']): Door {
  return {
    takes: ({ url = '', method }) => (method === 'GET' || method === 'HEAD') && paths.has(pathOf(url)),
    answer: (exchange) => answer(exchange, isReady),
  }
}

async function answer(exchange: Exchange, isReady: Readiness['isReady']): Promise<void> {
  exchange.route = pathOf(exchange.request.url ?? '')
  if (exchange.route === '/health/live') return send(exchange, 200, plain, 'alive\n')
  const { status, text } = await isReady().then(
    (note) => ({ status: 200, text: readyText(note) }),
    () => ({ status: 503, text: 'not ready' }),
  )
  send(exchange, status, plain, `${text}\n`)
}

export function readyText(note: ReadyNote): string {
  return note === null ? 'ready' : `ready, but ${note}`
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
