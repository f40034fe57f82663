/** Sites to which something happened within the last month, and nothing at its ends. */
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import type { Line } from './page-worlds.ts'

type RankOn = (day: number, month: number) => number | null | undefined

/** The days of a month are told as numbers from 1; of other months `month` says how far they are from it. */
export function courseWorlds(today: string): { from: string; to: string; worlds: Record<string, readonly Line[]> } {
  const to = dayText(dayNumber(`${today.slice(0, 7)}-01`) - 1)
  const from = `${to.slice(0, 7)}-01`
  const rankings = (site: string, phrase: string, rankOn: RankOn, { engine = 'Google', locale = 'en-us', days = 130, step = 1 } = {}) =>
    Array.from({ length: Math.floor(days / step) }, (_, index) => dayText(dayNumber(to) + 12 - index * step)).flatMap((day): Line[] => {
      const rank = rankOn(Number(day.slice(8)), day.slice(0, 7) === to.slice(0, 7) ? 0 : day < from ? -1 : 1)
      if (day > today || rank === undefined) return []
      return [{ type: 'ranking', site, phrase, search_engine: engine, locale, ranked_at: `${day} 04:00:00`, rank }]
    })
  const phrases = (count: number) => Array.from({ length: count }, (_, k) => `keyword ${k + 1}`)
  const isInside = (day: number, month: number) => month === 0 && day >= 4 && day <= 24
  const page = (site: string) => ({ site, source: 'google', page_url: `https://google.example/${site}` })
  const engines = ['Google', 'Bing']
  return {
    from,
    to,
    worlds: {
      'lost-inside.example': phrases(10).flatMap((phrase, k) =>
        rankings('lost-inside.example', phrase, (day, month) => (k < 4 && isInside(day, month) ? null : 5 + k)),
      ),
      'lost-on-bing.example': phrases(5).flatMap((phrase, k) =>
        engines.flatMap((engine) =>
          rankings('lost-on-bing.example', phrase, (day, month) => (engine === 'Bing' && k < 2 && isInside(day, month) ? null : 6 + k), {
            engine,
          }),
        ),
      ),
      'gap-inside.example': phrases(5).flatMap((phrase, k) =>
        rankings('gap-inside.example', phrase, (day, month) => (isInside(day, month) ? undefined : 7 + k)),
      ),
      'flat.example': phrases(5).flatMap((phrase, k) => rankings('flat.example', phrase, () => 8 + k)),
      'weekly.example': phrases(3).flatMap((phrase, k) =>
        rankings('weekly.example', phrase, (day, month) => (k === 0 && month === 0 && day >= 6 && day <= 20 ? null : 4 + k), { step: 7 }),
      ),
      'one-point.example': rankings('one-point.example', 'only one', (day, month) => (month === 0 && day === 12 ? 12 : undefined)),
      'reviews-only.example': [
        { type: 'page', ...page('reviews-only.example') },
        ...[4, 5, 3].map(
          (rating, index): Line => ({
            type: 'review',
            ...page('reviews-only.example'),
            date: `${from.slice(0, 8)}1${index}`,
            rating,
            ref: `r${index}`,
            user: 'Ann',
            detail: 'Words.',
          }),
        ),
      ],
      'two-years.example': phrases(2).flatMap((phrase, k) =>
        rankings('two-years.example', phrase, (day, month) => (k === 0 && month === 0 && day >= 10 && day <= 17 ? null : 9 + k), {
          days: 730,
        }),
      ),
      'six-sources.example': phrases(3).flatMap((phrase, k) =>
        engines.flatMap((engine) =>
          ['en-us', 'fr-fr', 'de-de'].flatMap((locale) =>
            rankings('six-sources.example', phrase, (day, month) => (k === 0 && month === 0 && day >= 5 && day <= 13 ? null : 3 + k), {
              engine,
              locale,
            }),
          ),
        ),
      ),
    },
  }
}
