/** Reads the JSON objects of other tools like the rows of a table whose columns are their members: `reviewer.displayName` is one. */

import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { observationKind } from '../../../resources/observation.ts'
import type { ImportLine } from '../import-line.ts'
import { noticeOf, planMeant } from './averages.ts'
import type { TableCell } from './cells.ts'
import { keptLocaleNotice } from './locales.ts'
import type { CsvPlan, Unplanned } from './mapping.ts'
import { type Heading, recognised } from './recognise.ts'
import { rowRecords, type TableReading } from './table.ts'

const mostShapes = 500
const mostMembers = 300
const mostLevels = 4

/** Objects need not have the same members, so there is a plan for each shape; the tool is that of the first object that shows one. */
export class ForeignObjects {
  #mapping: CsvMapping
  readonly #isTold: boolean
  readonly #reading: TableReading
  readonly #plans = new Map<string, CsvPlan | Unplanned | undefined>()

  constructor(mapping: CsvMapping, reading: TableReading) {
    this.#mapping = mapping
    this.#isTold = mapping.kind !== undefined || Object.keys(mapping.columns ?? {}).length > 0
    this.#reading = reading
  }

  /** Our own records, and objects that nobody knows, stay as they are. */
  read(line: ImportLine): readonly ImportLine[] {
    const { record } = line
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return [line]
    const { type } = record as { type?: unknown }
    if (typeof type === 'string' && observationKind(type) !== undefined) return [line]
    if (type !== undefined && !this.#isTold) return [line]
    const members = [...membersOf(record, '', 0)].slice(0, mostMembers)
    const plan = this.#planOf(members.map(([name]) => name))
    if (plan === undefined) return [line]
    if ('sentence' in plan) return [{ ...line, record: undefined, fault: { field: '', code: 'columns', detail: plan.sentence } }]
    const rows = rowRecords(
      plan,
      this.#mapping,
      members.map(([, cell]) => cell),
      line.line,
    )
    if (plan.countries.isKept) this.#reading.noticed?.(keptLocaleNotice)
    return rows.map((row) => ({ ...line, ...row }))
  }

  #planOf(names: readonly string[]): CsvPlan | Unplanned | undefined {
    const shape = names.join('\n')
    if (!this.#plans.has(shape)) {
      if (this.#plans.size >= mostShapes) this.#plans.clear()
      this.#plans.set(shape, this.#planned(names))
    }
    return this.#plans.get(shape)
  }

  #planned(names: readonly string[]): CsvPlan | Unplanned | undefined {
    const plan = planMeant(names, this.#mapping)
    if (!('sentence' in plan)) return this.#settled(plan)
    const found = recognised(names, this.#mapping)
    if (found !== undefined && !('sentence' in found)) return this.#settled(found)
    return found ?? (this.#isTold || this.#mapping.isClosed ? plan : undefined)
  }

  #settled({ plan, mapping, guess }: Heading): CsvPlan | undefined {
    const notice = noticeOf(mapping, this.#mapping)
    if (notice !== undefined) this.#reading.noticed?.(notice)
    this.#mapping = mapping
    this.#reading.leftOut?.(plan?.leftOut ?? [])
    if (guess !== undefined) this.#reading.guessed?.(guess)
    return plan
  }
}

function* membersOf(value: object, path: string, level: number): Generator<[string, TableCell]> {
  for (const [name, member] of Object.entries(value)) {
    const cell = cellOf(member)
    if (cell !== undefined) yield [path + name, cell]
    else if (level < mostLevels && !Array.isArray(member)) yield* membersOf(member as object, `${path}${name}.`, level + 1)
  }
}

/** Undefined for an object, whose members are cells of their own; lists of words are one cell. */
function cellOf(member: unknown): TableCell | undefined {
  if (typeof member === 'string' || typeof member === 'number') return member
  if (member === null || typeof member === 'boolean') return member === null ? '' : String(member)
  return Array.isArray(member) && member.every((each) => typeof each === 'string') ? member.join(',') : undefined
}
