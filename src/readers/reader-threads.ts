/**
 * Manages the reader threads of a lane from the main thread: work goes to the thread with the least load, and the death of a thread ends only what was partly
 * sent.
 */

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { failureOf } from '../lib/sent-failures.ts'
import type { AskedWork, FromThread, ThreadPlace } from './messages.ts'
import { type AnyWork, WorkInTransit } from './work-in-transit.ts'

/** In megabytes, of each thread. */
export interface HeapLimits {
  readonly maxYoungGenerationSizeMb: number
  readonly maxOldGenerationSizeMb: number
}

type OnLost = (works: readonly AnyWork[], error: unknown) => void

export class ReaderThreads {
  readonly #place: ThreadPlace
  readonly #limits: HeapLimits
  readonly #threads: readonly ReaderThread[]
  /** Work whose thread died is repeated one after another, each in a thread of its own, so that one that crashes its thread affects no other. */
  #retrying: Promise<void> = Promise.resolve()

  constructor(place: ThreadPlace, count: number, limits: HeapLimits) {
    this.#place = place
    this.#limits = limits
    this.#threads = Array.from({ length: count }, () => new ReaderThread(place, limits, (works, error) => this.#lose(works, error)))
  }

  /** Starts threads in advance, because starting one blocks the main thread and delays its first work. */
  start(most = this.#threads.length): void {
    for (const thread of this.#threads.slice(0, most)) thread.start()
  }

  open<Head>(asked: AskedWork, leave: () => void): WorkInTransit<Head> {
    const work = new WorkInTransit<Head>(asked, leave)
    const [least] = this.#threads.toSorted((a, b) => a.load - b.load)
    least?.make(work)
    return work
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #lose(works: readonly AnyWork[], error: unknown): void {
    for (const work of works) {
      if (work.hasBegun || !work.isComing) work.fail(error)
      else this.#retrying = this.#retrying.then(() => this.#makeAlone(work, error))
    }
  }

  async #makeAlone(work: AnyWork, error: unknown): Promise<void> {
    if (!work.isComing) return work.fail(error)
    const thread = new ReaderThread(this.#place, this.#limits, (works, again) => {
      for (const lost of works) lost.fail(again)
    })
    thread.make(work)
    await work.left
    await thread.close()
  }
}

class ReaderThread {
  readonly #place: ThreadPlace
  readonly #limits: HeapLimits
  readonly #onLost: OnLost
  readonly #works = new Map<number, AnyWork>()
  #worker: Worker | null = null
  #lastId = 0

  constructor(place: ThreadPlace, limits: HeapLimits, onLost: OnLost) {
    this.#place = place
    this.#limits = limits
    this.#onLost = onLost
  }

  /** How many works the thread does at once. */
  get load(): number {
    return this.#works.size
  }

  make(work: AnyWork): void {
    const id = ++this.#lastId
    const worker = this.start()
    this.#works.set(id, work)
    void work.left.then(() => this.#works.delete(id))
    work.askOf((message, transfer = []) => worker.postMessage(message, transfer), id)
  }

  start(): Worker {
    this.#worker ??= this.#launch()
    return this.#worker
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  /** The program of the threads stands above the doors, whose pages it makes; nothing of it is imported here. */
  #launch(): Worker {
    const worker = new Worker(new URL(`../reader-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: this.#place,
      resourceLimits: this.#limits,
    })
    worker.on('message', (message: FromThread) => this.#hear(message))
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('the reader thread has ended')))
    worker.unref()
    return worker
  }

  #hear(message: FromThread): void {
    const work = this.#works.get(message.id)
    if (message.kind === 'head') work?.setHead(message.head)
    else if (message.kind === 'chunk') work?.add(new Uint8Array(message.chunk, 0, message.length))
    else if (message.kind === 'end') work?.end()
    else work?.fail(failureOf(message.failure, 'the reader thread failed'))
  }

  /** Forgets the dead worker; the next work starts a new one. */
  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    const lost = [...this.#works.values()]
    this.#works.clear()
    this.#onLost(lost, error)
  }
}
