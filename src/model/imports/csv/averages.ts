/** What the averages of a tool become: average positions of days, figures of a period, or ranks where somebody asks for those. */

import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { type CsvPlan, planCsv, type Unplanned } from './mapping.ts'

type Columns = Readonly<Record<string, string>>

/** The ways to read a table, the first that fits counts: an archive may say of which days its totals are. */
function meaningsOf(mapping: CsvMapping): readonly [CsvMapping, ...CsvMapping[]] {
  const { foundPeriod, ...told } = mapping
  if (!tellsAverages(mapping)) return [told]
  if (told.period !== undefined) return [asPeriod(told)]
  const days = asksRanks(told) ? asRanks(told) : told
  return foundPeriod === undefined || told.date !== undefined ? [days] : [days, asPeriod({ ...told, period: foundPeriod })]
}

export interface Meant {
  readonly plan: CsvPlan
  /** The mapping by which the rows are read. */
  readonly mapping: CsvMapping
}

/** How a table with this header is read, or what is wrong with it for the first of the ways. */
export function planMeant(header: readonly string[], mapping: CsvMapping): Meant | Unplanned {
  const [first, ...others] = meaningsOf(mapping)
  const plan = planCsv(header, first)
  if (!('sentence' in plan)) return { plan, mapping: first }
  for (const other of others) {
    const second = planCsv(header, other)
    if (!('sentence' in second)) return { plan: second, mapping: other }
  }
  return plan
}

/** The sentence on how the averages were read, if it may surprise. */
export function noticeOf(
  { kind, period, round, ranksAverages, columns = {} }: CsvMapping,
  { foundPeriod }: CsvMapping,
): string | undefined {
  if (kind === 'period' && period === foundPeriod && period !== undefined)
    return `The figures are those of ${period.start_date} to ${period.end_date}, which the archive says.`
  const isRounded = kind === 'ranking' && round === true && ranksAverages !== true && Object.values(columns).includes('rank')
  return isRounded ? roundedNotice : undefined
}

const roundedNotice =
  'Positions are rounded to ranks, because --round asks for it: without it, average positions keep their fraction as figures of their own. --as-rank asks for ranks without this notice.'

/** Only of a preset: who names columns says by their fields what is meant. */
function tellsAverages({ isClosed, columns = {} }: CsvMapping): boolean {
  return isClosed === true && Object.values(columns).includes('average_position')
}

function asksRanks({ kind, round, ranksAverages, columns = {} }: CsvMapping): boolean {
  return kind === 'ranking' || round === true || ranksAverages === true || Object.values(columns).includes('rank')
}

function asRanks(mapping: CsvMapping): CsvMapping {
  const rename = (field: string) => ({ average_position: 'rank', date: 'ranked_at' })[field] ?? field
  const { byPosition, columns = {} } = mapping
  return {
    ...mapping,
    kind: 'ranking',
    columns: renamed(columns, rename),
    ...(byPosition && { byPosition: byPosition.map(rename) }),
    ...(mapping.ranksAverages && { round: true }),
  }
}

/** A column of days is none of a period. */
function asPeriod(mapping: CsvMapping): CsvMapping {
  const { columns = {} } = mapping
  return { ...mapping, kind: 'period', columns: renamed(columns, (field) => (field === 'date' ? '' : field)) }
}

function renamed(columns: Columns, rename: (field: string) => string): Columns {
  return Object.fromEntries(Object.entries(columns).map(([name, field]) => [name, rename(field)]))
}
