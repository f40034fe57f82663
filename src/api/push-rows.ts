/** Reads the rows of a push in CSV in short time slices, within the limits of a push in JSON. */

import type { Exchange } from '../http/exchange.ts'
import type { Upload } from '../http/upload.ts'
import { refuse } from '../lib/failures.ts'
import { endOfSlice } from '../lib/work/slices.ts'
import { readCsv } from '../model/imports/csv/csv.ts'
import type { ImportLine } from '../model/imports/import-line.ts'
import type { CsvMapping } from '../resources/import-preset.ts'
import { maxMembers, maxRecords, maxUnreadable, pushedBytes, recordsPerSlice, refuseTooMany, refuseWhenPointless } from './push-body.ts'

/** Like `pushedRecords`, for a body in CSV. */
export async function* pushedRows(
  upload: Upload,
  encoding: 'gzip' | 'identity',
  exchange: Exchange,
  mapping: CsvMapping,
): AsyncGenerator<ImportLine[]> {
  const bytes = withinLines(await pushedBytes(upload, encoding))
  const startedAt = performance.now()
  let [count, unreadable] = [0, 0]
  for await (const batch of readCsv(bytes, mapping, { maxCells: maxMembers, isPlain: true })) {
    count += batch.length
    if (count > maxRecords) refuseTooMany()
    for (const { fault, line } of batch) if (fault !== undefined && ++unreadable > maxUnreadable) refuseUnreadable(line)
    refuseWhenPointless(exchange, startedAt)
    for (let at = 0; at < batch.length; at += recordsPerSlice) yield batch.slice(at, at + recordsPerSlice)
  }
}

function refuseUnreadable(line: number): never {
  return refuse(
    'malformed_body',
    `More than ${maxUnreadable} rows have another number of cells than the header; reading stopped at line ${line} and nothing was stored`,
  )
}

const [lineFeed, carriageReturn] = [10, 13]

/** Counts lines before they are parsed, because blank ones become no rows. CRLF ends one line. */
async function* withinLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let lines = 1
  let last = 0
  for await (const chunk of chunks) {
    await endOfSlice()
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === carriageReturn || (byte === lineFeed && last !== carriageReturn)) lines += 1
      last = byte
    }
    if (lines > maxRecords) refuseTooMany()
    yield chunk
  }
}
