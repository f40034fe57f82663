/** Opens files of any supported format: NDJSON, a JSON array, CSV or a saved report, compressed or not; all are read into the same lines. */

import { isAscii, isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type JsonItem, JsonItemReader } from '../../lib/body/json-items.ts'
import { Failure } from '../../lib/failures.ts'
import { ZipFault } from '../../lib/zip/zip-file.ts'
import type { ImportErrorCode } from '../../resources/imports/import-fault.ts'
import type { ImportLine } from './import-line.ts'
import { type LineBlock, lineBlocks, maxLineBytes } from './read/lines.ts'

const arrivalsPerBatch = 250
const openingBytes = 4096

export type OpenedImport =
  | { readonly format: 'foreign'; readonly fault: ImportErrorCode }
  | {
      readonly format: 'xml report' | 'json report' | 'json array' | 'json reviews' | 'ndjson' | 'csv' | 'zip'
      readonly bytes: AsyncIterable<Uint8Array>
    }

interface OpenOptions {
  readonly encoding?: 'windows-1252' | undefined
  /** Whether the encoding is that of an earlier file: one in UTF-8 is then read as such. */
  readonly isRemembered?: boolean
  /** The largest decompressed size. */
  readonly maxBytes?: number
}

/** Detects the format from the beginning of the file; `fault` says what to do with a file that cannot be read. */
export async function openImport(
  stream: AsyncIterable<Uint8Array>,
  { encoding, isRemembered = false, maxBytes }: OpenOptions = {},
): Promise<OpenedImport> {
  const opened = await open(stream, maxBytes).catch(unreadableFault)
  if (typeof opened === 'string') return { format: 'foreign', fault: opened }
  const { opening, stream: bytes } = opened
  if (opening.toString('latin1', 0, 4) === 'PK\u0003\u0004') return { format: 'zip', bytes }
  const fault = foreignFormat(opening)
  if (fault !== undefined) return { format: 'foreign', fault }
  const unicode = utf16Of(opening) ?? encoding
  const isUtf8Already = unicode === 'windows-1252' && isUtf8WithLetters(opening)
  if (isUtf8Already && !isRemembered) return { format: 'foreign', fault: 'already_utf8' }
  if (unicode !== undefined && !isUtf8Already) return openImport(transcoded(bytes, unicode))
  if (isBinary(opening)) return { format: 'foreign', fault: 'binary' }
  const text = opening
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (/^<[?!\w]/.test(text)) return { format: 'xml report', bytes }
  if (/^\{\s*"accounts?"\s*:\s*[[{]/.test(text)) return { format: 'json report', bytes }
  if (/^\{\s*"(?:reviews|averageRating|totalReviewCount|nextPageToken)"\s*:/.test(text)) return { format: 'json reviews', bytes }
  if (/^\[\s*[{\]]/.test(text)) return { format: 'json array', bytes }
  return { format: text.startsWith('{') ? 'ndjson' : 'csv', bytes }
}

/** Names the error of a compressed file that is damaged or decompresses to too much. Any other error is thrown again. */
export function unreadableFault(error: unknown): ImportErrorCode {
  const code = String((error as { code?: string }).code)
  if (code.startsWith('Z_')) return 'truncated'
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'not_utf16'
  if (error instanceof ZipFault || code === 'unfolds_too_much') return code as ImportErrorCode
  throw error
}

/** The first bytes of bzip2, xz, 7-Zip, RAR and Zstandard files, and of gzip within gzip. */
const packedMarks = ['BZh', '\u00fd7zXZ', '7z\u00bc\u00af', 'Rar!\u001a', '(\u00b5/\u00fd', '\u001f\u008b']

function foreignFormat(opening: Buffer): ImportErrorCode | undefined {
  const magic = opening.toString('latin1', 0, 8)
  if (magic.startsWith('\u00d0\u00cf\u0011\u00e0')) return 'workbook'
  if (magic.startsWith('%PDF-')) return 'pdf'
  if (packedMarks.some((mark) => magic.startsWith(mark))) return 'packed'
  return /^\s*<!doctype html|^\s*<html/i.test(opening.toString('latin1', 0, 1024)) ? 'web_page' : undefined
}

/** Detects UTF-16 by the byte order mark, or by zero bytes in the first two letters. */
function utf16Of(opening: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [a, b, c, d] = opening
  // Two more zero bytes mean UTF-32.
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? undefined : 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a && b === 0 && c && d === 0) return 'utf-16le'
  return a === 0 && b && c === 0 && d ? 'utf-16be' : undefined
}

/** Whether there are non-ASCII letters in valid UTF-8; the last one may be cut off. */
function isUtf8WithLetters(opening: Buffer): boolean {
  const whole = opening.length < openingBytes ? opening : opening.subarray(0, opening.lastIndexOf(10) + 1)
  return isUtf8(whole) && !isAscii(whole)
}

/** Text has no NUL: not in its header, and not anywhere unless it is UTF-8. */
function isBinary(opening: Buffer): boolean {
  const end = opening.indexOf(10)
  return opening.subarray(0, end < 0 ? opening.length : end).includes(0) || (opening.includes(0) && !isUtf8(opening))
}

async function* transcoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

export async function* readNdjson(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<ImportLine[]> {
  for await (const { first, lines } of lineBlocks(bytes)) {
    for (let at = 0; at < lines.length; at += arrivalsPerBatch) yield arrivalsOf(lines.slice(at, at + arrivalsPerBatch), first + at)
  }
}

function arrivalsOf(lines: LineBlock['lines'], first: number): ImportLine[] {
  const arrivals: ImportLine[] = []
  for (let i = 0; i < lines.length; i++) {
    const arrival = arrivalOf(lines[i], first + i)
    if (arrival !== undefined) arrivals.push(arrival)
  }
  return arrivals
}

/** Reads one array of records; the line of a record is its position in the array. What comes after the array is read only where it stands in an object. */
export async function* readJsonArray(bytes: AsyncIterable<Uint8Array>, isWithin = false): AsyncGenerator<ImportLine[]> {
  const reader = new JsonItemReader(maxLineBytes, isWithin)
  let line = 0
  let batch: ImportLine[] = []
  const itemsOf = function* (items: Iterable<JsonItem>) {
    for (const item of items) {
      batch.push(arrayLine(item, ++line))
      if (batch.length < arrivalsPerBatch) continue
      yield batch
      batch = []
    }
  }
  try {
    for await (const chunk of bytes) yield* itemsOf(reader.items(Buffer.from(chunk)))
    reader.end()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    batch.push({ line: line + 1, fault: { field: '', code: 'not_json_array' } })
  }
  yield batch
}

function arrayLine(item: JsonItem, line: number): ImportLine {
  const text = item === null ? null : isUtf8(item) ? item.toString('utf8') : undefined
  return arrivalOf(text, line) ?? { line, fault: { field: '', code: 'not_json' } }
}

/** A blank line is not a record. */
function arrivalOf(text: string | null | undefined, line: number): ImportLine | undefined {
  if (text === undefined) return { line, fault: { field: '', code: 'not_utf8' } }
  if (text === null) return { line, fault: { field: '', code: 'line_too_long', max: maxLineBytes } }
  try {
    return { line, record: JSON.parse(line === 1 ? text.replace(/^\ufeff/, '') : text) }
  } catch {
    return text.trim() === '' ? undefined : { line, fault: { field: '', code: 'not_json' } }
  }
}

interface Opened {
  readonly opening: Buffer
  readonly stream: AsyncIterable<Uint8Array>
}

async function open(stream: AsyncIterable<Uint8Array>, maxBytes = Number.POSITIVE_INFINITY): Promise<Opened> {
  const opened = await look(stream)
  const isGzip = opened.opening[0] === 0x1f && opened.opening[1] === 0x8b
  return isGzip ? look(bounded(unzipping(opened.stream), maxBytes)) : opened
}

async function* bounded(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > maxBytes) throw Object.assign(new Error('the file unfolds to too much'), { code: 'unfolds_too_much' })
    yield chunk
  }
}

/** Errors of either stream are thrown where the bytes are read. */
function unzipping(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const [packed, gunzip] = [Readable.from(stream), createGunzip()]
  packed.on('error', (error) => gunzip.destroy(error))
  return packed.pipe(gunzip)
}

/** The bytes from the array of reviews on; a page of reviews may begin with how many there are. */
export async function* fromReviews(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (before === undefined) yield chunk
    else {
      before = Buffer.concat([before, chunk])
      const found = /"reviews"\s*:\s*(?=\[)/.exec(before.toString('latin1', 0, openingBytes))
      if (found !== null) yield before.subarray(found.index + found[0].length)
      else if (before.length > openingBytes) return
      if (found !== null) before = undefined
    }
  }
}

async function look(stream: AsyncIterable<Uint8Array>): Promise<Opened> {
  const iterator = stream[Symbol.asyncIterator]()
  const seen: Uint8Array[] = []
  let size = 0
  let isDone = false
  while (size < openingBytes && !isDone) {
    const next = await iterator.next()
    isDone = next.done ?? false
    if (!next.done) size += seen[seen.push(next.value) - 1]?.length ?? 0
  }
  return { opening: Buffer.concat(seen).subarray(0, openingBytes), stream: rejoined(seen, iterator) }
}

async function* rejoined(seen: readonly Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* seen
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } finally {
    // What unpacks a file is closed with who reads it.
    await iterator.return?.()
  }
}
