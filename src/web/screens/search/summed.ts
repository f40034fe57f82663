/** What is added up over the days of a period: clicks, and numbers of the customer's own. Each is a figure with a chart and a table. */

import { isShare, totalOfDays, type ValueDay } from '../../../model/dashboard/own-figures.ts'
import type { SearchFigures } from '../../../model/dashboard/search.ts'
import { placeBetween } from '../../charts/axes.ts'
import { drawFitted } from '../../charts/fitted.ts'
import type { Chart } from '../../charts/frame.ts'
import { drawAmounts } from '../../charts/line.ts'
import type { Figure } from '../../components/components.ts'
import { csvPath } from '../../components/csv.ts'
import { valueChange, type Words } from '../../components/number-format.ts'
import { gapNote } from '../../components/site-frame.ts'
import type { Column, PageTable } from '../../components/tables.ts'
import type { ReaderPageRequest } from '../../page-request.ts'
import type { SearchContent } from './content.ts'

interface Summed {
  /** Its name in the address. */
  readonly tab: string
  readonly label: string
  readonly csv: 'clicks' | 'own-figures'
  readonly better: 'up' | 'down'
  /** A share has an average and no sum. */
  readonly isShared: boolean
  readonly now: readonly ValueDay[]
  readonly before: readonly ValueDay[]
}

function summedOf({ clicks, ownFigures }: SearchFigures): Summed[] {
  const own = ownFigures.map(({ code, figure, unit, better, now, before }): Summed => {
    const label = unit === '' ? figure : `${figure}, ${unit}`
    return { tab: `own-${code}`, label, csv: 'own-figures', better, isShared: isShare(unit), now, before }
  })
  const clicked: Summed = { tab: 'clicks', label: 'Clicks', csv: 'clicks', better: 'up', isShared: false, ...clicks }
  return clicks.now.length === 0 ? own : [clicked, ...own]
}

export function summedFigures(words: Words, search: SearchFigures): Figure[] {
  return summedOf(search).map(({ tab, label, better, isShared, now, before }) => {
    const totalOf = (days: readonly ValueDay[]) => totalOfDays(days, isShared)
    // Sums of more and of fewer days cannot be compared.
    const isLike = now.length === before.length
    return {
      tab,
      label,
      value: words.value(totalOf(now)),
      change: isLike ? valueChange(words, totalOf(now), totalOf(before), better === 'up' ? 'better' : 'worse') : null,
      note: `${isShared ? 'average' : 'sum'} of ${words.count(now.length, 'day')}`,
    }
  })
}

export function summedChart(request: ReaderPageRequest, { search, period, pins }: SearchContent, tab: string): Chart | null {
  const { words } = request
  const found = summedOf(search).find((one) => one.tab === tab)
  const last = found?.now.at(-1)
  if (found === undefined || last === undefined) return null
  const { label, now: points } = found
  const isNegative = points.some(({ value }) => value < 0)
  return {
    id: 'summed',
    title: `${label} by day`,
    summary: `${words.value(last.value)} on ${words.day(last.day)}.`,
    notes: gapNote(words, points),
    table: { ...tableOf(label, [found]), at: points.map(({ day }) => placeBetween(period.from, period.to, day)) },
    csv: csvPath(request, found.csv),
    pins: { span: period, days: pins },
    draw: (size) =>
      isNegative
        ? drawFitted(words, period, { id: 'summed', points, before: [], leastSpan: 1, say: words.value }, size)
        : drawAmounts(words, period, [{ label, mark: 'own', points }], size, words.value),
  }
}

export function clicksTable({ search }: SearchContent): PageTable {
  return tableOf(
    'Clicks by day',
    summedOf(search).filter(({ csv }) => csv === 'clicks'),
  )
}

export function ownFiguresTable({ search }: SearchContent): PageTable {
  return tableOf(
    'Own numbers by day',
    summedOf(search).filter(({ csv }) => csv === 'own-figures'),
  )
}

function tableOf(caption: string, all: readonly Summed[]): PageTable {
  const byDay = all.map(({ now }) => new Map(now.map(({ day, value }) => [day, value])))
  const days = [...new Set(byDay.flatMap((one) => [...one.keys()]))].toSorted()
  const columns = all.map(
    ({ label, now }): Column => ({ label, kind: now.every(({ value }) => Number.isInteger(value)) ? 'whole' : 'decimal' }),
  )
  return {
    caption,
    columns: [{ label: 'Day', kind: 'day' }, ...columns],
    rows: days.map((day) => [day, ...byDay.map((one) => one.get(day) ?? null)]),
  }
}
