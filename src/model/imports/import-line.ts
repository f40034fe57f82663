/** A line of a file as a format reader returns it: its record, or why it has none. */

import type { LineError } from '../../resources/imports/import-fault.ts'

/** A line number, and the file if there are several. */
export interface LineOf {
  readonly file?: string
  readonly line: number
}

/** Which device and location of a table's ranks are stored as those without. */
export interface PlainWish {
  readonly device?: string
  readonly location?: string
  /** None: all are stored by name. */
  readonly isNamed?: true
}

/** A line as a format reader returns it: its record, or why it has none. */
export interface ImportLine extends LineOf {
  readonly record?: unknown
  readonly fault?: LineError
  /** The text of the cells whose value is another one, by field, so that a fault quotes what stood in the file. */
  readonly found?: Readonly<Record<string, string>>
  /** Whether it was made of the line of another record, of which many may say it in their own way. */
  readonly isBeside?: boolean
  /** How the device and location of its rank are stored, where it is a row of a table that has them. */
  readonly plain?: PlainWish
  /** The cells of its row, to give the row back if it is refused. */
  readonly row?: readonly unknown[]
  /** Whether it is of a saved report, which does not have the own ids of reviews. */
  readonly isReport?: boolean
  /** Whether this service wrote the file; its review counts are then those of single days. */
  readonly isOwn?: boolean
}
