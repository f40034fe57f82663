/** The workers of a primary: a fixed number serves at any time. One that dies is restarted; one that is replaced finishes its requests first. */

import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../lib/log.ts'
import { type Channel, openChannel } from '../lib/processes/channel.ts'
import { openMetricsSum, type WorkerMetrics } from './metrics-sum.ts'

/** What a worker reports once it serves. */
export interface Started {
  readonly url: string
}

/** A worker as the primary sees it. */
interface Hand {
  readonly worker: Worker
  readonly channel: Channel
  readonly startedAt: number
  /** Resolves once the worker serves; rejects if it ends before. */
  readonly started: Promise<Started>
  readonly gone: Promise<void>
  /** Whether it was told to end, so that it is not restarted. */
  isLeaving: boolean
  lastMetrics: WorkerMetrics
}

/** A worker that ended before it served; it has printed the reason itself. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded'
}

const shortestPauseMilliseconds = 100
const longestPauseMilliseconds = 30_000
/** A worker that lived this long did not fail at its start. */
const settledMilliseconds = 10_000
/** How long to wait for a worker to finish before the next one is told; when all stop, the time is shorter. */
const turnSeconds = { replace: 10, stop: 5 }
/** A worker needs at most 10 s to stop; one that takes longer than this is killed. */
const killSeconds = 14

export class Crew {
  readonly #wanted: number
  readonly #log: Log
  /** Answers the requests of a worker; the returned function is called when the worker has ended. */
  readonly #attend: (channel: Channel) => () => void
  readonly #hands = new Set<Hand>()
  readonly #sum = openMetricsSum()
  #failuresInRow = 0
  #isEnding = false
  #replacing: Promise<void> | null = null
  /** How many workers died and were restarted. */
  restarts = 0

  constructor(wanted: number, log: Log, attend: (channel: Channel) => () => void) {
    this.#wanted = wanted
    this.#log = log
    this.#attend = attend
  }

  /** Starts the first worker alone, because what keeps it from starting would keep all, and should be reported once. */
  async start(): Promise<Started> {
    const first = await this.#employ()
    await Promise.all(Array.from({ length: this.#wanted - 1 }, () => this.#employ()))
    return first
  }

  get size(): number {
    return this.#staying().length
  }

  /** Rejects with the reason why it is not ready. */
  async isReady(): Promise<void> {
    const staying = this.#staying()
    if (this.#isEnding) throw new Error('draining')
    if (staying.length < this.#wanted) throw new Error(`${staying.length} of ${this.#wanted} workers run`)
    await Promise.all(staying.map(({ channel, started }) => started.then(() => channel.ask('ready'))))
  }

  /** The metrics of all workers and of the primary. */
  async metrics(own: WorkerMetrics): Promise<string> {
    const hands = [...this.#hands]
    await Promise.all(hands.map(readMetrics))
    return this.#sum.textOf([own, ...hands.map(({ lastMetrics }) => lastMetrics)])
  }

  drain(): void {
    this.#isEnding = true
    for (const { channel } of this.#hands) channel.tell('drain')
  }

  /** Replaces the workers one after the other. A call during a replacement waits for that one. */
  replace(): Promise<void> {
    this.#replacing ??= this.#replaceEach().finally(() => {
      this.#replacing = null
    })
    return this.#replacing
  }

  async stop(): Promise<void> {
    this.#isEnding = true
    const all = [...this.#hands]
    for (const hand of all) await this.#dismiss(hand, 'stop', turnSeconds.stop / all.length)
    const killer = setTimeout(() => all.map(({ worker }) => worker.process.kill('SIGKILL')), killSeconds * 1000)
    await Promise.all(all.map(({ gone }) => gone))
    clearTimeout(killer)
  }

  async #replaceEach(): Promise<void> {
    for (const old of this.#staying()) {
      await this.#employ()
      await this.#dismiss(old, 'retire', turnSeconds.replace)
    }
    this.#log.info({ workers: this.#wanted }, 'all workers were replaced')
  }

  /** Waits until the worker has ended, or until the time for it is over. */
  async #dismiss(hand: Hand, how: 'retire' | 'stop', seconds: number): Promise<void> {
    hand.isLeaving = true
    hand.channel.tell(how)
    await Promise.race([hand.gone, sleep(seconds * 1000, undefined, { ref: false })])
  }

  #staying(): Hand[] {
    return [...this.#hands].filter(({ isLeaving }) => !isLeaving)
  }

  /** Forks a worker and waits until it serves; it is forked again whenever it dies. */
  #employ(): Promise<Started> {
    const hand = this.#fork()
    void hand.gone.then(() => this.#revive(hand))
    return hand.started
  }

  #fork(): Hand {
    const worker = cluster.fork()
    const channel = openChannel(worker)
    const release = this.#attend(channel)
    const hand: Hand = { worker, channel, startedAt: performance.now(), ...lifeOf(worker, channel), isLeaving: false, lastMetrics: [] }
    channel.hear('last metrics', (metrics: WorkerMetrics) => {
      hand.lastMetrics = metrics
    })
    this.#hands.add(hand)
    void hand.gone.then(() => {
      this.#hands.delete(hand)
      release()
      return this.#sum.keep(hand.lastMetrics)
    })
    return hand
  }

  async #revive({ worker, startedAt, isLeaving }: Hand): Promise<void> {
    if (isLeaving || this.#isEnding) return
    this.#failuresInRow = performance.now() - startedAt > settledMilliseconds ? 0 : this.#failuresInRow + 1
    this.restarts += 1
    const { pid, exitCode, signalCode } = worker.process
    this.#log.error({ worker: pid, code: exitCode ?? signalCode, failures: this.#failuresInRow }, 'a worker died')
    await sleep(pauseMilliseconds(this.#failuresInRow), undefined, { ref: false })
    if (!this.#isEnding) await this.#employ().catch(() => {})
  }
}

function lifeOf(worker: Worker, channel: Channel): Pick<Hand, 'started' | 'gone'> {
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const started = new Promise<Started>((resolve, reject) => {
    channel.hear('started', resolve)
    void gone.then(() => reject(new WorkerEnded('A worker ended before it served.')))
  })
  // Nobody may be waiting for a restarted worker, so a failure must not count as unhandled.
  started.catch(() => {})
  return { started, gone }
}

async function readMetrics(hand: Hand): Promise<void> {
  const patience = sleep(metricsMilliseconds, hand.lastMetrics, { ref: false })
  hand.lastMetrics = await Promise.race([hand.channel.ask<WorkerMetrics>('metrics'), patience]).catch(() => hand.lastMetrics)
}

/** A worker that hangs must not hide the metrics of the others. */
const metricsMilliseconds = 5_000

function pauseMilliseconds(failuresInRow: number): number {
  return failuresInRow === 0 ? 0 : Math.min(longestPauseMilliseconds, shortestPauseMilliseconds * 2 ** (failuresInRow - 1))
}
