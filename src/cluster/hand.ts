/** A worker as the primary sees it: forked with the settings that the primary checked, ended if it does not serve in time, and killed when it hangs. */

import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../config.ts'
import { refuse } from '../lib/failures.ts'
import type { Log } from '../lib/log.ts'
import { type Channel, openChannel } from '../lib/processes/channel.ts'
import type { WorkerMetrics } from './metrics-sum.ts'

/** What a worker reports once it serves. */
export interface Started {
  readonly url: string
}

export interface Hand {
  readonly worker: Worker
  readonly channel: Channel
  /** The settings that it was started with. */
  readonly environment: Environment
  readonly startedAt: number
  /** Resolves once the worker serves; rejects with the reason if it ends before. */
  readonly started: Promise<Started>
  readonly gone: Promise<void>
  isServing: boolean
  /** Whether it was told to end, so that it is not restarted. */
  isLeaving: boolean
  /** How often it was asked for a sign of life since it last gave one. */
  unanswered: number
  lastMetrics: WorkerMetrics
}

const startSeconds = 60
const beatMilliseconds = 1_000
/** Counted in questions, not by the clock: a machine that sleeps stops the primary as well. */
const silentBeats = 2
const hungBeats = 15
/** A worker that hangs must not hide the metrics of the others. */
const metricsMilliseconds = 5_000
const aliveMilliseconds = 3_000

export function forkHand(environment: Environment, log: Log): Hand {
  const worker = cluster.fork()
  const channel = openChannel(worker)
  channel.answer('environment', () => environment)
  // A message that it sent last may be read after its exit.
  const gone = Promise.all([once(worker, 'exit'), once(worker, 'disconnect')]).then(() => {})
  // A message to a worker that is just ending: its end is told by the exit.
  worker.on('error', () => {})
  const hand: Hand = {
    worker,
    channel,
    environment,
    startedAt: performance.now(),
    started: startOf(worker, channel, gone),
    gone,
    isServing: false,
    isLeaving: false,
    unanswered: 0,
    lastMetrics: [],
  }
  // Nobody may be waiting for a restarted worker, so a failure must not count as unhandled.
  hand.started.then(
    () => watch(hand, log),
    () => {},
  )
  channel.hear('last metrics', (metrics: WorkerMetrics) => {
    hand.lastMetrics = metrics
  })
  return hand
}

/** By its id: a worker that is stopped or hangs reads no message. */
export function kill({ worker }: Hand): void {
  worker.process.kill('SIGKILL')
}

/** Rejects with the reason why the worker is not ready; one that does not answer is named. Resolves with what it notes, or null. */
export async function readinessOf({ worker, channel, unanswered }: Hand): Promise<string | null> {
  const silent = new Error(`worker ${worker.process.pid} does not answer`)
  if (unanswered > silentBeats) throw silent
  const patience = sleep(aliveMilliseconds, undefined, { ref: false }).then(() => Promise.reject(silent))
  await Promise.race([channel.ask('alive'), patience])
  // A worker that lives may take its time to say what its database does.
  return channel.ask('ready')
}

export async function readMetrics(hand: Hand): Promise<void> {
  const patience = sleep(metricsMilliseconds, hand.lastMetrics, { ref: false })
  hand.lastMetrics = await Promise.race([hand.channel.ask<WorkerMetrics>('metrics'), patience]).catch(() => hand.lastMetrics)
}

async function startOf(worker: Worker, channel: Channel, gone: Promise<void>): Promise<Started> {
  let reason = 'A worker ended before it served.'
  channel.hear('fault', (sentence: string) => {
    reason = sentence
  })
  const patience = setTimeout(() => {
    reason = `A worker did not serve within ${startSeconds} seconds and was ended.`
    worker.process.kill('SIGKILL')
  }, startSeconds * 1000)
  const served = new Promise<Started>((resolve) => channel.hear('started', resolve))
  try {
    return await Promise.race([served, gone.then(() => refuse('unavailable', reason))])
  } finally {
    clearTimeout(patience)
  }
}

/** Logs what goes wrong at its end. A process that is stopped, or whose event loop does not turn, would hold its connections and never end. */
function watch(hand: Hand, log: Log): void {
  hand.isServing = true
  hand.channel.hear('fault', (sentence: string) => log.error({ worker: hand.worker.process.pid }, sentence))
  const beat = setInterval(() => {
    hand.unanswered += 1
    hand.channel.ask('alive').then(
      () => {
        hand.unanswered = 0
      },
      () => {},
    )
    if (hand.unanswered !== hungBeats) return
    log.error({ worker: hand.worker.process.pid, seconds: hungBeats }, 'a worker does not answer and is killed')
    kill(hand)
  }, beatMilliseconds)
  beat.unref()
  void hand.gone.then(() => clearInterval(beat))
}
