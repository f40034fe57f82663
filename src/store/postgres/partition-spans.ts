/**
 * What a partition of packed months covers, which its name tells: a month, except long ago and far ahead. Anybody may send data of any day from 1970 to 2106, and
 * a report of everything locks every partition, so that a few odd days must not make a thousand partitions.
 */

import { monthOf, nextMonth } from '../packed-months.ts'

export interface PartitionSpan {
  readonly from: number
  readonly to: number
}

/** Everything before it is one partition. */
const firstYear = 2015
/** After the current one; the years behind them are one partition each. */
const yearsInMonths = 1

/** No two spans ever overlap: a year of the future is made whole before its months are within reach, or never. */
export function spanAround(seconds: number, now: number): PartitionSpan {
  const year = yearOf(seconds)
  if (year < firstYear) return { from: 0, to: startOf(firstYear) }
  if (year > yearOf(now) + yearsInMonths) return { from: startOf(year), to: startOf(year + 1) }
  const from = monthOf(seconds)
  return { from, to: nextMonth(from) }
}

export function partitionName(table: string, { from, to }: PartitionSpan): string {
  if (from === 0) return `${table}_early`
  const month = new Date(from * 1000).toISOString().slice(0, 7).replace('-', '_')
  return `${table}_${to === nextMonth(from) ? month : month.slice(0, 4)}`
}

export function spanOf(name: string): PartitionSpan {
  const [, year, month] = /_(\d{4})(?:_(\d\d))?$/.exec(name) ?? []
  if (year === undefined) return { from: 0, to: startOf(firstYear) }
  if (month === undefined) return { from: startOf(Number(year)), to: startOf(Number(year) + 1) }
  const from = startOf(Number(year), Number(month))
  return { from, to: nextMonth(from) }
}

export function partitionBounds({ from, to }: PartitionSpan): string {
  return `for values from (${from}) to (${to})`
}

function yearOf(seconds: number): number {
  return new Date(seconds * 1000).getUTCFullYear()
}

function startOf(year: number, month = 1): number {
  return Date.UTC(year, month - 1, 1) / 1000
}
