/** Reads saved reports among uploads as the command line does, and remembers which ids in them mean what. */

import type { Managing } from '../core/tenancy.ts'
import type { OpenedImport } from '../imports/formats.ts'
import type { ImportLine } from '../imports/import-line.ts'
import { ReportNames } from '../imports/saved-reports/old-ids.ts'
import { readReport } from '../imports/saved-reports/read.ts'
import type { KeptOptions } from './uploads.ts'

export class UploadedReports {
  readonly #caller: Managing
  readonly #options: KeptOptions
  #names: ReportNames | undefined

  constructor(caller: Managing, options: KeptOptions) {
    this.#caller = caller
    this.#options = options
  }

  /** The lines of a saved report; undefined for any other file, and for those of an earlier version. */
  async read(opened: OpenedImport, noticed: (sentence: string) => void): Promise<AsyncGenerator<ImportLine[]> | undefined> {
    const { report, target, createMissing } = this.#options
    if (report === undefined || (opened.format !== 'xml report' && opened.format !== 'json report')) return undefined
    this.#names = await new ReportNames(this.#caller, target, createMissing).load(report.map)
    return readReport(opened.bytes, opened.format === 'xml report' ? 'xml' : 'json', this.#names, { ...report, noticed })
  }

  /** For the next file. */
  async keep(): Promise<void> {
    await this.#names?.keep()
  }
}
