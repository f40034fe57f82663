/** Reads the beginning of a file as it would be stored: its columns, the first rows, and what is wrong line by line. */

import type { Incoming } from '../../../fields/incoming.ts'
import { readIncoming } from '../../../fields/read-incoming.ts'
import { openWorkbook } from '../../../lib/zip/workbook.ts'
import { openZip } from '../../../lib/zip/zip-file.ts'
import { importErrorWithValue, type LineError, withValue } from '../../../resources/imports/import-fault.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import { textOf } from '../../imports/csv/cells.ts'
import { rowsOf, Unreadable } from '../../imports/csv/csv-rows.ts'
import { folded } from '../../imports/csv/folded.ts'
import { isHeading, tableHeading } from '../../imports/csv/heading.ts'
import { likelyKind } from '../../imports/csv/likely-kind.ts'
import { type MappingWords, readMapping } from '../../imports/csv/mappings.ts'
import { type OpenedImport, openImport } from '../../imports/formats.ts'
import type { ImportLine } from '../../imports/import-line.ts'
import { readLines } from '../../imports/read/read-lines.ts'
import {
  beginsAsArchive,
  headBytes,
  largestArchiveRead,
  maxUnfolded,
  readUpload,
  type StoredFile,
  type UploadPlace,
} from '../upload-files.ts'

interface Column {
  readonly name: string
  /** What stands below it first. */
  readonly example: string
  /** Null if the column is not read. */
  readonly field: string | null
}

export interface FilePreview {
  /** Null while it is not known. */
  readonly kind: ObservationKind | null
  readonly columns: readonly Column[]
  /** The first rows, as they will be stored. */
  readonly rows: readonly { readonly line: number; readonly values: Readonly<Record<string, string>> }[]
  readonly faults: readonly PreviewFault[]
  /** Fields that no column and nothing said of all rows has, though each row needs them. */
  readonly missing: readonly string[]
}

/** The field stands before the message, unless the fault is of the whole line. */
interface PreviewFault {
  readonly line: number
  readonly field: string
  readonly message: string
}

const mostRows = 20
const mostLines = 500
const mostColumns = 100
const mostRowsAbove = 40

/** Null where the file is too large to be looked into before it is stored. */
export async function previewFile(place: UploadPlace, file: StoredFile, words: MappingWords): Promise<FilePreview | null> {
  const isArchive = await beginsAsArchive(place, file.name)
  if (isArchive && file.bytes > largestArchiveRead) return null
  const bytes = () => readUpload(place, file.name, isArchive ? file.bytes : headBytes)
  const limits = { encoding: words.encoding, isRemembered: true, maxBytes: maxUnfolded(place, file.bytes) }
  const mapping = readMapping(words)
  const table = await tableOf(await openImport(bytes(), limits), mapping, limits.maxBytes)
  const { kind, columns, missing } = meaningOf(table, mapping)
  const read: Read = { rows: [], faults: [] }
  let lines = 0
  for await (const batch of readLines(await openImport(bytes(), limits), mapping, limits)) {
    for (const line of batch.slice(0, mostLines - lines)) take(line, read)
    lines += batch.length
    if (lines >= mostLines || read.rows.length >= mostRows) break
  }
  const isCut = !isArchive && file.bytes > headBytes
  // The last line of a part ends where the part does.
  const faults = isCut && lines < mostLines ? read.faults.slice(0, -1) : read.faults
  return { kind, columns, missing, rows: read.rows, faults: faults.slice(0, mostRows) }
}

interface Read {
  readonly rows: FilePreview['rows'][number][]
  readonly faults: PreviewFault[]
}

function take({ line, record, fault, found }: ImportLine, { rows, faults }: Read): void {
  if (fault !== undefined) {
    // What is missing in the header is said beside the columns.
    if (fault.code !== 'columns') faults.push(told(line, fault))
    return
  }
  const given = record as Readonly<Record<string, unknown>>
  const kind = given?.['type']
  if (typeof kind !== 'string' || !Object.hasOwn(observations, kind)) return
  const values = readIncoming(observations[kind as ObservationKind].fields, given, 'site')
  if (Array.isArray(values)) faults.push(...values.map((flaw) => told(line, withValue(flaw, given[flaw.field], found?.[flaw.field]))))
  else if (rows.length < mostRows)
    rows.push({ line, values: Object.fromEntries(Object.keys(values).map((name) => [name, String(given[name] ?? 'not found')])) })
}

