/** Files as they come: NDJSON, CSV by kind or an existing report, compressed or not; each is read into the same arrivals. */

import type { ImportLine } from './check.ts'
import { lineBlocks, maxLineBytes } from './lines.ts'
import { open } from './peek.ts'

const arrivalsPerBatch = 250

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
