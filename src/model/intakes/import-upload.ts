/** Imports an uploaded file like any other, with its progress, and without the reviewers who were erased since it came. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../lib/failures.ts'
import { type ImportErrorCode, type importErrorMessage, withParameters } from '../../resources/import-fault.ts'
import type { App } from '../core/app.ts'
import type { PartnerCaller } from '../core/caller.ts'
import { isErased } from '../core/reviewer-hash.ts'
import { readMapping } from '../imports/csv/mappings.ts'
import { openImport } from '../imports/formats.ts'
import { countTaken, importObservations } from '../imports/import.ts'
import type { ImportLine } from '../imports/import-line.ts'
import { readLines, wholeFileFault } from '../imports/read/read-lines.ts'
import type { ImportSummary } from '../imports/summary.ts'
import { isKeyRevoked } from '../partners/keys.ts'
import type { RefusedLines } from './refused-lines.ts'
import { maxUnfolded } from './upload-files.ts'
import { UploadedReports } from './uploaded-reports.ts'
import type { KeptOptions } from './uploads.ts'
import type { Watch } from './watch-task.ts'

/** So long the write lock is left to others after each transaction: they ask for it every millisecond. */
const pauseMilliseconds = 2

interface WaitingFile {
  readonly bytes: number
  /** Reads it from the beginning. */
  read(): AsyncIterable<Uint8Array>
}

/** Checks the file, and stores its records unless something is wrong with it. */
export async function importUpload(
  caller: PartnerCaller,
  intake: { readonly id: number; readonly isResumed: boolean },
  options: KeptOptions,
  file: WaitingFile,
  watch: Watch,
  refusals: RefusedLines,
): Promise<UploadOutcome> {
  const { target, createMissing, isDryRun, lastWins = true, skipsRefused = false, counts } = options
  if (await isKeyRevoked(caller)) return refusedWhole(watch, { line: 1, index: 0, field: '', code: 'key_revoked' })
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
  const reading = { ...limits, guessed, noticed: (sentence: string) => noticed.add(sentence), ...(refusals && { headed: refusals.headed }) }
  const report = await reports.read(opened)
  for await (const batch of report ?? readLines(opened, readMapping(words), reading)) {
    many += batch.length
    yield watch.erased.size === 0 ? batch : batch.filter((line) => !isOfErased(app, line, watch.erased))
  }
  if (many === 0) yield [wholeFileFault('empty')]
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
