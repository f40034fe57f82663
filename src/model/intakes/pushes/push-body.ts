/** Reads the body of a push in pieces: decompressed, split into records and parsed, within limits that are checked on the way. */

import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type JsonItem, JsonItemReader } from '../../../lib/body/json-items.ts'
import { refuse } from '../../../lib/failures.ts'
import { chunksOf, lengthOf, type ReceivedBytes } from '../../../lib/streams/received-bytes.ts'
import type { ImportLine } from '../../imports/import-line.ts'
import { lineBlocks, maxLineBytes } from '../../imports/read/lines.ts'

export const maxPushBytes = 16 * 1024 * 1024
const maxRatio = 100
/** Records and blank lines together; the shortest valid record has about fifty bytes. */
export const maxRecords = 250_000
/** The most records that are not valid JSON; a body with more is not what its sender meant. */
export const maxUnreadable = 100
/** Of a batch, which is checked in one go. */
export const recordsAtOnce = 250
const bytesAtOnce = 1 << 16
const fastestBytes = 1024

export interface PushedBody {
  readonly contents: ReceivedBytes
  readonly encoding: 'gzip' | 'identity'
}

/** Yields batches of records, each small enough to be checked in one go. */
export async function* pushedRecords(body: PushedBody): AsyncGenerator<ImportLine[]> {
  const bytes = await pushedBytes(body)
  const first = await bytes.next()
  const chunks = rejoined(first, bytes)
  const texts = opensArray(first.value ?? Buffer.alloc(0)) ? arrayItems(chunks) : lines(chunks)
  yield* batched(texts)
}

/** Decompressed twice, which is cheap, so that a body that is too large or damaged is refused before any record is read. */
export async function pushedBytes({ contents, encoding }: PushedBody): Promise<AsyncGenerator<Buffer>> {
  if (encoding === 'gzip') for await (const _chunk of unzipped(contents));
  return encoding === 'gzip' ? unzipped(contents) : chunksOf(contents)
}

interface NumberedText {
  readonly line: number
  /** Undefined if it is not valid UTF-8, null if it is too long. */
  readonly text: string | null | undefined
  /** Whether a blank is skipped, as between lines, or is a missing record, as between commas. */
  readonly mayBeBlank: boolean
}

async function* batched(texts: AsyncGenerator<NumberedText>): AsyncGenerator<ImportLine[]> {
  let batch: ImportLine[] = []
  let [bytes, count, unreadable] = [0, 0, 0]
  for await (const numbered of texts) {
    if (numbered.line > maxRecords) refuseTooMany()
    const record = recordOf(numbered)
    if (record?.fault !== undefined && ++unreadable > maxUnreadable)
      refuse(
        'malformed_body',
        `More than ${maxUnreadable} records are not JSON; reading stopped at record ${record.line} and nothing was stored`,
      )
    if (record !== undefined) batch.push(record)
    bytes += numbered.text?.length ?? 0
    count += 1
    if (count < recordsAtOnce && bytes < bytesAtOnce) continue
    yield batch
    batch = []
    count = 0
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

export function refuseTooMany(): never {
  return refuse('too_large', `The body has more than ${maxRecords.toLocaleString('en-US')} records or lines`)
}

function recordOf({ line, text, mayBeBlank }: NumberedText): ImportLine | undefined {
  if (text === undefined) return { line, fault: { field: '', code: 'not_utf8' } }
  if (text === null) return { line, fault: { field: '', code: 'line_too_long', max: maxLineBytes } }
  if (!/\S/.test(text)) return mayBeBlank ? undefined : { line, fault: notJson }
  if (text.length > plainLength && !isPlain(text)) return { line, fault: notJson }
  try {
    return { line, record: JSON.parse(line === 1 ? text.replace(/^\ufeff/, '') : text) }
  } catch {
    return { line, fault: notJson }
  }
}

const notJson = { field: '', code: 'not_json' } as const
/** Any shorter text is parsed within some milliseconds. */
const plainLength = 1 << 14
/** Of a record, and the most cells of a row. */
export const maxMembers = 1_000
const maxDepth = 16

/** Valid records are long only because of long texts. One with many members or levels could take the parser seconds, and is refused. */
function isPlain(text: string): boolean {
  let [commas, depth] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ',') commas += 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (commas > maxMembers || depth > maxDepth) return false
  }
  return true
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length : at
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

async function* arrayItems(chunks: AsyncIterable<Buffer>): AsyncGenerator<NumberedText> {
  const reader = new JsonItemReader(maxLineBytes)
  let line = 0
  for await (const chunk of chunks) for (const item of reader.items(chunk)) yield { line: ++line, text: textOf(item), mayBeBlank: false }
  reader.end()
}

function textOf(item: JsonItem): string | null | undefined {
  if (item === null) return null
  return isUtf8(item) ? item.toString('utf8') : undefined
}

async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<NumberedText> {
  for await (const { first, lines: texts } of lineBlocks(chunks)) {
    for (const [index, text] of texts.entries()) yield { line: first + index, text, mayBeBlank: true }
  }
}

/** Whether it is an array or one record per line, by the first character. */
function opensArray(opening: Buffer): boolean {
  return opening
    .toString('utf8', 0, 1024)
    .replace(/^\ufeff/, '')
    .trimStart()
    .startsWith('[')
}

async function* rejoined(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (!first.done) yield first.value
  yield* rest
}

/** Refuses a body that decompresses to more than a hundred times its size (a zip bomb). The file's header is not counted, because anybody can make it long. */
async function* unzipped(contents: ReceivedBytes): AsyncGenerator<Buffer> {
  const packed = chunksOf(contents)
  const first = await packed.next()
  const packedBytes = lengthOf(contents) - headerBytes(first.value ?? Buffer.alloc(0))
  const maxBytes = Math.min(maxPushBytes, Math.max(packedBytes, fastestBytes) * maxRatio)
  const gunzip = createGunzip({ chunkSize: 1 << 15 })
  pipeline(Readable.from(rejoined(first, packed)), gunzip, () => {})
  let bytes = 0
  try {
    for await (const chunk of gunzip) {
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) refuse('too_large', `The body unfolds to more than ${maxBytes.toLocaleString('en-US')} bytes`)
      yield chunk as Buffer
    }
  } catch (error) {
    const isOfZlib = String((error as NodeJS.ErrnoException).code).startsWith('Z_')
    throw isOfZlib ? notGzip() : error
  }
}

function notGzip(): unknown {
  try {
    return refuse('malformed_body', 'The body is not compressed with gzip')
  } catch (error) {
    return error
  }
}

/** The size of a gzip header: ten bytes, and what RFC 1952 lets a writer add: a name, a comment, other fields. */
function headerBytes(opening: Buffer): number {
  const flags = opening[3] ?? 0
  let at = 10
  if (flags & 4) at += 2 + (opening[at] ?? 0) + 256 * (opening[at + 1] ?? 0)
  for (const flag of [8, 16]) if (flags & flag) at = endOfText(opening, at)
  return at + (flags & 2 ? 2 : 0)
}

/** A text that does not end in the first chunk fills at least that chunk. */
function endOfText(opening: Buffer, from: number): number {
  const end = opening.indexOf(0, from)
  return end < 0 ? Number.POSITIVE_INFINITY : end + 1
}
