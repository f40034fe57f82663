/** Gives the refused lines of an import back as a file: each with a column that says why, so that it can be corrected and imported again. */

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { quotedCell, textOf } from '../../../model/imports/csv/cells.ts'
import type { ImportLine } from '../../../model/imports/import-line.ts'
import { importErrorMessage, type LineError } from '../../../resources/imports/import-fault.ts'
import { UsageError } from '../../command.ts'

export class RefusedFile {
  readonly #file: number
  #header: readonly string[] = []
  #written = ''
  #end = 0
  #last: readonly unknown[] | undefined

  constructor(path: string) {
    this.#file = openNew(path)
  }

  readonly headed = (cells: readonly string[]): void => {
    this.#header = cells
  }

  /** A row that became several records is written once. */
  readonly take = ({ row, record, line }: ImportLine, faults: readonly LineError[]): void => {
    const why = faults.map((fault) => importErrorMessage({ ...fault, line, index: 0 })).join('; ')
    if (row === undefined) this.#write(`${JSON.stringify({ why, ...(record as object | undefined) })}\n`)
    else if (row !== this.#last) this.#writeRow(row, why)
    this.#last = row
  }

  /** For a second reading. */
  clear(): void {
    ftruncateSync(this.#file)
    this.#end = 0
    this.#written = ''
  }

  close(): void {
    closeSync(this.#file)
  }

  /** The header comes again where another file has another one. */
  #writeRow(row: readonly unknown[], why: string): void {
    const header = [...this.#header, 'why'].map(quotedCell).join(',')
    if (header !== this.#written) this.#write(`${header}\n`)
    this.#written = header
    const cells = Array.from({ length: Math.max(row.length, this.#header.length) }, (_, i) => textOf(row[i] as string | undefined))
    this.#write(`${[...cells, why].map(quotedCell).join(',')}\n`)
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done)
    this.#end += bytes.length
  }
}

/** Never over a file that is there, which might be the one that is being imported. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    throw new UsageError(
      `${path} cannot be written: ${(error as NodeJS.ErrnoException).code === 'EEXIST' ? 'there is one already' : (error as Error).message}`,
    )
  }
}
