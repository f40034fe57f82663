/** Whoever reads an answer: takes chunks at their own pace, is waited for within bounds, and may go away at any moment. */

import type { ServerResponse } from 'node:http'

/** What the reader has not taken yet may be as much as this. */
const maxBytesOnTheWay = 1 << 20
/** How long whoever makes the chunks waits for the reader in all, beside as long again as the making took. */
const patienceMilliseconds = 200
const stallMilliseconds = 30_000
const longestMilliseconds = 15 * 60_000

export class SlowClient {
  readonly #response: ServerResponse
  readonly #startedAt = performance.now()
  #waited = 0
  #onTheWay = 0
  #isGone = false
  #suspectedAt = Number.NEGATIVE_INFINITY
  #wake = () => {}

  /** `onGone` is told once, when there is nobody to send to any more, all sent or not. */
  constructor(response: ServerResponse, onGone: () => void) {
    this.#response = response
    response.setTimeout(stallMilliseconds / 2, () => this.#suspect())
    const deadline = setTimeout(() => this.cut(), longestMilliseconds)
    const leave = () => {
      clearTimeout(deadline)
      this.#isGone = true
      this.#wake()
      onGone()
    }
    if (response.destroyed) leave()
    else response.once('close', leave)
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** False when the reader has used up all patience. */
  async keepsPace(): Promise<boolean> {
    while (this.#isFull) {
      const now = performance.now()
      const worked = now - this.#startedAt - this.#waited
      const patience = patienceMilliseconds + worked - this.#waited
      if (patience <= 0) return false
      await this.#change(patience)
      this.#waited += performance.now() - now
    }
    return true
  }

  /** For those who are slow: there may be many of them, so each has no more than one chunk in memory. */
  async hasTakenAll(): Promise<void> {
    while (this.#onTheWay > 0 && !this.#isGone) await this.#change()
  }

  write(chunk: Uint8Array, sent = () => {}): void {
    if (this.#isGone) throw new Error('the reader has gone')
    this.#onTheWay += chunk.length
    this.#response.write(chunk, () => {
      this.#onTheWay -= chunk.length
      this.#suspectedAt = Number.NEGATIVE_INFINITY
      sent()
      this.#wake()
    })
  }

  end(): void {
    this.#response.end()
  }

  /** What has been sent must not look like a whole. */
  cut(): void {
    this.#response.destroy()
  }

  /** Node tells when nothing at all was taken for half the time; told twice in a row, the reader has stalled. */
  #suspect(): void {
    const isSecond = performance.now() - this.#suspectedAt < stallMilliseconds * 0.75
    this.#suspectedAt = performance.now()
    if (isSecond) this.cut()
    else this.#response.setTimeout(stallMilliseconds / 2)
  }

  get #isFull(): boolean {
    return this.#onTheWay >= maxBytesOnTheWay && !this.#isGone
  }

  #change(milliseconds?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
