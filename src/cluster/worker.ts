/** A worker: a process that serves requests, controlled by the primary that forked it. */

import type { Settings } from '../config.ts'
import { keepCompiledCode } from '../lib/compiled-code.ts'
import { collectWhenIdle } from '../lib/idle-memory.ts'
import type { Channel } from '../lib/processes/channel.ts'
import { startReaders } from '../readers/pool.ts'
import { type Service, startService } from '../service.ts'
import type { Started } from './hand.ts'

/** Resolves when it has stopped as told; when its primary dies, Node ends it at once. */
export async function serveAsWorker(settings: Settings, primary: Channel): Promise<void> {
  const isEnded = whenEnded(primary)
  const service = await startService(settings)
  startReaders(service.app)
  keepCompiledCode()
  collectWhenIdle()
  primary.answer('metrics', () => service.registry.getMetricsAsJSON())
  primary.answer('ready', () => service.isReady())
  primary.answer('alive', () => true)
  primary.hear('drain', () => service.drain())
  void service.failed.then(() => primary.tell('failed'))
  primary.tell('started', { url: service.url } satisfies Started)
  await end(service, await isEnded, primary)
}

type Ending = 'retire' | 'stop'

async function end(service: Service, ending: Ending, primary: Channel): Promise<void> {
  if (ending === 'retire') await service.retire()
  // The primary keeps its counters in the sums.
  primary.tell('last metrics', await service.registry.getMetricsAsJSON())
  await service.stop()
  process.disconnect?.()
}

/** Ctrl-C reaches every process of the terminal; only the primary reacts to it. */
function whenEnded(primary: Channel): Promise<Ending> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  return new Promise((resolve) => {
    primary.hear('retire', () => resolve('retire'))
    primary.hear('stop', () => resolve('stop'))
    process.once('SIGTERM', () => resolve('retire'))
  })
}
