/** Finds the header row of a table: the first row that can be read as one, after what a tool writes above it. */

import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import type { ImportLine } from '../import-line.ts'
import { oneSeriesNotice } from '../saved-reports/records.ts'
import { planMeant } from './averages.ts'
import { type TableCell, textOf } from './cells.ts'
import type { CsvPlan, Unplanned } from './mapping.ts'
import { isOneSeries, ownReport } from './own-reports.ts'
import { type Heading, recognised } from './recognise.ts'

/** How many rows may come before the header. */
export const mostRowsAbove = 40
/** A row of more cells is tried only where it is the first, because a header seldom has so many. */
const mostCellsTried = 500

export function tableHeading(cells: readonly string[], mapping: CsvMapping, isPlain = false): Heading | Unplanned {
  const own = ownReport(cells, mapping)
  if (own !== undefined) return { own, mapping, ...(isOneSeries(cells) && { notice: oneSeriesNotice }) }
  const planned = planMeant(cells, mapping)
  if (!('sentence' in planned)) return planned
  return (isPlain ? undefined : recognised(cells, mapping)) ?? planned
}

export function isHeading(found: Heading | Unplanned): found is Heading {
  return !('sentence' in found)
}

/** Finds the header among the first rows, or says what is wrong with the row that is most like one. */
export class HeadingSearch {
  readonly #mapping: CsvMapping
  readonly #isPlain: boolean
  #best: { readonly fault: Unplanned; readonly line: number } | undefined
  #tried = 0
  /** How rows are read, once the header was found. */
  plan: CsvPlan | undefined

  constructor(mapping: CsvMapping, isPlain: boolean) {
    this.#mapping = mapping
    this.#isPlain = isPlain
  }

  tryRow(record: readonly TableCell[], line: number): Heading | undefined {
    const cells = record.map(textOf)
    const isFirst = this.#tried++ === 0
    if (!isFirst && cells.length > mostCellsTried) return undefined
    const found = tableHeading(cells, this.#mapping, this.#isPlain)
    if (isHeading(found)) {
      this.plan = found.plan
      return found
    }
    if (this.#best === undefined || found.known > this.#best.fault.known) this.#best = { fault: found, line }
    return undefined
  }

  get isOver(): boolean {
    return this.#isPlain || this.#tried > mostRowsAbove
  }

  faults(): ImportLine[] {
    if (this.#best === undefined) return []
    const { fault, line } = this.#best
    return [{ line, fault: { field: '', code: 'columns', detail: fault.sentence } }]
  }
}
