/** Reads saved SEO and reputation reports of this interface, in XML or JSON, with encoded or literal names, into import lines. */

import { refuse } from '../../../lib/failures.ts'
import type { ImportLine } from '../import-line.ts'
import type { ReportNames } from './old-ids.ts'
import { oneSeriesNotice, recordsOf } from './records.ts'
import { type Fields, type Unit, unitsOf } from './units.ts'
import { XmlReport } from './xml.ts'

export interface ReportOptions {
  /** The day of the report's figures. */
  readonly asOf: string
  readonly keepHyphens: boolean
  /** Called with a sentence on what the report does not hold. */
  readonly noticed?: ((sentence: string) => void) | undefined
}

interface Found {
  readonly line: number
  readonly unit?: Unit
  readonly fault?: ImportLine['fault']
}

const maxJsonBytes = 64 * 1024 * 1024
const arrivalsPerBatch = 1000

export async function* readReport(
  bytes: AsyncIterable<Uint8Array>,
  format: 'xml' | 'json',
  names: ReportNames,
  options: ReportOptions,
): AsyncGenerator<ImportLine[]> {
  let batch: ImportLine[] = []
  const has = { rankings: false, devices: false }
  for await (const found of format === 'xml' ? xmlUnits(bytes, options) : jsonUnits(bytes)) {
    if (found.unit?.is === 'keyword') look(has, found.unit.rankings)
    batch.push(...arrivalsOf(found, names, options.asOf))
    if (batch.length >= arrivalsPerBatch) {
      yield batch
      batch = []
    }
  }
  if (has.rankings && !has.devices) options.noticed?.(oneSeriesNotice)
  yield batch
}

function look(has: { rankings: boolean; devices: boolean }, rankings: readonly Fields[]): void {
  has.rankings ||= rankings.length > 0
  has.devices ||= rankings.some(({ device }) => device !== undefined)
}

function arrivalsOf({ line, unit, fault }: Found, names: ReportNames, asOf: string): ImportLine[] {
  if (unit === undefined) return [{ line, ...(fault && { fault }) }]
  const place = names.at(unit.at)
  if (place) return recordsOf(unit, { ...place }, asOf).map((record) => ({ line, record, isReport: true }))
  // Everything below it is unmapped too; one error is enough.
  const isSite = unit.is === 'site'
  const isRival = unit.is === 'rival' && names.at({ account: unit.at.account, site: unit.at.site }) !== undefined
  const field = isSite ? `site ${unit.at.site}` : `competitor ${unit.at.rival}`
  const code = isRival && names.hasRivals({ account: unit.at.account, site: unit.at.site }) ? 'unmapped_rival' : 'unmapped'
  return isSite || isRival ? [{ line, fault: { field, code } }] : []
}

async function* xmlUnits(bytes: AsyncIterable<Uint8Array>, options: ReportOptions): AsyncGenerator<Found> {
  const report = new XmlReport(options)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield* report.take(decoder.decode(chunk, { stream: true }))
    yield* report.take(decoder.decode())
    yield* report.end()
  } catch (error) {
    const isText = !(error instanceof TypeError)
    yield {
      line: report.line,
      fault: isText ? { field: '', code: 'not_a_report', detail: (error as Error).message } : { field: '', code: 'not_utf8' },
    }
  }
}

async function* jsonUnits(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Found> {
  const report = parsed(await whole(bytes))
  if (report === undefined) return yield { line: 1, fault: { field: '', code: 'not_a_report', detail: 'it is not JSON' } }
  let line = 0
  for (const unit of unitsOf(report)) yield { line: ++line, unit }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxJsonBytes) refuse('too_large', 'A report of this size can be read as XML only')
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/, '')
}
