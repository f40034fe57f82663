/**
 * Shares the time of the report thread among partners: a few milliseconds at a time, and the partner that has used least goes next
 * (docs/decisions/2026-11-16-report-time-shares.md).
 */

import type { Pause } from '../../../fields/code-builder.ts'
import { Lru } from '../../../lib/memo.ts'

const sliceMilliseconds = 4
/** The slice if no other report waits; messages are handled between slices, so a new report waits no longer than this. */
const sliceAloneMilliseconds = 8
/** What an idle partner may use before it takes turns with the others; most reports are done by then. */
const creditMilliseconds = 40
/** A report that waited for the database did not use the thread all the time, so at most this is charged. */
const mostChargedMilliseconds = 20
const maxPartnersKept = 10_000

interface Waiter {
  readonly partnerId: number
  readonly resume: () => void
}

export class TimeShares {
  readonly #used = new Lru<number, number>(maxPartnersKept)
  readonly #waiting: Waiter[] = []
  /** The time used by the partner that went last; new partners start from here, minus their credit. */
  #clock = 0
  #isCalling = false
  readonly #now: () => number

  /** `now` is a clock in milliseconds; tests give one of their own. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Returns the pause function of one report: a promise when others should go first. */
  enter(partnerId: number): Pause {
    this.#used.set(partnerId, Math.max(this.#used.get(partnerId) ?? 0, this.#clock - creditMilliseconds))
    let startedAt = this.#now()
    return () => {
      const elapsed = this.#now() - startedAt
      if (elapsed < (this.#waiting.length === 0 ? sliceAloneMilliseconds : sliceMilliseconds)) return undefined
      this.#charge(partnerId, elapsed)
      return this.#turnOf(partnerId).then(() => {
        startedAt = this.#now()
      })
    }
  }

  #charge(partnerId: number, milliseconds: number): void {
    this.#used.set(partnerId, (this.#used.get(partnerId) ?? this.#clock) + Math.min(milliseconds, mostChargedMilliseconds))
  }

  #turnOf(partnerId: number): Promise<void> {
    this.#call()
    return new Promise((resume) => this.#waiting.push({ partnerId, resume }))
  }

  /** Resumes one report at a time, and lets messages be handled in between. */
  #call(): void {
    if (this.#isCalling) return
    this.#isCalling = true
    setImmediate(() => {
      this.#isCalling = false
      this.#next()
      if (this.#waiting.length > 0) this.#call()
    })
  }

  #next(): void {
    const used = this.#waiting.map(({ partnerId }) => this.#used.get(partnerId) ?? this.#clock)
    const least = Math.min(...used)
    this.#clock = Math.max(this.#clock, least)
    for (const { resume } of this.#waiting.splice(used.indexOf(least), 1)) resume()
  }
}
