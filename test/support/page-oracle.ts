/** What a page must say of a site, computed anew from the reports that partners read. Nothing here is shared with the pages. */
import { dayNumber } from '../../src/lib/time/days.ts'

interface Ranking {
  readonly search_engine: string
  readonly locale: string
  readonly ranked_at: string
  readonly rank: number | null
}

type Keywords = readonly Readonly<Record<string, readonly Ranking[]>>[]

export interface SiteReport {
  readonly keywords: Keywords
  readonly competitors: readonly Readonly<Record<string, { readonly keywords: Keywords }>>[]
}

/** Of one keyword on one engine and locale: 0 is looked for and not found, null not measured within its own cadence. */
export interface Pair {
  readonly phrase: string
  readonly engine: string
  readonly locale: string
  readonly now: number | null
  readonly before: number | null
  readonly best: number | null
  readonly measuredOn: string | null
}

export interface Ends {
  readonly from: string
  readonly to: string
  readonly beforeTo: string
}

export function pairsOf(keywords: Keywords, { from, to, beforeTo }: Ends): Pair[] {
  return keywords.flatMap((keyed) =>
    Object.entries(keyed).flatMap(([phrase, rankings]) => {
      const groups = Map.groupBy(rankings, ({ search_engine, locale }) => JSON.stringify([search_engine, locale]))
      return [...groups.values()].map((some) => {
        const [first] = some as [Ranking]
        const found = some.filter(({ ranked_at, rank }) => rank !== null && ranked_at.slice(0, 10) >= from && ranked_at.slice(0, 10) <= to)
        return {
          phrase,
          engine: first.search_engine,
          locale: first.locale,
          now: rankAt(some, to),
          before: rankAt(some, beforeTo),
          best: found.length === 0 ? null : Math.min(...found.map(({ rank }) => rank as number)),
          measuredOn: lastUntil(some, to)?.ranked_at.slice(0, 10) ?? null,
        }
      })
    }),
  )
}

function lastUntil(rankings: readonly Ranking[], to: string): Ranking | undefined {
  return rankings
    .filter(({ ranked_at }) => ranked_at.slice(0, 10) <= to)
    .toSorted((a, b) => (a.ranked_at < b.ranked_at ? -1 : 1))
    .at(-1)
}

/** A rank holds for a week, or for twice the usual step between measured days. */
function rankAt(rankings: readonly Ranking[], to: string): number | null {
  const last = lastUntil(rankings, to)
  if (!last) return null
  const days = [...new Set(rankings.map(({ ranked_at }) => dayNumber(ranked_at.slice(0, 10))))]
    .filter((day) => day <= dayNumber(to))
    .toSorted((a, b) => b - a)
  const steps = days.slice(0, 9).flatMap((day, index) => (index === 0 ? [] : [(days[index - 1] as number) - day]))
  const step = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 7
  return dayNumber(to) - (days[0] as number) <= Math.max(7, 2 * step) ? (last.rank ?? 0) : null
}

export interface Facts {
  readonly pairs: number
  readonly found: number
  readonly keywords: number
  readonly keywordsTop10: number
  readonly pairsTop10: number
  readonly visibility: number
  readonly average: number
}

export function factsOf(ranks: readonly { phrase: string; rank: number }[]): Facts {
  const found = ranks.filter(({ rank }) => rank > 0)
  const worth = (rank: number) => (rank === 0 || rank > 100 ? 0 : 100 - (100 * Math.log(rank)) / Math.log(101))
  const top = found.filter(({ rank }) => rank <= 10)
  return {
    pairs: ranks.length,
    found: found.length,
    keywords: new Set(ranks.map(({ phrase }) => phrase)).size,
    keywordsTop10: new Set(top.map(({ phrase }) => phrase)).size,
    pairsTop10: top.length,
    visibility: ranks.reduce((sum, { rank }) => sum + worth(rank), 0) / ranks.length,
    average: found.reduce((sum, { rank }) => sum + rank, 0) / found.length,
  }
}

export function ranksOf(pairs: readonly Pair[], when: 'now' | 'before', of: (pair: Pair) => boolean = () => true) {
  return pairs.filter(of).flatMap((pair) => (pair[when] === null ? [] : [{ phrase: pair.phrase, rank: pair[when] }]))
}

export interface ReviewReport {
  readonly pages: readonly {
    readonly id: number
    readonly reviews?: readonly { date: string; rating: number }[]
    readonly review_counts?: readonly { date: string; count: number; rating_sum: number }[]
  }[]
}

/** A page's day counts as the source counts it, or else as its reviews are listed. */
export function reviewsOf(detail: ReviewReport | undefined, counts: ReviewReport | undefined, from: string, to: string) {
  let [count, sum] = [0, 0]
  for (const { id, reviews = [] } of detail?.pages ?? []) {
    const counted = counts?.pages.find((page) => page.id === id)?.review_counts ?? []
    const within = (date: string) => date >= from && date <= to
    for (const one of counted.filter(({ date }) => within(date))) [count, sum] = [count + one.count, sum + one.rating_sum]
    for (const one of reviews)
      if (within(one.date) && !counted.some(({ date }) => date === one.date)) [count, sum] = [count + 1, sum + one.rating]
  }
  return { count, rating: sum / count }
}
