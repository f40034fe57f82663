/** Reads the lines of an opened file in any format. */

import type { ImportErrorCode } from '../../../resources/imports/import-fault.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { readCsv } from '../csv/csv.ts'
import { ForeignObjects } from '../csv/objects.ts'
import { fromReviews, type OpenedImport, openImport, readJsonArray, readNdjson, unreadableFault } from '../formats.ts'
import type { ImportLine } from '../import-line.ts'
import { readArchive } from './archives.ts'
import type { FileReading } from './file-reading.ts'

/** Saved reports need a map of ids, and are read in saved-reports/. */
export async function* readLines(
  opened: OpenedImport,
  mapping: CsvMapping,
  reading: FileReading = {},
): AsyncGenerator<readonly ImportLine[]> {
  try {
    if (opened.format === 'foreign') yield [wholeFileFault(opened.fault)]
    else if (opened.format === 'ndjson') yield* foreign(readNdjson(opened.bytes), mapping, reading)
    else if (opened.format === 'json array') yield* foreign(readJsonArray(opened.bytes), mapping, reading)
    else if (opened.format === 'json reviews') yield* foreign(readJsonArray(fromReviews(opened.bytes), true), mapping, reading)
    else if (opened.format === 'csv') yield* readCsv(opened.bytes, mapping, reading)
    else if (opened.format === 'zip' && reading.isWithin) yield [wholeFileFault('archive_within')]
    else if (opened.format === 'zip') yield* readArchive(opened.bytes, withoutOrder(mapping), reading, readFile)
    else yield [wholeFileFault('saved_report')]
  } catch (error) {
    yield [wholeFileFault(unreadableFault(error))]
  }
}

/** The tables of an archive beside the one that counts have as many columns. */
function withoutOrder({ byPosition: _, ...mapping }: CsvMapping): CsvMapping {
  return mapping
}

async function* readFile(
  bytes: AsyncIterable<Uint8Array>,
  mapping: CsvMapping,
  reading: FileReading,
): AsyncGenerator<readonly ImportLine[]> {
  const { encoding, maxBytes } = reading
  yield* readLines(await openImport(bytes, { encoding, ...(maxBytes !== undefined && { maxBytes }) }), mapping, {
    ...reading,
    isWithin: true,
  })
}

async function* foreign(
  batches: AsyncIterable<readonly ImportLine[]>,
  mapping: CsvMapping,
  reading: FileReading,
): AsyncGenerator<readonly ImportLine[]> {
  const objects = new ForeignObjects(mapping, reading)
  for await (const batch of batches) yield batch.flatMap((line) => objects.read(line))
}

export function wholeFileFault(code: ImportErrorCode): ImportLine {
  return { line: 1, fault: { field: '', code } }
}
