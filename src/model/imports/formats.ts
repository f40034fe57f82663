/** Files as they come: NDJSON, CSV by kind or an existing report, compressed or not; each is read into the same arrivals. */

import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ImportErrorCode } from '../../resources/import-fault.ts'
import type { ImportLine } from './check.ts'
import { lineBlocks, maxLineBytes } from './lines.ts'

const arrivalsPerBatch = 250
const openingBytes = 4096

/** What a file is, told by how it begins; `fault` says what to do with one that cannot be read. */
export async function openImport(stream: AsyncIterable<Uint8Array>, encoding?: 'windows-1252') {
  const { opening, stream: bytes } = await open(stream)
  const fault = foreignFormat(opening)
  if (fault !== undefined) return { format: 'foreign', fault, bytes } as const
  const unicode = encoding ?? utf16Of(opening)
  if (unicode !== undefined) return openImport(transcoded(bytes, unicode))
  const text = opening
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (text.startsWith('<')) return { format: 'xml report', bytes } as const
  if (/^\{\s*"accounts?"\s*:\s*[[{]/.test(text)) return { format: 'json report', bytes } as const
  return { format: text.startsWith('{') ? 'ndjson' : 'csv', bytes } as const
}

function foreignFormat(opening: Buffer): ImportErrorCode | undefined {
  const magic = opening.toString('latin1', 0, 8)
  if (magic.startsWith('PK\u0003\u0004')) return opening.includes('xl/') || opening.includes('[Content_Types].xml') ? 'workbook' : 'archive'
  if (magic.startsWith('\u00d0\u00cf\u0011\u00e0')) return 'workbook'
  if (magic.startsWith('%PDF-')) return 'pdf'
  return /^\s*<!doctype html|^\s*<html/i.test(opening.toString('latin1', 0, 1024)) ? 'web_page' : undefined
}

function utf16Of(opening: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (opening[0] === 0xff && opening[1] === 0xfe) return 'utf-16le'
  return opening[0] === 0xfe && opening[1] === 0xff ? 'utf-16be' : undefined
}

async function* transcoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

export async function* readNdjson(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<ImportLine[]> {
  for await (const { first, lines } of lineBlocks(bytes)) {
    for (let at = 0; at < lines.length; at += arrivalsPerBatch) {
      yield lines.slice(at, at + arrivalsPerBatch).flatMap((text, i) => arrivalOf(text, first + at + i) ?? [])
    }
  }
}

/** A line that holds nothing but blanks is none. */
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

async function open(stream: AsyncIterable<Uint8Array>): Promise<Opened> {
  const opened = await look(stream)
  const isGzip = opened.opening[0] === 0x1f && opened.opening[1] === 0x8b
  return isGzip ? look(unzipping(opened.stream)) : opened
}

/** An error of either stream comes out where the bytes are read. */
function unzipping(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const [packed, gunzip] = [Readable.from(stream), createGunzip()]
  packed.on('error', (error) => gunzip.destroy(error))
  return packed.pipe(gunzip)
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
  yield* seen
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
}
