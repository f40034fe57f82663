/** The way out of the report thread: text becomes pages, compressed where that was asked for, no faster than they are taken. */

import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Pause } from '../../../fields/code-builder.ts'
import { type PageStock, Pages } from '../../../lib/chunks.ts'
import { type Coding, compressors } from '../../../lib/content-coding.ts'

/** Thrown at the next pause of a report that nobody wants any more. */
export class Stopped extends Error {}

const maxOnTheWay = 4
const maxBeingCompressed = 2
/** Several reports are written in turn. */
const turnMilliseconds = 5

export class Outflow {
  readonly pages: Pages
  readonly pause: Pause
  readonly #stock: PageStock
  readonly #compressor: Transform | null
  readonly #compressed: Pages | null
  #onTheWay = 0
  #beingCompressed = 0
  #isStopped = false
  #turnEnds = 0
  #wake = () => {}

  constructor(coding: Coding, send: (page: Uint8Array) => void, stock: PageStock) {
    this.#stock = stock
    const emit = (page: Uint8Array) => {
      this.#onTheWay++
      send(page)
    }
    this.#compressor = coding === 'identity' ? null : compressors[coding]()
    this.#compressed = coding === 'identity' ? null : new Pages(emit, stock)
    this.#compressor?.on('data', (bytes: Uint8Array) => this.#compressed?.addBytes(bytes))
    this.pages = new Pages(this.#compressor === null ? emit : (page) => this.#compress(page), stock)
    this.pause = () => (this.#isBehind || performance.now() > this.#turnEnds ? this.#rest() : undefined)
  }

  async end(): Promise<void> {
    this.pages.turn()
    if (this.#compressor === null) return
    this.#compressor.end()
    await finished(this.#compressor)
    this.#compressed?.turn()
  }

  taken(): void {
    this.#onTheWay--
    this.#wake()
  }

  stop(): void {
    this.#isStopped = true
    this.#compressor?.destroy()
    this.#wake()
  }

  get #isBehind(): boolean {
    return this.#isStopped || this.#onTheWay >= maxOnTheWay || this.#beingCompressed >= maxBeingCompressed
  }

  /** Lets messages and other reports have their turn, then waits for those who take pages. */
  async #rest(): Promise<void> {
    await otherWork()
    while (this.#isBehind && !this.#isStopped) await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#isStopped) throw new Stopped()
    this.#turnEnds = performance.now() + turnMilliseconds
  }

  #compress(page: Uint8Array): void {
    this.#beingCompressed++
    this.#compressor?.write(page, (error) => {
      this.#beingCompressed--
      // One that was stopped may still be read by the compressor.
      if (!error) this.#stock.giveBack(page.buffer as ArrayBuffer)
      this.#wake()
    })
  }
}
