/** The report thread: it reads, writes and compresses, several reports in turn, so that the main thread only sends. */

import { parentPort, workerData } from 'node:worker_threads'
import { Failure } from '../../../lib/failures.ts'
import { BufferPool } from '../../../lib/streams/chunks.ts'
import { openSnapshots } from '../../../store/store.ts'
import { writeReport } from '../formats.ts'
import { scopeOf, versionOf } from '../question.ts'
import { snapshotReader } from '../snapshot-reader.ts'
import { ReportOutput, Stopped } from './output.ts'
import type { FromThread, SentFailure, ThreadPlace, ToThread } from './report-threads.ts'
import { TimeShares } from './time-shares.ts'

type AskMessage = Extract<ToThread, { kind: 'ask' }>

const place = workerData as ThreadPlace
const snapshots = openSnapshots(place, place.snapshots)
const outputs = new Map<number, ReportOutput>()
const buffers = new BufferPool()
const shares = new TimeShares()

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'ask') void produce(message)
  else if (message.kind === 'stop') outputs.get(message.id)?.stop()
  else take(message.id, message.chunk)
})

async function produce(asked: AskMessage): Promise<void> {
  const { id, partnerId, coding } = asked
  const output = new ReportOutput(coding, (chunk) => sendChunk(id, chunk), buffers, shares.enter(partnerId))
  outputs.set(id, output)
  try {
    await write(asked, output)
    post({ kind: 'end', id })
  } catch (error) {
    if (!(error instanceof Stopped)) post({ kind: 'failed', id, failure: sentFailure(error) })
  } finally {
    outputs.delete(id)
  }
}

async function write({ id, partnerId, question }: AskMessage, output: ReportOutput): Promise<void> {
  await snapshots.snapshot(async (db) => {
    const reading = snapshotReader(db, snapshots, output.pauseReading)
    const scope = await scopeOf(reading, partnerId, question)
    post({ kind: 'version', id, version: versionOf(scope.accounts) })
    return writeReport(reading, scope, question, output.chunks, output.pause)
  })
  await output.end()
}

function sendChunk(id: number, chunk: Uint8Array): void {
  post({ kind: 'chunk', id, chunk: chunk.buffer as ArrayBuffer, length: chunk.length }, [chunk.buffer as ArrayBuffer])
}

function take(id: number, chunk: ArrayBuffer | null): void {
  if (chunk !== null) buffers.giveBack(chunk)
  outputs.get(id)?.taken()
}

function sentFailure(error: unknown): SentFailure {
  if (error instanceof Failure) return { code: error.code, details: error.details }
  return { code: null, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

function post(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}
