/** Numbers of the customer's own by day: calls, leads, direction requests. */

import type { Kysely } from 'kysely'
import { dayNumber, dayText } from '../../lib/time/days.ts'
import { readFigure } from '../../store/figures.ts'
import { firstAfter, firstFrom, monthOf, sourceAt, timeAt, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { series, sourceFields } from '../../store/series.ts'
import { padded } from '../imports/batches.ts'
import { monthPieces } from './month-pieces.ts'
import type { DaySpan, Period } from './positions.ts'

export interface ValueDay {
  readonly day: string
  readonly value: number
}

export interface OwnFigure {
  /** The account's code for the name and the unit together. */
  readonly code: number
  readonly figure: string
  readonly unit: string
  /** As its last entry says. */
  readonly better: 'up' | 'down'
  /** Of the period, and of the one it is compared with. */
  readonly now: readonly ValueDay[]
  readonly before: readonly ValueDay[]
}

/** A share has an average and no sum. */
export function isShare(unit: string): boolean {
  return unit.includes('%')
}

export function totalOfDays(days: readonly ValueDay[], isOfShare: boolean): number {
  return days.reduce((sum, { value }) => sum + value, 0) / (isOfShare ? days.length : 1)
}

/** A page could not show more beside each other; the first ones that were told are kept. */
const mostFigures = 6

type Entries = { better: 'up' | 'down'; readonly days: ValueDay[] }

/** Those that were told in the period. */
export async function readOwnFigures(
  db: Kysely<Tables>,
  { accountId, subjectId }: { readonly accountId: number; readonly subjectId: number },
  period: Period,
): Promise<OwnFigure[]> {
  const from = period.before && period.before.from < period.from ? period.before.from : period.from
  const [first, last] = [dayNumber(from) * secondsADay, (dayNumber(period.to) + 1) * secondsADay - 1]
  const { table, layout } = series.own_figure
  const found = new Map<number, Entries>()
  for await (const months of monthPieces(db, { table, accountId, from: monthOf(first), before: last + 1 }, [subjectId]))
    for (const { data } of months) {
      const words = wordsOf(data)
      const end = firstAfter(words, layout, last)
      for (let at = firstFrom(words, layout, first); at < end; at += layout.words) {
        const entries = found.get(sourceAt(words, at)) ?? { better: 'up', days: [] }
        found.set(sourceAt(words, at), entries)
        entries.better = readFigure['up or down'](words, at, at + 2) as 'up' | 'down'
        entries.days.push({ day: dayText(timeAt(words, at) / secondsADay), value: readFigure.decimal(words, at, at + 2) as number })
      }
    }
  const within = (days: readonly ValueDay[], span: DaySpan | null) =>
    span === null ? [] : days.filter(({ day }) => day >= span.from && day <= span.to)
  const named = await namesOf(db, accountId, [...found.keys()])
  const figures = named.map(({ code, figure, unit }): OwnFigure => {
    const { better, days } = found.get(code) as Entries
    return { code, figure, unit, better, now: within(days, period), before: within(days, period.before) }
  })
  return figures.filter(({ now }) => now.length > 0).slice(0, mostFigures)
}

const secondsADay = 86_400

async function namesOf(db: Kysely<Tables>, accountId: number, codes: readonly number[]) {
  if (codes.length === 0) return []
  const sources = db.selectFrom('sources').select(['code', 'engine']).where('account_id', '=', accountId)
  const rows = await sources.where('code', 'in', padded(codes)).orderBy('code').execute()
  return rows.map(({ code, engine }) => {
    const { figure = '', unit = '' } = sourceFields(series.own_figure, engine)
    return { code, figure, unit }
  })
}
