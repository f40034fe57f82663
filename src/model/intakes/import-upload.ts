/** Imports an uploaded file like any other, with its progress, and without the reviewers who were erased since it came. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, refuse } from '../../lib/failures.ts'
import { type ImportErrorCode, type importErrorMessage, withParameters } from '../../resources/imports/import-fault.ts'
import type { App } from '../core/app.ts'
import type { PartnerCaller } from '../core/caller.ts'
import { isErased } from '../core/reviewer-hash.ts'
import { readMapping } from '../imports/csv/mappings.ts'
import { openImport, readNdjson } from '../imports/formats.ts'
import { countTaken, type ImportOptions, importObservations } from '../imports/import.ts'
import type { ImportLine } from '../imports/import-line.ts'
import { readLines, wholeFileFault } from '../imports/read/read-lines.ts'
import type { Target } from '../imports/refs.ts'
import type { ImportSummary } from '../imports/summary.ts'
import { isKeyRevoked } from '../partners/keys/keys.ts'
import type { FileSender } from './file-senders.ts'
import type { RefusedLines } from './refused-lines.ts'
import { maxUnfolded } from './upload-files.ts'
import { UploadedReports } from './uploaded-reports.ts'
import { type KeptOptions, undoOfWhole } from './uploads.ts'
import type { Watch } from './watch-task.ts'

/** So long the write lock is left to others after each transaction: they ask for it every millisecond. */
const pauseMilliseconds = 2

interface WaitingFile {
  readonly bytes: number
  /** Reads it from the beginning. */
  read(): AsyncIterable<Uint8Array>
}

/** Imports whole accounts; it lies above this floor, so the job passes it on. */
export type WholeImport = (
  caller: PartnerCaller,
  target: Target,
  batches: AsyncIterable<readonly ImportLine[]>,
  options: {
    readonly isDryRun: boolean
    readonly intake: NonNullable<ImportOptions['intake']>
    readonly progress: NonNullable<ImportOptions['progress']>
    readonly betweenWrites: () => Promise<void>
  },
) => Promise<ImportSummary>

/** Checks an export of whole accounts, and stores it. */
export async function importWholeUpload(
  importWhole: WholeImport,
  caller: PartnerCaller,
  intake: NonNullable<ImportOptions['intake']>,
  options: KeptOptions,
  file: WaitingFile,
  watch: Watch,
): Promise<UploadOutcome> {
  if (await isWithoutKey(caller, options)) return refusedWhole(watch, ofRevokedKey)
  const { target, isDryRun } = options
  try {
    const steps = { isDryRun, intake, progress: watch.progress, betweenWrites: () => sleep(pauseMilliseconds) }
    const summary = await importWhole(caller, target, exportedLines(caller.app, file, watch), steps)
    countTaken(caller, target, summary)
    return { ...summary, notices: [undoOfWhole, ...(summary.notices ?? [])] }
  } catch (error) {
    if (!(error instanceof Failure) || !wholeFailures.has(error.code)) throw error
    const fault = { line: 1, index: 0, field: '', code: 'not_an_export' as const, detail: error.message }
    return { ...refusedWhole(watch, fault), notices: [undoOfWhole] }
  }
}

/** What sending the same file again cannot mend by itself. */
const wholeFailures: ReadonlySet<Failure['code']> = new Set([
  'bad_request',
  'conflict',
  'not_found',
  'validation_failed',
  'too_many_requests',
])

async function* exportedLines(app: App, file: WaitingFile, watch: Watch): AsyncGenerator<readonly ImportLine[]> {
  const opened = await openImport(counted(file.read(), watch), { maxBytes: maxUnfolded(app.settings, file.bytes) })
  if (opened.format !== 'ndjson') refuse('bad_request', 'This is no export of whole accounts: `GET /api/export` gives one')
  for await (const batch of readNdjson(opened.bytes)) yield withoutErased(app, batch, watch)
}

