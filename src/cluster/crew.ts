/** The workers of a primary: a fixed number serves at any time. One that dies is restarted; one that is replaced finishes its requests first. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../config.ts'
import { refuse } from '../lib/failures.ts'
import type { Log } from '../lib/log.ts'
import type { Channel } from '../lib/processes/channel.ts'
import { forkHand, type Hand, kill, readinessOf, readMetrics, type Started } from './hand.ts'
import { openMetricsSum, type WorkerMetrics } from './metrics-sum.ts'

const shortestPauseMilliseconds = 100
const longestPauseMilliseconds = 30_000
/** A worker that lived this long did not fail at its start. */
const settledMilliseconds = 10_000
/** How long to wait for a worker to finish before the next one is told; when all stop, the time is shorter. */
const turnSeconds = { replace: 10, stop: 5 }
/** A worker needs at most a minute for its requests, and a moment for its jobs; one that takes longer than this is killed. */
const killSeconds = 75

export class Crew {
  readonly #wanted: number
  readonly #log: Log
  /** Answers the requests of a worker; the returned function is called when the worker has ended. */
  readonly #attend: (channel: Channel) => () => void
  readonly #hands = new Set<Hand>()
  readonly #sum = openMetricsSum()
  /** The settings with which a worker was last seen to serve: who takes the place of one that died gets them too. */
  #environment: Environment
  #failuresInRow = 0
  #isEnding = false
  /** How many workers died and were restarted. */
  restarts = 0

  constructor(wanted: number, environment: Environment, log: Log, attend: (channel: Channel) => () => void) {
    this.#wanted = wanted
    this.#environment = environment
    this.#log = log
    this.#attend = attend
  }

  /** Starts the first worker alone, because what keeps it from starting would keep all, and should be reported once. */
  async start(): Promise<Started> {
    const first = await this.#employ(this.#environment)
    await Promise.all(Array.from({ length: this.#wanted - 1 }, () => this.#employ(this.#environment)))
    return first
  }

  get size(): number {
    return this.#staying().length
  }

  /** Rejects with the reason why it is not ready; resolves with the first note of a worker. */
  async isReady(): Promise<string | null> {
    if (this.#isEnding) throw new Error('draining')
    const serving = this.#staying().filter(({ isServing }) => isServing)
    const notes = await Promise.all(serving.map(readinessOf))
    if (serving.length < this.#wanted) throw new Error(`${serving.length} of ${this.#wanted} workers serve`)
    return notes.find((note) => note !== null) ?? null
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

  /** Replaces the workers one after the other by some with these settings. Where one does not start, it rejects with the reason, and the old ones go on. */
  async replace(environment: Environment): Promise<void> {
    const isOld = (hand: Hand) => hand.environment !== environment
    try {
      do {
        if (this.#isEnding) refuse('unavailable', 'The service is stopping.')
        await this.#employ(environment)
        this.#environment = environment
        const [old] = this.#staying().filter(isOld)
        if (old !== undefined) await this.#dismiss(old, 'retire', turnSeconds.replace)
      } while (this.#staying().some(isOld))
    } finally {
      // The place of one that died was taken for a moment by a successor.
      for (let missing = this.#wanted - this.size; missing > 0; missing -= 1) void this.#refill()
    }
  }

  async stop(): Promise<void> {
    this.#isEnding = true
    const all = [...this.#hands]
    for (const hand of all) await this.#dismiss(hand, 'stop', turnSeconds.stop / all.length)
    const killer = setTimeout(() => all.map(kill), killSeconds * 1000)
    await Promise.all(all.map(({ gone }) => gone))
    clearTimeout(killer)
  }

  /** Waits until the worker has ended, or until the time for it is over. One that does not serve yet has nothing to finish, and might not hear it. */
  async #dismiss(hand: Hand, how: 'retire' | 'stop', seconds: number): Promise<void> {
    hand.isLeaving = true
    if (hand.isServing) hand.channel.tell(how)
    else kill(hand)
    await Promise.race([hand.gone, sleep(seconds * 1000, undefined, { ref: false })])
  }

  #staying(): Hand[] {
    return [...this.#hands].filter(({ isLeaving }) => !isLeaving)
  }

  /** Forks a worker and waits until it serves; from then on another one takes its place when it dies. */
  async #employ(environment: Environment): Promise<Started> {
    const hand = forkHand(environment, this.#log)
    const release = this.#attend(hand.channel)
    this.#hands.add(hand)
    void hand.gone.then(() => {
      this.#hands.delete(hand)
      release()
      return this.#sum.keep(hand.lastMetrics)
    })
    const started = await hand.started
    void hand.gone.then(() => this.#mourn(hand))
    return started
  }

  #mourn({ worker, startedAt, isLeaving }: Hand): void {
    if (isLeaving || this.#isEnding) return
    this.#failuresInRow = performance.now() - startedAt > settledMilliseconds ? 0 : this.#failuresInRow + 1
    this.restarts += 1
    const { pid, exitCode, signalCode } = worker.process
    this.#log.error({ worker: pid, code: exitCode ?? signalCode, failures: this.#failuresInRow }, 'a worker died')
    void this.#refill()
  }

  /** Tries until a worker serves in the place of one that died, or until somebody else has that place. */
  async #refill(): Promise<void> {
    for (let isFilled = false; !isFilled; ) {
      await sleep(pauseMilliseconds(this.#failuresInRow), undefined, { ref: false })
      isFilled = this.#isEnding || this.size >= this.#wanted || (await this.#hasEmployed())
    }
  }

  async #hasEmployed(): Promise<boolean> {
    try {
      await this.#employ(this.#environment)
      return true
    } catch (error) {
      this.#failuresInRow += 1
      this.restarts += 1
      this.#log.error({ err: error, failures: this.#failuresInRow }, 'a worker did not start again')
      return false
    }
  }
}

function pauseMilliseconds(failuresInRow: number): number {
  return failuresInRow === 0 ? 0 : Math.min(longestPauseMilliseconds, shortestPauseMilliseconds * 2 ** (failuresInRow - 1))
}
