/** How a file is read, and what is told on the way. */

import type { TableReading } from '../csv/table.ts'

export interface FileReading extends TableReading {
  readonly encoding?: 'windows-1252' | undefined
  /** The largest size of what an archive unfolds to. */
  readonly maxBytes?: number | undefined
  /** Whether the file lies in an archive, where no other archive is read. */
  readonly isWithin?: boolean
  /** Called with the files of an archive that are not read. */
  readonly leftOutFiles?: (files: readonly string[]) => void
}
