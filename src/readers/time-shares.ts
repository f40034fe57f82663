/**
 * Shares the time of a reader thread among parties, mostly partners: a few milliseconds at a time, and the party that has used least goes next
 * (docs/decisions/2026-11-16-report-time-shares.md).
 */

import type { Pause } from '../fields/code-builder.ts'
import { Lru } from '../lib/memo.ts'

const sliceMilliseconds = 4
/** The slice if nothing else waits; messages are handled between slices, so new work waits no longer than this. */
const sliceAloneMilliseconds = 8
/** What an idle party may use before it takes turns with the others; most pages and reports are done by then. */
const creditMilliseconds = 40
/** Work that waited for the database did not use the thread all the time, so at most this is charged. */
const mostChargedMilliseconds = 20
const maxPartiesKept = 10_000

interface Waiter {
  readonly party: string
  readonly resume: () => void
}

export class TimeShares {
  readonly #used = new Lru<string, number>(maxPartiesKept)
  readonly #waiting: Waiter[] = []
  /** The time used by the party that went last; new parties start from here, minus their credit. */
  #clock = 0
  #isCalling = false
  readonly #now: () => number

  /** `now` is a clock in milliseconds; tests give one of their own. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Returns the pause function of one piece of work: a promise when others should go first. */
  enter(party: string): Pause {
    this.#used.set(party, Math.max(this.#used.get(party) ?? 0, this.#clock - creditMilliseconds))
    let startedAt = this.#now()
    return () => {
      const elapsed = this.#now() - startedAt
      if (elapsed < (this.#waiting.length === 0 ? sliceAloneMilliseconds : sliceMilliseconds)) return undefined
      this.#charge(party, elapsed)
      return this.#turnOf(party).then(() => {
        startedAt = this.#now()
      })
    }
  }

  #charge(party: string, milliseconds: number): void {
    this.#used.set(party, (this.#used.get(party) ?? this.#clock) + Math.min(milliseconds, mostChargedMilliseconds))
  }

  #turnOf(party: string): Promise<void> {
    this.#call()
    return new Promise((resume) => this.#waiting.push({ party, resume }))
  }

  /** Resumes one piece of work at a time, and lets messages be handled in between. */
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
    const used = this.#waiting.map(({ party }) => this.#used.get(party) ?? this.#clock)
    const least = Math.min(...used)
    this.#clock = Math.max(this.#clock, least)
    for (const { resume } of this.#waiting.splice(used.indexOf(least), 1)) resume()
  }
}
