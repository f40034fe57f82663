/** The report thread reads, writes and compresses several reports in turn, so that the main thread only sends. */

import { parentPort, workerData } from 'node:worker_threads'
import { keepCompiledCode } from '../../../lib/compiled-code.ts'
import { Failure } from '../../../lib/failures.ts'
import { collectOnceIdle } from '../../../lib/idle-memory.ts'
import { BufferPool } from '../../../lib/streams/chunks.ts'
import type { Snapshots } from '../../../store/engine.ts'
import { openSnapshots } from '../../../store/store.ts'
import { writeReport } from '../formats.ts'
import { scopeOf, versionOf } from '../question.ts'
import { snapshotReader } from '../snapshot-reader.ts'
import type { FromThread, ReportSource, SentFailure, ThreadPlace, ToThread } from './messages.ts'
import { ReportOutput, Stopped } from './output.ts'
import { TimeShares } from './time-shares.ts'

type AskMessage = Extract<ToThread, { kind: 'ask' }>

const place = workerData as ThreadPlace
const snapshots = openSnapshots(place, place.snapshots)
const replica = place.replicaUrl === undefined ? null : openSnapshots({ ...place, databaseUrl: place.replicaUrl }, place.snapshots)
const replicaRestMilliseconds = 10_000
let replicaRestsUntil = 0
const outputs = new Map<number, ReportOutput>()
const buffers = new BufferPool()
const shares = new TimeShares()
keepCompiledCode()
collectOnceIdle()

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

async function write(asked: AskMessage, output: ReportOutput): Promise<void> {
  if (!(await writeFromReplica(asked, output))) await writeFrom(snapshots, 'database', asked, output, null)
  await output.end()
}

/** False if the replica does not answer or has other data; nothing was written then, and the report is read from the primary database. */
async function writeFromReplica(asked: AskMessage, output: ReportOutput): Promise<boolean> {
  if (replica === null || performance.now() < replicaRestsUntil) return false
  const progress = { hasBegun: false }
  try {
    return await writeFrom(replica, 'replica', asked, output, asked.version, progress)
  } catch (error) {
    if (progress.hasBegun || error instanceof Stopped) throw error
    // Accounts and sites may not be replicated yet; a replica that is unreachable is not asked again for a while.
    if (!(error instanceof Failure) || error.code === 'unavailable') replicaRestsUntil = performance.now() + replicaRestMilliseconds
    return false
  }
}

/** One snapshot holds the version and the rows. If a version is required and the snapshot has another one, nothing is written. */
async function writeFrom(
  source: Snapshots,
  name: ReportSource,
  { id, partnerId, question }: AskMessage,
  output: ReportOutput,
  wanted: string | null,
  progress = { hasBegun: false },
): Promise<boolean> {
  return source.snapshot(async (db) => {
    const reading = snapshotReader(db, source, output.pauseReading)
    const scope = await scopeOf(reading, partnerId, question)
    const version = versionOf(scope.accounts)
    if (wanted !== null && version !== wanted) return false
    progress.hasBegun = true
    post({ kind: 'version', id, version, source: name })
    await writeReport(reading, scope, question, output.chunks, output.pause)
    return true
  })
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
