/**
 * Health checks for load balancers: whether the process is alive (liveness), and whether it can do its work (readiness). They pass no limit, so they are
 * always answered.
 */

import type { Exchange } from './exchange.ts'
import { send } from './send.ts'
import type { Door } from './server.ts'

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
const paths = new Set(['/health/live', '/health/ready'])

/** `isReady` rejects when the service cannot do its work. */
export function healthDoor(isReady: () => Promise<void>): Door {
  return {
    takes: ({ url = '', method }) => (method === 'GET' || method === 'HEAD') && paths.has(pathOf(url)),
    answer: (exchange) => answer(exchange, isReady),
  }
}

async function answer(exchange: Exchange, isReady: () => Promise<void>): Promise<void> {
  exchange.route = pathOf(exchange.request.url ?? '')
  if (exchange.route === '/health/live') return send(exchange, 200, plain, 'alive\n')
  const ready = await isReady().then(
    () => true,
    () => false,
  )
  send(exchange, ready ? 200 : 503, plain, ready ? 'ready\n' : 'not ready\n')
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
