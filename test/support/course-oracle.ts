/** What happened between the ends of a period, found day by day in the report that partners read. Nothing here is shared with the pages. */
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import type { SiteReport } from './page-oracle.ts'

const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

/** As people in Britain write it. */
export function dayName(day: string): string {
  return `${Number(day.slice(8))} ${names[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
}

/** Of one month. */
function spanName(from: string, to: string): string {
  const amount = dayNumber(to) - dayNumber(from) + 1
  return amount === 1 ? dayName(from) : `${Number(from.slice(8))} – ${dayName(to)} (${amount} days`
}

export interface Happened {
  /** Keywords that were not found for a while, by the span and the engines. */
  readonly losses: readonly { readonly keywords: number; readonly text: string }[]
  readonly gaps: readonly string[]
  readonly measuredDays: number
  /** The mean of all measurements of the period. */
  readonly mean: number
}

export function whatHappened({ keywords }: SiteReport, from: string, to: string): Happened {
  const series = keywords.flatMap((keyed) =>
    Object.entries(keyed).flatMap(([phrase, rankings]) =>
      [...Map.groupBy(rankings, ({ search_engine, locale }) => `${search_engine}\n${locale}`)].map(([source, some]) => ({
        phrase,
        engine: source.split('\n')[0] as string,
        byDay: new Map(some.map(({ ranked_at, rank }) => [ranked_at.slice(0, 10), rank ?? 0])),
      })),
    ),
  )
  const engines = new Set(series.map(({ engine }) => engine))
  const spans = new Map<string, { phrases: Set<string>; engines: Set<string> }>()
  for (const { phrase, engine, byDay } of series)
    for (const span of lostSpans(byDay, from, to)) {
      const known = spans.get(span) ?? { phrases: new Set(), engines: new Set() }
      known.phrases.add(phrase)
      known.engines.add(engine)
      spans.set(span, known)
    }
  const measured = [...new Set(series.flatMap(({ byDay }) => [...byDay.keys()]))].filter((day) => day <= to).toSorted()
  const values = series.flatMap(({ byDay }) => [...byDay].flatMap(([day, rank]) => (day >= from && day <= to ? [worth(rank)] : [])))
  return {
    losses: [...spans].map(([span, known]) => {
      const [first = '', last = '', back = '', looked = ''] = span.split(' ')
      const where = known.engines.size < engines.size ? ` on ${[...known.engines].toSorted().join(' and ')}` : ''
      const often = Number(looked) === dayNumber(last) - dayNumber(first) + 1 ? '' : `, looked for ${looked} times`
      return { keywords: known.phrases.size, text: `not found${where} ${spanName(first, last)}${often}), back since ${dayName(back)}` }
    }),
    gaps: gapsIn(measured, from).map(([first, last]) => `${spanName(first, last)}${first === last ? '' : ')'}`),
    measuredDays: measured.filter((day) => day >= from).length,
    mean: values.reduce((sum, one) => sum + one, 0) / values.length,
  }
}

function worth(rank: number): number {
  return rank === 0 || rank > 100 ? 0 : 100 - (100 * Math.log(rank)) / Math.log(101)
}

/** From the first day in vain to the last, if there are two at least, three days apart; then the day of the find after. */
function lostSpans(byDay: ReadonlyMap<string, number>, from: string, to: string): string[] {
  const all = [...byDay].filter(([day]) => day <= to).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return all.flatMap(([day, rank], index) => {
    const before = all[index - 1]?.[1] ?? 0
    if (day < from || rank !== 0 || before === 0) return []
    const next = all.findIndex(([, later], at) => at > index && later > 0)
    const last = all[next - 1]?.[0] ?? day
    if (next < 0 || next - index < 2 || dayNumber(last) - dayNumber(day) < 2) return []
    return [`${day} ${last} ${all[next]?.[0]} ${next - index}`]
  })
}

/** Between two measurements that are half as far apart again as two usually are. */
function gapsIn(days: readonly string[], from: string): (readonly [string, string])[] {
  const steps = days.slice(1).map((day, index) => dayNumber(day) - dayNumber(days[index] as string))
  const usual = steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 1
  return steps.flatMap((step, index) => {
    const first = dayNumber(days[index] as string) + 1
    const last = first + step - 2
    if (step <= usual * 1.5 || last < dayNumber(from)) return []
    return [[dayText(Math.max(first, dayNumber(from))), dayText(last)] as const]
  })
}
