/** The program of a reader thread: does several pieces of work in turn, each in the code of its kind, so that the main thread only sends. */

import { parentPort, workerData } from 'node:worker_threads'
import type { Kysely } from 'kysely'
import type { Pause } from '../fields/code-builder.ts'
import { keepCompiledCode } from '../lib/compiled-code.ts'
import { collectWhenIdle } from '../lib/idle-memory.ts'
import { sentFailure } from '../lib/sent-failures.ts'
import { BufferPool } from '../lib/streams/chunks.ts'
import type { Coding } from '../lib/streams/content-coding.ts'
import { writeTimesIn } from '../lib/time/moments.ts'
import type { Snapshots } from '../store/engine.ts'
import { pausing } from '../store/pausing.ts'
import type { Tables } from '../store/rows/tables.ts'
import { openSnapshots } from '../store/store.ts'
import type { FromThread, ReaderWork, ThreadPlace, ToThread } from './messages.ts'
import { Pauses, Stopped, WorkOutput } from './output.ts'
import { TimeShares } from './time-shares.ts'

/** What a kind of work has at hand. */
export interface Making<Head> {
  readonly settings: ThreadPlace['settings']
  readonly database: Reading
  /** The replica of the database, if reports are read from one. */
  readonly replica: Reading | null
  /** Lets others go first, and throws once the work was cancelled. Statements do so by themselves. */
  readonly pause: Pause
  /** Tells what comes before the bytes; may be called again until the first of them. */
  tell(head: Head): void
  /** Where the bytes go, at most once. */
  write(coding: Coding): WorkOutput
}

export interface Reading {
  /** What differs between databases; the same object for all work of a thread. */
  readonly words: Omit<Snapshots, 'snapshot' | 'close'>
  /** All statements see one moment, and after each of them the work pauses. */
  snapshot<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
}

export type Maker<Asked, Head> = (asked: Asked, making: Making<Head>) => Promise<void>

/** The code of a kind is loaded with its first work, or in advance. */
export interface LoadedMaker {
  readonly name: string
  load(): Promise<(asked: never, making: Making<unknown>) => Promise<void>>
}

export function makes<Asked, Head>({ name }: ReaderWork<Asked, Head>, load: () => Promise<Maker<Asked, Head>>): LoadedMaker {
  return { name, load }
}

interface Underway {
  readonly pauses: Pauses
  output: WorkOutput | null
}

export function serveReaders(makers: readonly LoadedMaker[]): void {
  const { settings, snapshots: most, ahead } = workerData as ThreadPlace
  const { databaseUrl, replicaUrl, dataDir } = settings
  writeTimesIn(settings.timeZone)
  const snapshots = openSnapshots({ databaseUrl, dataDir }, most)
  const replica = replicaUrl === undefined ? null : openSnapshots({ databaseUrl: replicaUrl, dataDir }, most)
  const works = new Map<number, Underway>()
  const buffers = new BufferPool()
  const shares = new TimeShares()
  const makerOf = (name: string) => makers.find((maker) => maker.name === name) as LoadedMaker

  const make = async ({ id, work, party, asked }: Extract<ToThread, { kind: 'ask' }>) => {
    const underway: Underway = { pauses: new Pauses(shares.enter(party)), output: null }
    works.set(id, underway)
    const making: Making<unknown> = {
      settings,
      database: readingOf(snapshots, underway.pauses.pause),
      replica: replica && readingOf(replica, underway.pauses.pause),
      pause: underway.pauses.pause,
      tell: (head) => post({ kind: 'head', id, head }),
      write: (coding) => (underway.output = new WorkOutput(coding, (chunk) => sendChunk(id, chunk), buffers, underway.pauses)),
    }
    try {
      await (await makerOf(work).load())(asked as never, making)
      await underway.output?.end()
      post({ kind: 'end', id })
    } catch (error) {
      post(error instanceof Stopped ? { kind: 'end', id } : { kind: 'failed', id, failure: sentFailure(error) })
    } finally {
      works.delete(id)
    }
  }
  const take = (id: number, chunk: ArrayBuffer | null) => {
    if (chunk !== null) buffers.giveBack(chunk)
    works.get(id)?.output?.taken()
  }
  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'ask') void make(message)
    else if (message.kind === 'stop') works.get(message.id)?.pauses.stop()
    else take(message.id, message.chunk)
  })
  void Promise.all(ahead.map((name) => makerOf(name).load())).then(() => {
    keepCompiledCode()
    collectWhenIdle()
  })
}

function readingOf(snapshots: Snapshots, pause: Pause): Reading {
  return { words: snapshots, snapshot: (work) => snapshots.snapshot((db) => work(pausing(db, pause))) }
}

function sendChunk(id: number, chunk: Uint8Array): void {
  post({ kind: 'chunk', id, chunk: chunk.buffer as ArrayBuffer, length: chunk.length }, [chunk.buffer as ArrayBuffer])
}

function post(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}
