/** Reads the lines of an opened file in any format. */

import type { ImportErrorCode } from '../../resources/import-fault.ts'
import type { CsvMapping } from '../../resources/import-preset.ts'
import { readCsv } from './csv/csv.ts'
import { type OpenedImport, readJsonArray, readNdjson, unreadableFault } from './formats.ts'
import type { ImportLine } from './import-line.ts'

/** `leftOut` is called with the columns of a CSV file that are not read. Saved reports need a map of ids, and are read in saved-reports/. */
export async function* readLines(
  opened: OpenedImport,
  mapping: CsvMapping,
  leftOut: (columns: readonly string[]) => void = () => {},
): AsyncGenerator<readonly ImportLine[]> {
  try {
    if (opened.format === 'foreign') yield [wholeFileFault(opened.fault)]
    else if (opened.format === 'ndjson') yield* readNdjson(opened.bytes)
    else if (opened.format === 'json array') yield* readJsonArray(opened.bytes)
    else if (opened.format === 'csv') yield* readCsv(opened.bytes, mapping, { leftOut })
    else yield [wholeFileFault('saved_report')]
  } catch (error) {
    yield [wholeFileFault(unreadableFault(error))]
  }
}

export function wholeFileFault(code: ImportErrorCode): ImportLine {
  return { line: 1, fault: { field: '', code } }
}
