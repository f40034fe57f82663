/** The table of all jobs. */

import { randomUUID } from 'node:crypto'
import type { Log } from '../lib/log.ts'
import { sendsMail } from '../lib/network/smtp.ts'
import type { App } from '../model/core/app.ts'
import { isAnyEventWaiting, placeEvents } from '../model/core/events/order.ts'
import { isAnySealedBehind, sealAgain } from '../model/core/secrets/sealed-values.ts'
import { areFiguresStale, renewFigures } from '../model/dashboard/desk/site-figures.ts'
import { forgetDeliveries } from '../model/intakes/deliveries/keep-delivery.ts'
import { dropRestingUploads } from '../model/intakes/parked-uploads.ts'
import { isTaskDue, removeAbandonedFiles } from '../model/intakes/tasks.ts'
import { hostOf } from '../model/intakes/upload-files.ts'
import { tellMissingHosts } from '../model/mail/missing-hosts.ts'
import { clearRemovals, isAnythingRemoved } from '../model/partners/clearing.ts'
import { isAnyLookDue, lookAtDueHosts } from '../model/partners/hosts/looks.ts'
import { isAnySenderDue, lookAtDueSenders } from '../model/partners/senders/sender-looks.ts'
import { isAnyMakerNeeded, noteLostLinks } from '../model/people/lost-links.ts'
import { endOverViews, isAnyViewOver } from '../model/people/staff/views.ts'
import { isAnySiteDue } from '../model/sources/due-sites.ts'
import { isAnythingUnsealed, sealEntries } from '../model/upkeep/audit-seals.ts'
import { endAccounts, isAnyAccountOver } from '../model/upkeep/ended-accounts.ts'
import { areMonthsMissing, closeMonths, makeMonthsAhead } from '../model/upkeep/months.ts'
import { sweep } from '../model/upkeep/retention.ts'
import { workOnIntakes } from './intakes.ts'
import type { Job } from './loop.ts'
import { type Compose, deliverMail, isMailDue } from './mail.ts'
import { workOnSources } from './sources.ts'

const hour = 3_600
/** An hour of low load, in UTC. */
const nightHour = 3

export function jobsOn(app: App, log: Log, compose: Compose): readonly Job[] {
  // biome-ignore format: a table reads by its columns
  return [
    { name: 'seal',  everySeconds: 1,    isDue: () => isAnythingUnsealed(app), run: sealing(app, log) },
    { name: 'events', everySeconds: 0.25, isDue: () => isAnyEventWaiting(app), run: (signal) => placeAll(app, signal), isEverywhere: true },
    { name: 'intakes', everySeconds: 1,  isDue: () => isTaskDue(app),          run: (signal) => workOnIntakes(app, log, signal), isEverywhere: true, kind: 'intake' },
    { name: 'clearing', everySeconds: 1, isDue: () => isAnythingRemoved(app),  run: (signal) => clearRemovals(app, signal) },
    { name: 'ending', everySeconds: 60,  isDue: () => isAnyAccountOver(app),   run: (signal) => endAccounts({ kind: 'operator', app, requestId: randomUUID() }, signal) },
    { name: 'views', everySeconds: 60,   isDue: () => isAnyViewOver(app),      run: () => endOverViews({ kind: 'operator', app, requestId: randomUUID() }) },
    { name: 'links', everySeconds: 600,  isDue: () => isAnyMakerNeeded(app),   run: (signal) => noteLostLinks({ kind: 'operator', app, requestId: randomUUID() }, signal) },
    { name: 'sealed', everySeconds: 60,  isDue: () => isAnySealedBehind(app),  run: (signal) => sealAgain(app, signal) },
    { name: 'figures', everySeconds: 15, isDue: () => areFiguresStale(app),    run: (signal) => renewFigures(app, signal) },
    { name: 'hosts', everySeconds: 60,   isDue: async () => (await isAnyLookDue(app)) || (await isAnySenderDue(app)), run: () => lookAtHosts(app) },
    { name: 'uploads', everySeconds: 600, isDue: async () => hostOf(app.settings) !== null, run: () => dropOldFiles(app), isEverywhere: true },
    { name: 'sources', everySeconds: 10, isDue: () => isAnySiteDue(app),       run: (signal) => workOnSources(app, log, signal), isEverywhere: true },
    { name: 'sweep', everySeconds: hour, isDue: async () => isNight(app),      run: (signal) => sweepHere(app, log, signal), restSeconds: 20 * hour },
    { name: 'months', everySeconds: 600, isDue: () => areMonthsMissing(app),   run: () => makeMonthsAhead(app) },
    { name: 'closing', everySeconds: hour, isDue: async () => isNight(app) && app.store.engine.months !== null, run: (signal) => closeHere(app, log, signal), restSeconds: 20 * hour },
    ...(sendsMail(app.settings) ? [{ name: 'mail', everySeconds: 5, isDue: () => isMailDue(app), run: (signal: AbortSignal) => deliverMail(app, log, compose, signal), restSeconds: 0 }] : []),
  ]
}

async function placeAll(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await placeEvents(app)) > 0);
}

/** Whose record is missing is told to its admins. */
async function lookAtHosts(app: App): Promise<void> {
  await lookAtDueHosts(app)
  await lookAtDueSenders(app)
  await tellMissingHosts(app)
}

/** What nobody has released or stored in time, and what a crash has left. */
async function dropOldFiles(app: App): Promise<void> {
  await dropRestingUploads(app)
  await forgetDeliveries(app)
  await removeAbandonedFiles(app)
}

/** Writes the head of the audit chain to the log once an hour, so that removing sealed entries would be noticed. */
function sealing(app: App, log: Log): Job['run'] {
  let anchoredAt = Number.NEGATIVE_INFINITY
  return async (signal) => {
    let head: Awaited<ReturnType<typeof sealEntries>> = null
    for (let next = await sealEntries(app); next !== null && !signal.aborted; next = await sealEntries(app)) head = next
    if (head === null || performance.now() - anchoredAt < hour * 1000) return
    anchoredAt = performance.now()
    log.info({ audit_position: head.position, audit_seal: head.seal }, 'audit anchor')
  }
}

function isNight({ clock }: App): boolean {
  return new Date(clock.now()).getUTCHours() === nightHour
}

async function sweepHere(app: App, log: Log, signal: AbortSignal): Promise<void> {
  log.info(await sweep({ kind: 'operator', app, requestId: randomUUID() }, signal), 'swept')
}

async function closeHere(app: App, log: Log, signal: AbortSignal): Promise<void> {
  log.info(await closeMonths(app, signal), 'closed months')
}
