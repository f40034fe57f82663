/** The pool of reader threads: what reads or composes much is made there, in two lanes, a few works at a time, and no party gets more than its share. */

import { availableParallelism } from 'node:os'
import { type Settings, workerCount } from '../config.ts'
import { primary } from '../lib/processes/primary.ts'
import { shareConcurrency } from '../lib/processes/shared-limit.ts'
import { moreConnections } from '../lib/work/budget.ts'
import type { Closable, ConcurrencyLimit } from '../lib/work/concurrency.ts'
import { type App, perApp } from '../model/core/app.ts'
import type { Lane, ReaderWork } from './messages.ts'
import { ReaderThreads } from './reader-threads.ts'
import type { WorkInTransit } from './work-in-transit.ts'

const maxThreads = 4
const maxWaiting = 64
const patience = { soon: 10, patient: 120 }

/** Starts the threads for pages, so that nobody's page waits for one, and the first of the long lane. */
export function startReaders(app: App): void {
  const { short, long } = lanesOf(app)
  short.threads.start()
  long.threads.start(1)
}

interface Asking {
  /** Who takes turns with others: a partner, as a rule, and which of its people. */
  readonly party: string
  readonly person?: string
  /** Nothing is done for a client that has gone before its turn came. */
  readonly client?: Closable
}

/** Waits in the queue of the lane as long as the client does. */
export async function askReaders<Asked, Head>(
  app: App,
  { name, lane, isPatient }: ReaderWork<Asked, Head>,
  asked: Asked,
  { party, person = '', client }: Asking,
): Promise<WorkInTransit<Head>> {
  const { turns, threads } = lanesOf(app)[lane]
  const leave = await turns.enter(isPatient ? 'patient' : 'soon', { party, person }, client)
  return threads.open<Head>({ work: name, party, asked }, leave)
}

/**
 * Half of the cores for each lane, shared by all workers; the main threads and the database need the others. A process that runs alone has two threads for
 * pages at least: composing is not divided, so that one person's large page would hold up everyone else's.
 */
export function threadsFor(lane: Lane, cores: number, workers = 1): number {
  const least = lane === 'short' && workers === 1 ? 2 : 1
  return Math.max(least, Math.min(maxThreads, Math.floor(cores / 2 / workers)))
}

interface OpenLane {
  readonly turns: ConcurrencyLimit<keyof typeof patience>
  readonly threads: ReaderThreads
}

const lanesOf = perApp((app): Readonly<Record<Lane, OpenLane>> => ({ short: openLane(app, 'short'), long: openLane(app, 'long') }))

/** The limit holds for all workers together: at least one place per worker, because each has threads of its own. */
function openLane(app: App, lane: Lane): OpenLane {
  const { settings } = app
  const workers = workerCount(settings)
  const snapshots = snapshotsOf(settings)
  const inside = Math.max(snapshots, workers)
  const threads = Math.min(snapshots, threadsFor(lane, availableParallelism(), workers))
  const place = { settings, snapshots: Math.max(1, Math.floor(snapshots / threads)), ahead: [ahead[lane]] }
  const opened = new ReaderThreads(place, threads, heapLimits(threads * workers))
  app.beforeClose.push(() => opened.close())
  const insidePerParty = Math.max(1, Math.floor(inside / 2))
  const personShare = Math.max(1, Math.floor(insidePerParty / 2))
  const rules = (patienceSeconds: number) => ({ inside, waiting: maxWaiting, patienceSeconds, personShare })
  const ranks = { soon: rules(patience.soon), patient: rules(patience.patient) }
  const turns = shareConcurrency(primary, lane, { inside, insidePerParty, ranks })
  return { turns, threads: opened }
}

const ahead: Record<Lane, string> = { short: 'page', long: 'report' }

/** A server gives the lanes a few connections, half of them each; a file gives as many to each. */
function snapshotsOf({ databaseUrl }: Settings): number {
  return databaseUrl === undefined ? moreConnections.readers : moreConnections.readers / 2
}

/**
 * Limits for all threads of a lane together. With a young generation of 12 MB, a sixth of a thread's time went into copying prefetched rows; with 48 MB, a
 * report of 1 GiB once held 99 MB.
 */
function heapLimits(threads: number) {
  return {
    maxYoungGenerationSizeMb: Math.max(16, Math.floor(32 / threads)),
    maxOldGenerationSizeMb: Math.max(96, Math.floor(256 / threads)),
  }
}
