/** The main thread's side of the report thread: asks for reports and passes their chunks on, a few reports at a time, and no partner more than its share. */

import { Worker } from 'node:worker_threads'
import type { Settings } from '../../../config.ts'
import type { ChunkSource } from '../../../lib/chunks.ts'
import { type Closable, limitConcurrency } from '../../../lib/concurrency.ts'
import type { Coding } from '../../../lib/content-coding.ts'
import { Failure } from '../../../lib/failures.ts'
import { type App, perApp } from '../../core/app.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import type { ReportQuestion } from '../question.ts'
import { ReportInTransit } from './report-in-transit.ts'

const maxSnapshots = 4
const maxSnapshotsPerPartner = 2
const maxWaiting = 64
const patienceSeconds = 10

/** A report of which the first chunk is there; `version` is that of the data it is read from. */
export interface OpenReport {
  readonly version: string
  readonly chunks: ChunkSource
}

/** What a partner asks for; the thread finds it among what that partner manages. */
export interface Asked {
  readonly partnerId: number
  readonly question: ReportQuestion
  readonly coding: Coding
}

/** Where the thread reads from, and how many snapshots at once. */
export interface ThreadPlace extends Pick<Settings, 'databaseUrl' | 'dataDir'> {
  readonly snapshots: number
}

export type ToThread =
  | ({ readonly kind: 'ask'; readonly id: number } & Asked)
  | { readonly kind: 'taken'; readonly id: number; readonly chunk: ArrayBuffer | null }
  | { readonly kind: 'stop'; readonly id: number }

export type FromThread =
  /** Of the data in the snapshot from which the report is read. */
  | { readonly kind: 'version'; readonly id: number; readonly version: string }
  | { readonly kind: 'chunk'; readonly id: number; readonly chunk: ArrayBuffer; readonly length: number }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SentFailure }

export type SentFailure = Pick<Failure, 'code' | 'details'> | { readonly code: null; readonly stack: string }

/** Starts the report thread before anyone waits for it: starting holds up the main thread, and the first report would wait. */
export function startReportThread(app: App): void {
  thread(app).start()
}

/** Waits for its turn, no longer than the client does. */
export async function openReport(
  { app, partnerId }: PartnerCaller,
  question: ReportQuestion,
  coding: Coding,
  client?: Closable,
): Promise<OpenReport> {
  const leave = await turns(app).enter('report', String(partnerId), client)
  return thread(app).open({ partnerId, question, coding }, leave)
}

const turns = perApp(() =>
  limitConcurrency({
    inside: maxSnapshots,
    insidePerParty: maxSnapshotsPerPartner,
    ranks: { report: { inside: maxSnapshots, waiting: maxWaiting, patienceSeconds } },
  }),
)

const thread = perApp((app) => {
  const { databaseUrl, dataDir } = app.settings
  const opened = new ReportThread({ databaseUrl, dataDir, snapshots: maxSnapshots })
  app.beforeClose.push(() => opened.close())
  return opened
})

/** One thread, however many cores there are: a second one would take from those who send. */
class ReportThread {
  readonly #place: ThreadPlace
  readonly #reports = new Map<number, ReportInTransit>()
  #worker: Worker | null = null
  #lastId = 0

  constructor(place: ThreadPlace) {
    this.#place = place
  }

  async open(asked: Asked, leave: () => void): Promise<OpenReport> {
    const id = ++this.#lastId
    const worker = this.start()
    const post = (message: ToThread, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer)
    const report = new ReportInTransit(id, post, () => {
      this.#reports.delete(id)
      leave()
    })
    this.#reports.set(id, report)
    post({ kind: 'ask', id, ...asked })
    return { version: await report.begun(), chunks: report }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  start(): Worker {
    this.#worker ??= this.#launch()
    return this.#worker
  }

  #launch(): Worker {
    const worker = new Worker(new URL('./report-worker.ts', import.meta.url), {
      workerData: this.#place,
      // At 12 MB a sixth of the thread's time went into copying what is read ahead; at 48 a report of 1 GiB once held 99 MB.
      resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256 },
    })
    worker.on('message', (message: FromThread) => this.#hear(message))
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('the report thread has ended')))
    worker.unref()
    return worker
  }

  #hear(message: FromThread): void {
    const report = this.#reports.get(message.id)
    if (message.kind === 'version') report?.begin(message.version)
    else if (message.kind === 'chunk') report?.add(new Uint8Array(message.chunk, 0, message.length))
    else if (message.kind === 'end') report?.end()
    else report?.fail(failureOf(message.failure))
  }

  /** Whoever waits for the thread is told; the next report starts a new one. */
  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const report of [...this.#reports.values()]) report.fail(error)
  }
}

function failureOf(failure: SentFailure): Error {
  if (failure.code !== null) return new Failure(failure.code, failure.details)
  const error = new Error('the report thread failed')
  error.stack = failure.stack
  return error
}
