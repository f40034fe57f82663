/** How the rows of another tool's file become records. */

import { datetime, list, type RecordOf, string } from '../../fields/shape.ts'
import type { ObservationKind } from '../observation.ts'

export interface DaysTogether {
  readonly start_date: string
  readonly end_date: string
}

/** How the rows of a foreign CSV file become records. Column names are normalized: lower case, one underscore between words. */
export interface CsvMapping {
  readonly kind?: ObservationKind
  /** Maps a column to a field; an empty field skips the column. */
  readonly columns?: Readonly<Record<string, string>>
  /** Maps a field to its value in every row. */
  readonly set?: Readonly<Record<string, string>>
  /** Values of the rows in which another field has a value: `page_url[source=yelp]=https://yelp.example/biz/bob`. */
  readonly setWhere?: readonly {
    readonly field: string
    readonly value: string
    readonly where: { readonly field: string; readonly value: string }
  }[]
  /** The markers for "looked for and not found", in lower case. */
  readonly notFound?: readonly string[]
  /** Maps a field to the meaning of its words: `{ rating: { five: '5' } }`. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** What is cut off the beginning of numbers and domains: `www.`, `+`. */
  readonly strip?: readonly string[]
  /** Such as `dd.mm.yyyy`; the default is `yyyy-mm-dd`. */
  readonly dateFormat?: string
  /** The decimal separator; the other character then separates thousands. */
  readonly decimal?: '.' | ','
  /** Whether decimals are rounded to whole numbers. */
  readonly round?: boolean
  /** The day of every row, if the file has no date column. */
  readonly date?: string
  /** Whether average positions of a tool are stored as ranks, rounded. */
  readonly ranksAverages?: boolean
  /** The days of which every row has the totals. */
  readonly period?: DaysTogether
  /** The days that the archive says, if nothing is told. */
  readonly foundPeriod?: DaysTogether
  /** The field whose values are in the columns named by dates (a pivot table). */
  readonly unpivot?: string
  /** Columns that hold a field for one engine or device: `Bing=rank[search_engine=Bing]`. */
  readonly spread?: readonly { readonly column: string; readonly field: string; readonly values: Readonly<Record<string, string>> }[]
  /** Whether only the columns named here are read, because the tool gives others the names of our fields. */
  readonly isClosed?: boolean
  /** The fields of the columns in their order, for a tool that translates their names; the empty one is the click-through rate. */
  readonly byPosition?: readonly string[]
  /** How many lines stand above the table. */
  readonly skipLines?: number
  /** The sheet of a workbook. */
  readonly sheet?: string
  /** Whether account ids in the file are those of the accounts the import is for. */
  readonly keepsAccounts?: boolean
  /** Whether devices and locations of ranks are stored by name, all of them. */
  readonly namesDevices?: boolean
  /** The device and the location whose ranks are stored as those without. */
  readonly plainDevice?: string
  readonly plainLocation?: string
  /** The language of the locale where a table names only the country. */
  readonly language?: string
  /** Whether a locale of `set` holds although the file names several countries, because it was saved before they were read. */
  readonly keepsLocale?: boolean
  /** Whether surplus cells of a row belong to its last column. */
  readonly overflows?: boolean
}

export interface ImportPreset extends CsvMapping {
  readonly says: string
  readonly kind: ObservationKind
  /** Columns that together only this tool has; any one of the lists suffices. */
  readonly marks?: readonly (readonly string[])[]
  /** The further options that a command needs, as for the sample in docs/samples. */
  readonly needs: string
}

// biome-ignore format: a table reads by its columns
const mappingOption = {
  name:  string('as of the parameter of an upload'),
  value: string('values of `set` are separated by line breaks; a flag is 1'),
}

// biome-ignore format: a table reads by its columns
/** The options of an import that are saved under a name. */
export const importMapping = {
  name:       string('by which an upload names it'),
  options:    list('option', mappingOption),
  updated_at: datetime('when it was saved last'),
}

export type ImportMapping = RecordOf<typeof importMapping>

// biome-ignore format: a table reads by its columns
export const changedMapping = {
  name: string('its new name', { required: true, trim: true, min: 1, max: 100 }),
}
