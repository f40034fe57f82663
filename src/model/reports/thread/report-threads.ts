/**
 * Manages the report threads from the main thread: a report goes to the thread with the least load, and the death of a thread ends only reports that were
 * partly sent.
 */

import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Failure } from '../../../lib/failures.ts'
import type { Asked, FromThread, SentFailure, ThreadPlace } from './messages.ts'
import { ReportInTransit } from './report-in-transit.ts'

const maxThreads = 4

/** Half of the cores, shared by all workers; the main threads and the database need the others. */
export function threadsFor(cores: number, workers = 1): number {
  return Math.max(1, Math.min(maxThreads, Math.floor(cores / 2 / workers)))
}

export class ReportThreads {
  readonly #place: ThreadPlace
  readonly #threads: readonly ReportThread[]
  /** Reports whose thread died are repeated one after another, each in a thread of its own, so that one that crashes its thread affects no other. */
  #retrying: Promise<void> = Promise.resolve()

  constructor(place: ThreadPlace, workers = 1, count = threadsFor(availableParallelism(), workers)) {
    this.#place = place
    this.#threads = Array.from(
      { length: count },
      () => new ReportThread(place, count * workers, (reports, error) => this.#lose(reports, error)),
    )
  }

  /** Starts a thread in advance, because starting one blocks the main thread and delays the first report. */
  start(): void {
    this.#threads[0]?.start()
  }

  open(asked: Asked, leave: () => void): ReportInTransit {
    const report = new ReportInTransit(asked, leave)
    const [least] = this.#threads.toSorted((a, b) => a.load - b.load)
    least?.make(report)
    return report
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #lose(reports: readonly ReportInTransit[], error: unknown): void {
    for (const report of reports) {
      if (report.hasBegun) report.fail(error)
      else this.#retrying = this.#retrying.then(() => this.#makeAlone(report))
    }
  }

  async #makeAlone(report: ReportInTransit): Promise<void> {
    if (!report.isComing) return
    const thread = new ReportThread(this.#place, 1, (reports, error) => {
      for (const lost of reports) lost.fail(error)
    })
    thread.make(report)
    await report.settled
    await thread.close()
  }
}

class ReportThread {
  readonly #place: ThreadPlace
  readonly #count: number
  readonly #onLost: (reports: readonly ReportInTransit[], error: unknown) => void
  readonly #reports = new Map<number, ReportInTransit>()
  #worker: Worker | null = null
  #lastId = 0

  constructor(place: ThreadPlace, count: number, onLost: (reports: readonly ReportInTransit[], error: unknown) => void) {
    this.#place = place
    this.#count = count
    this.#onLost = onLost
  }

  /** How many reports the thread is working on. */
  get load(): number {
    return this.#reports.size
  }

  make(report: ReportInTransit): void {
    const id = ++this.#lastId
    const worker = this.start()
    this.#reports.set(id, report)
    void report.settled.then(() => this.#reports.delete(id))
    report.askOf((message, transfer = []) => worker.postMessage(message, transfer), id)
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

  #launch(): Worker {
    const worker = new Worker(new URL(`./report-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: this.#place,
      resourceLimits: heapLimits(this.#count),
    })
    worker.on('message', (message: FromThread) => this.#hear(message))
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('the report thread has ended')))
    worker.unref()
    return worker
  }

  #hear(message: FromThread): void {
    const report = this.#reports.get(message.id)
    if (message.kind === 'version') report?.setVersion(message.version, message.source)
    else if (message.kind === 'chunk') report?.add(new Uint8Array(message.chunk, 0, message.length))
    else if (message.kind === 'end') report?.end()
    else report?.fail(failureOf(message.failure))
  }

  /** Forgets the dead worker; the next report starts a new one. */
  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    const lost = [...this.#reports.values()]
    this.#reports.clear()
    this.#onLost(lost, error)
  }
}

/**
 * Limits for all threads together. With a young generation of 12 MB, a sixth of a thread's time went into copying prefetched rows; with 48 MB, a report of 1
 * GiB once held 99 MB.
 */
function heapLimits(threads: number) {
  return {
    maxYoungGenerationSizeMb: Math.max(16, Math.floor(32 / threads)),
    maxOldGenerationSizeMb: Math.max(96, Math.floor(256 / threads)),
  }
}

function failureOf(failure: SentFailure): Error {
  if (failure.code !== null) return new Failure(failure.code, failure.details)
  const error = new Error('the report thread failed')
  error.stack = failure.stack
  return error
}