/** Checks the file, and stores its records unless something is wrong with it. */
export async function importUpload(
  caller: FileSender,
  intake: { readonly id: number; readonly isResumed: boolean },
  options: KeptOptions,
  file: WaitingFile,
  watch: Watch,
  refusals: RefusedLines,
): Promise<UploadOutcome> {
  const { target, createMissing, isDryRun, lastWins = true, skipsRefused = false, counts } = options
  if (await isWithoutKey(caller, options)) return refusedWhole(watch, ofRevokedKey)
  try {
    const noticed = new Set<string>()
    const kept = skipsRefused ? refusals : undefined
    const reports = new UploadedReports(caller, options)
    const lines = () => linesOf(caller.app, options, file, { watch, reports, refusals: kept, noticed })
    const summary = await importObservations(caller, target, lines(), {
      createMissing,
      isDryRun,
      refusesDoubled: !lastWins,
      takeGood: skipsRefused,
      again: () => {
        refusals.clear()
        return lines()
      },
      refused: kept?.take,
      counts,
      intake,
      progress: watch.progress,
      betweenWrites: () => sleep(pauseMilliseconds),
    })
    countTaken(caller, target, summary)
    if (summary.isApplied) await reports.keep()
    return { ...summary, notices: [...noticed, ...(summary.notices ?? [])].map(withParameters) }
  } catch (error) {
    return refusedWhole(watch, asFault(error))
  }
}

const ofRevokedKey = { line: 1, index: 0, field: '', code: 'key_revoked' } as const

async function isWithoutKey(caller: FileSender, { isReleased }: KeptOptions): Promise<boolean> {
  return caller.kind === 'partner' && isReleased !== true && (await isKeyRevoked(caller))
}

function refusedWhole({ figures }: Watch, fault: UploadOutcome['faults'][number]): UploadOutcome {
  return { lines: figures.lines, refused: 1, faults: [fault], isApplied: false, kinds: {} }
}

export type UploadOutcome = Omit<ImportSummary, 'faults'> & { readonly faults: readonly Parameters<typeof importErrorMessage>[0][] }

/** A failure of the whole import is reported as an error of the file. */
function asFault(error: unknown) {
  const told = error instanceof Failure ? failureFaults[error.code] : undefined
  if (told === undefined) throw error
  return { line: 1, index: 0, ...told, detail: (error as Failure).message }
}

const failureFaults: Partial<Record<Failure['code'], { readonly field: string; readonly code: ImportErrorCode }>> = {
  not_found: { field: 'site', code: 'unknown' },
  bad_request: { field: 'count', code: 'never_fall' },
  conflict: { field: '', code: 'conflict' },
}

/** What is found out while a file is read. */
interface Told {
  readonly watch: Watch
  readonly reports: UploadedReports
  readonly refusals: RefusedLines | undefined
  readonly noticed: Set<string>
}

async function* linesOf(
  app: App,
  { words, encoding, isRemembered = false }: KeptOptions,
  file: WaitingFile,
  { watch, reports, refusals, noticed }: Told,
): AsyncGenerator<readonly ImportLine[]> {
  let many = 0
  const limits = { encoding, isRemembered, maxBytes: maxUnfolded(app.settings, file.bytes) }
  const opened = await openImport(counted(file.read(), watch), limits)
  const presets = new Set<string>()
  const guessed = (preset: string) => {
    watch.figures.recognised_as = [...presets.add(preset)].join()
  }
  const notice = (sentence: string) => void noticed.add(sentence)
  const reading = { ...limits, guessed, noticed: notice, ...(refusals && { headed: refusals.headed }) }
  const report = await reports.read(opened, notice)
  for await (const batch of report ?? readLines(opened, readMapping(words), reading)) {
    many += batch.length
    yield withoutErased(app, batch, watch)
  }
  if (many === 0) yield [wholeFileFault('empty')]
}

function withoutErased(app: App, batch: readonly ImportLine[], { erased }: Watch): readonly ImportLine[] {
  return erased.size === 0 ? batch : batch.filter((line) => !isOfErased(app, line, erased))
}

async function* counted(file: AsyncIterable<Uint8Array>, { figures }: Watch): AsyncGenerator<Uint8Array> {
  figures.bytes_read = 0
  for await (const chunk of file) {
    figures.bytes_read += chunk.length
    yield chunk
  }
}

function isOfErased(app: App, { record }: ImportLine, erased: ReadonlySet<string>): boolean {
  const { type, user } = (record ?? {}) as { type?: unknown; user?: unknown }
  return type === 'review' && typeof user === 'string' && isErased(app, user, erased)
}
