/** Files as they come: NDJSON, CSV by kind or an existing report, compressed or not; each is read into the same arrivals. */

import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ImportLine } from './check.ts'
import { lineBlocks, maxLineBytes } from './lines.ts'

const arrivalsPerBatch = 250
const openingBytes = 4096

/** Whether the file is one of the interface's own reports, and which form it has. */
export async function openImport(stream: AsyncIterable<Uint8Array>) {
  const { opening, stream: bytes } = await open(stream)
  const text = opening
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (text.startsWith('<')) return { format: 'xml report', bytes } as const
  if (/^\{\s*"accounts?"\s*:\s*[[{]/.test(text)) return { format: 'json report', bytes } as const
  return { format: text.startsWith('{') ? 'ndjson' : 'csv', bytes } as const
}

export async function* readNdjson(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<ImportLine[]> {
  for await (const { first, lines } of lineBlocks(bytes)) {
    for (let at = 0; at < lines.length; at += arrivalsPerBatch) {
      yield lines.slice(at, at + arrivalsPerBatch).flatMap((text, i) => arrivalOf(text, first + at + i) ?? [])
    }
  }
}

/** The items of a JSON array, numbered from 1 like lines. */
export async function* readItems(items: readonly string[]): AsyncGenerator<ImportLine[]> {
  for (let at = 0; at < items.length; at += arrivalsPerBatch) {
    yield items
      .slice(at, at + arrivalsPerBatch)
      .map((text, i) => arrivalOf(text, at + i + 1) ?? { line: at + i + 1, fault: { field: '', code: 'not_json' } })
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
  return isGzip ? look(Readable.from(opened.stream).compose(createGunzip()) as AsyncIterable<Uint8Array>) : opened
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
