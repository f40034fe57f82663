/** Shares the time of the report thread among partners: a few milliseconds at a time, and the partner that has used least goes next (docs/decisions/2026-11-16-report-time-shares.md). */

import type { Pause } from '../../../fields/code-builder.ts'
import { Lru } from '../../../lib/memo.ts'

const sliceMilliseconds = 4
/** Where no other report waits; messages are heard between two slices, so that one that comes waits no longer than this. */
const sliceAloneMilliseconds = 8
/** What a partner that was quiet may use before it takes turns with the others: most reports are done by then. */
const creditMilliseconds = 40
/** A report that waited for its database did not use the thread all the while. */
const mostChargedMilliseconds = 20
const maxPartnersKept = 10_000

interface Waiter {
  readonly partnerId: number
  readonly resume: () => void
}

export class TimeShares {
  readonly #used = new Lru<number, number>(maxPartnersKept)
  readonly #waiting: Waiter[] = []
  /** What the partner that went last had used: whoever comes later starts from here, less its credit. */
  #clock = 0
  #isCalling = false

  /** The pause of one report of a partner: a promise when others should go first. */
  enter(partnerId: number): Pause {
    this.#used.set(partnerId, Math.max(this.#used.get(partnerId) ?? 0, this.#clock - creditMilliseconds))
    let startedAt = performance.now()
    return () => {
      const elapsed = performance.now() - startedAt
      if (elapsed < (this.#waiting.length === 0 ? sliceAloneMilliseconds : sliceMilliseconds)) return undefined
      this.#charge(partnerId, elapsed)
      return this.#turnOf(partnerId).then(() => {
        startedAt = performance.now()
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

  /** One report goes on at a time, and messages are heard between two of them. */
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
