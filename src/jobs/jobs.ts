/** Every job, on one screen. */

import { randomUUID } from 'node:crypto'
import type { Log } from '../lib/log.ts'
import type { App } from '../model/core/app.ts'
import { sealEntries } from '../model/upkeep/audit-seals.ts'
import { sweep } from '../model/upkeep/retention.ts'
import type { Job } from './loop.ts'

const hour = 3_600
/** The hour of the day, UTC, in which most sleep. */
const nightHour = 3

export function jobsOn(app: App, log: Log): readonly Job[] {
  // biome-ignore format: a table reads by its columns
  return [
    { name: 'seal',  everySeconds: 1,    run: sealing(app, log) },
    { name: 'sweep', everySeconds: hour, run: () => sweepAtNight(app, log) },
  ]
}

/** Once an hour the head of the chain goes to the log: what was sealed until then cannot be cut off unseen. */
function sealing(app: App, log: Log): () => Promise<void> {
  let anchoredAt = Number.NEGATIVE_INFINITY
  return async () => {
    const head = await sealEntries(app)
    if (head === null || performance.now() - anchoredAt < hour * 1000) return
    anchoredAt = performance.now()
    log.info({ audit_position: head.position, audit_seal: head.seal }, 'audit anchor')
  }
}

async function sweepAtNight(app: App, log: Log): Promise<void> {
  if (new Date(app.clock.now()).getUTCHours() !== nightHour) return
  log.info(await sweep({ kind: 'operator', app, requestId: randomUUID() }), 'swept')
}
