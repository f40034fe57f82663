/** Reads the rows of a push in CSV, within the limits of a push in JSON. */

import { refuse } from '../../../lib/failures.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { readCsv } from '../../imports/csv/csv.ts'
import type { ImportLine } from '../../imports/import-line.ts'
import { maxMembers, maxRecords, maxUnreadable, type PushedBody, pushedBytes, recordsAtOnce, refuseTooMany } from './push-body.ts'

/** Like `pushedRecords`, for a body in CSV. */
export async function* pushedRows(body: PushedBody, mapping: CsvMapping): AsyncGenerator<ImportLine[]> {
  const bytes = withinLines(await pushedBytes(body))
  let [count, unreadable] = [0, 0]
  for await (const batch of readCsv(bytes, mapping, { maxCells: maxMembers, isPlain: true })) {
    count += batch.length
    if (count > maxRecords) refuseTooMany()
    for (const { fault, line } of batch) if (fault !== undefined && ++unreadable > maxUnreadable) refuseUnreadable(line)
    for (let at = 0; at < batch.length; at += recordsAtOnce) yield batch.slice(at, at + recordsAtOnce)
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
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === carriageReturn || (byte === lineFeed && last !== carriageReturn)) lines += 1
      last = byte
    }
    if (lines > maxRecords) refuseTooMany()
    yield chunk
  }
}
