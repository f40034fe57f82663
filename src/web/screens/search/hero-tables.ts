/** The tables behind the charts of the figures that lead the search page. */

import { placeBetween } from '../../charts/axes.ts'
import type { Column, PageTable } from '../../components/tables.ts'
import type { SearchContent } from './content.ts'

const day: Column = { label: 'Day', kind: 'day' }

export function visibilityTable({ search, period }: SearchContent): PageTable {
  const days = search.trend.days(period)
  return {
    caption: 'Visibility by day',
    columns: [day, { label: 'Visibility', kind: 'decimal' }],
    rows: days.map((one) => [one.day, one.visibility]),
    at: days.map((one) => placeBetween(period.from, period.to, one.day)),
  }
}

export function notFoundTable({ search, period }: SearchContent): PageTable {
  const days = search.own.days()
  return {
    caption: 'Keywords not found by day, each counted once per engine and locale',
    columns: [day, { label: 'Not found', kind: 'whole' }, { label: 'Measured', kind: 'whole' }],
    rows: days.map((one) => [one.day, one.missing, one.missing + one.found]),
    at: days.map((one) => placeBetween(period.from, period.to, one.day)),
  }
}

export function linkCountTable({ period, figures }: SearchContent): PageTable {
  const days = figures.days.filter((one) => one.backlink_count !== null)
  return {
    caption: 'Backlinks by day',
    columns: [day, { label: 'Backlinks', kind: 'whole' }],
    rows: days.map((one) => [one.day, one.backlink_count]),
    at: days.map((one) => placeBetween(period.from, period.to, one.day)),
  }
}
