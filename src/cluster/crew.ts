/** The workers of a primary: so many serve at any time; one that dies is started again, one that is replaced finishes what it has. */

import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../lib/log.ts'
import { type Channel, openChannel } from '../lib/processes/channel.ts'
import { openMetricsSum, type WorkerMetrics } from './metrics-sum.ts'

/** What a worker says once it serves. */
export interface Started {
  readonly url: string
}

/** A worker as the primary knows it. */
interface Hand {
  readonly worker: Worker
  readonly channel: Channel
  readonly startedAt: number
  /** Resolves once it serves, rejects when it ends before. */
  readonly started: Promise<Started>
  readonly gone: Promise<void>
  /** Told to end: nobody starts another for it. */
  isLeaving: boolean
  lastMetrics: WorkerMetrics
}

/** A worker that ends before it serves has said why itself. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded'
}

const shortestPauseMilliseconds = 100
const longestPauseMilliseconds = 30_000
/** A worker that lived this long did not fail at its start. */
const settledMilliseconds = 10_000
/** How long the next one waits for a worker that finishes; when all stop, they share the time. */
const turnSeconds = { replace: 10, stop: 5 }
/** A worker needs 10 s at most to stop; what is not gone then is killed. */
const killSeconds = 14

export class Crew {
  readonly #wanted: number
  readonly #log: Log
  /** Answers the questions of a worker; what it returns is called when the worker is gone. */
  readonly #attend: (channel: Channel) => () => void
  readonly #hands = new Set<Hand>()
  readonly #sum = openMetricsSum()
  #failuresInRow = 0
  #isEnding = false
  #replacing: Promise<void> | null = null
  /** How many died and were started again. */
  restarts = 0

  constructor(wanted: number, log: Log, attend: (channel: Channel) => () => void) {
    this.#wanted = wanted
    this.#log = log
    this.#attend = attend
  }

  /** The first one alone: what keeps it from starting would keep all, and is said once. */
  async start(): Promise<Started> {
    const first = await this.#employ()
    await Promise.all(Array.from({ length: this.#wanted - 1 }, () => this.#employ()))
    return first
  }

  get size(): number {
    return this.#staying().length
  }

  /** Rejects with what is missing. */
  async isReady(): Promise<void> {
    const staying = this.#staying()
    if (this.#isEnding) throw new Error('draining')
    if (staying.length < this.#wanted) throw new Error(`${staying.length} of ${this.#wanted} workers run`)
    await Promise.all(staying.map(({ channel, started }) => started.then(() => channel.ask('ready'))))
  }

  /** The metrics of all, with those of the primary. */
  async metrics(own: WorkerMetrics): Promise<string> {
    const hands = [...this.#hands]
    await Promise.all(hands.map(readMetrics))
    return this.#sum.textOf([own, ...hands.map(({ lastMetrics }) => lastMetrics)])
  }

  drain(): void {
    this.#isEnding = true
    for (const { channel } of this.#hands) channel.tell('drain')
  }

  /** Starts a successor for each, one after the other. Whoever asks while this is done waits for it and no more. */
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

  /** Waits until it is gone, or until it is the next one's turn. */
  async #dismiss(hand: Hand, how: 'retire' | 'stop', seconds: number): Promise<void> {
    hand.isLeaving = true
    hand.channel.tell(how)
    await Promise.race([hand.gone, sleep(seconds * 1000, undefined, { ref: false })])
  }

  #staying(): Hand[] {
    return [...this.#hands].filter(({ isLeaving }) => !isLeaving)
  }

  /** Forks one and waits until it serves; from then on it is forked again whenever it dies. */
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
  // Nobody need be waiting for one that was started again.
  started.catch(() => {})
  return { started, gone }
}

async function readMetrics(hand: Hand): Promise<void> {
  const patience = sleep(metricsMilliseconds, hand.lastMetrics, { ref: false })
  hand.lastMetrics = await Promise.race([hand.channel.ask<WorkerMetrics>('metrics'), patience]).catch(() => hand.lastMetrics)
}

/** A worker that hangs must not hide what the others tell. */
const metricsMilliseconds = 5_000

function pauseMilliseconds(failuresInRow: number): number {
  return failuresInRow === 0 ? 0 : Math.min(longestPauseMilliseconds, shortestPauseMilliseconds * 2 ** (failuresInRow - 1))
}
