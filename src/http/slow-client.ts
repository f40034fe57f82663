/** Back-pressure towards one client: it receives chunks at its own pace, is waited for within limits, and may disconnect at any time. */

import type { ServerResponse } from 'node:http'

/** The most bytes that may wait in the socket for the client. */
const maxBytesOnTheWay = 1 << 20
/** How long the producer waits for the client in total, in addition to as long as it has itself worked. */
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

  /** `onGone` is called once, when the connection has closed, whether or not everything was sent. */
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

  /** False if the client is too slow; its chunks then go to a file, and the producer continues. */
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

  /** Waits until the client has received everything. Used for slow clients, of which there may be many: each then holds at most one chunk in memory. */
  async hasTakenAll(): Promise<void> {
    while (this.#onTheWay > 0 && !this.#isGone) await this.#change()
  }

  write(chunk: Uint8Array, sent = () => {}): void {
    if (this.#isGone) throw new Error('the client has gone')
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

  /** Closes the connection, so that the client does not take a part for the whole answer. */
  cut(): void {
    this.#response.destroy()
  }

  /** Node calls this when the client received nothing for half of the time limit; after two calls in a row the client has stalled. */
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