/** Without what programs would say to mend it. */
function told(line: number, { field, ...fault }: LineError): PreviewFault {
  return { line, field, message: importErrorWithValue({ ...fault, field: '', line, index: 0 }, 'request') }
}

/** The first rows, of whatever they are. */
async function tableOf(opened: OpenedImport, mapping: CsvMapping, maxBytes: number): Promise<string[][]> {
  const rows: string[][] = []
  try {
    for await (const { record } of rowsIn(opened, mapping, maxBytes)) {
      rows.push(record.slice(0, mostColumns).map(textOf))
      if (rows.length > mostRowsAbove) break
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  return rows
}

async function* rowsIn(opened: OpenedImport, mapping: CsvMapping, maxBytes: number) {
  const { skipLines = 0, sheet } = mapping
  if (opened.format === 'csv')
    yield* rowsOf(opened.bytes, {
      maxCells: Number.POSITIVE_INFINITY,
      skipLines,
      isHeader: (cells) => isHeading(tableHeading(cells, mapping)),
    })
  if (opened.format !== 'zip') return
  const zip = await openZip(opened.bytes, maxBytes)
  try {
    const book = await openWorkbook(zip).catch(() => null)
    const name = sheet !== undefined && book?.sheets.includes(sheet) ? sheet : book?.sheets[0]
    if (book === null || name === undefined) return
    try {
      for await (const row of book.rows(name)) if (row.line > skipLines) yield row
    } finally {
      book.close()
    }
  } finally {
    await zip.close()
  }
}

/** The heading that was found, or the fullest row and what its columns are probably. */
function meaningOf(table: readonly string[][], mapping: CsvMapping): Pick<FilePreview, 'kind' | 'columns' | 'missing'> {
  for (const [at, cells] of table.entries()) {
    const found = tableHeading(cells, mapping)
    if (!isHeading(found) || found.plan === undefined) continue
    const { kind, fields } = found.plan
    return { kind, columns: columnsOf(cells, table[at + 1], (i) => fields[i] ?? null), missing: [] }
  }
  const at = fullest(table)
  const heads = table[at] ?? []
  const names = heads.map(folded)
  const likely = likelyKind(names)
  const kind = mapping.kind ?? likely?.kind ?? null
  const told = new Map(Object.entries(mapping.columns ?? {}).map(([name, field]) => [folded(name), field]))
  const known = kind === null ? {} : observations[kind].fields
  const meant = likely !== undefined && likely.kind === kind ? likely.meant : new Map<string, string>()
  const fieldOf = (name: string) => told.get(name) ?? meant.get(name) ?? (Object.hasOwn(known, name) ? name : '')
  const columns = columnsOf(heads, table[at + 1], (i) => fieldOf(names[i] ?? '') || null)
  return { kind, columns, missing: missingOf(kind, columns, mapping) }
}

function missingOf(kind: ObservationKind | null, columns: readonly Column[], { set = {}, date }: CsvMapping): string[] {
  if (kind === null) return []
  const fields: Readonly<Record<string, Incoming>> = observations[kind].fields
  const has = (name: string) => name === 'site' || Object.hasOwn(set, name) || columns.some(({ field }) => field === name)
  const isDated = (name: string) => date !== undefined && ['date', 'day', 'ranked_at', 'found_on'].includes(name)
  return Object.keys(fields).filter((name) => fields[name]?.required && !has(name) && !isDated(name))
}

function columnsOf(heads: readonly string[], below: readonly string[] | undefined, fieldAt: (at: number) => string | null): Column[] {
  return heads.map((name, at) => ({ name, example: below?.[at] ?? '', field: fieldAt(at) }))
}

/** Of several that are as full, the first. */
function fullest(table: readonly string[][]): number {
  const filled = table.map((cells) => cells.filter((cell) => cell.trim() !== '').length)
  return Math.max(0, filled.indexOf(Math.max(0, ...filled)))
}
