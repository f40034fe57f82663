/** Sites of many shapes, each with a name that says what is odd about it. All days are counted back from today. */
import { dayNumber, dayText } from '../../src/lib/time/days.ts'

export type Line = Readonly<Record<string, unknown>>

const engines = ['Google', 'Bing', 'Yahoo'] as const

interface Ranked {
  readonly site: string
  readonly competitor?: string
  readonly phrase: string
  readonly engine?: string
  readonly locale?: string
}

function ranking(
  { site, competitor, phrase, engine = 'Google', locale = 'en-us' }: Ranked,
  day: string,
  rank: number | null,
  at = '04:00:00',
): Line {
  return {
    type: 'ranking',
    site,
    ...(competitor && { competitor }),
    phrase,
    search_engine: engine,
    locale,
    ranked_at: `${day} ${at}`,
    rank,
  }
}

/** Every site but the 500 and the deep one. */
export function oddWorlds(today: string): Record<string, readonly Line[]> {
  const day = (ago: number) => dayText(dayNumber(today) - ago)
  const days = (from: number, to: number, step = 1) =>
    Array.from({ length: Math.floor((from - to) / step) + 1 }, (_, index) => from - index * step)
  const phrases = (count: number) => Array.from({ length: count }, (_, k) => `keyword ${k + 1}`)
  const page = (site: string, source = 'google') => ({ site, source, page_url: `https://${source}.example/${site}` })
  const review = (site: string, ago: number, rating: number, ref: string): Line => ({
    type: 'review',
    ...page(site),
    date: day(ago),
    rating,
    ref,
    user: 'Ann',
    detail: 'Words.',
  })
  const counted = (site: string, ago: number, count: number, rating_sum: number): Line => ({
    type: 'review_count',
    ...page(site),
    date: day(ago),
    count,
    rating_sum,
  })
  return {
    'weekly.example': phrases(5).flatMap((phrase, k) =>
      days(175, 5, 7).map((ago) => ranking({ site: 'weekly.example', phrase }, day(ago), 4 + k * 3 + Math.floor(ago / 30))),
    ),
    // Nine of ten keywords are lost twenty days ago; the one that stays is the best.
    'lost.example': phrases(10).flatMap((phrase, k) =>
      days(170, 0).map((ago) => ranking({ site: 'lost.example', phrase }, day(ago), ago < 20 && k > 0 ? null : k + 2)),
    ),
    'all-lost.example': phrases(4).flatMap((phrase, k) =>
      days(120, 0).map((ago) => ranking({ site: 'all-lost.example', phrase }, day(ago), ago < 15 ? null : k + 3)),
    ),
    // Better all the time, so the mean of the period is far from now.
    'climbing.example': phrases(4).flatMap((phrase, k) =>
      days(179, 0).map((ago) => ranking({ site: 'climbing.example', phrase }, day(ago), 5 + k + Math.floor(ago / 6))),
    ),
    'stale.example': phrases(3).flatMap((phrase) => days(130, 100).map((ago) => ranking({ site: 'stale.example', phrase }, day(ago), 8))),
    'ancient.example': phrases(2).map((phrase) => ranking({ site: 'ancient.example', phrase }, day(500), 8)),
    'reviews-only.example': [
      { type: 'page', ...page('reviews-only.example') },
      ...[5, 4, 1, 5, 2].map((rating, index) => review('reviews-only.example', index * 3, rating, `r${index}`)),
    ],
    'counts-only.example': [
      { type: 'page', ...page('counts-only.example') },
      ...days(160, 0, 10).map((ago) => counted('counts-only.example', ago, 3, 12)),
    ],
    // The source counts 116 in all where 117 are listed.
    'both.example': [
      { type: 'page', ...page('both.example') },
      ...days(57, 0).flatMap((ago) => [0, 1].map((n) => review('both.example', ago, 5 - n, `b${ago}-${n}`))),
      ...days(57, 0).map((ago) => counted('both.example', ago, 2, 9)),
      review('both.example', 3, 1, 'pushed'),
    ],
    'one-point.example': [ranking({ site: 'one-point.example', phrase: 'only one' }, day(3), 12)],
    'nothing.example': [],
    // 75 own pairs against 24 of the rival.
    'oranges.example': [
      ...phrases(25).flatMap((phrase, k) =>
        engines.flatMap((engine, e) =>
          days(100, 0, 4).map((ago) => ranking({ site: 'oranges.example', phrase, engine }, day(ago), 1 + ((k * 3 + e + ago) % 40))),
        ),
      ),
      ...phrases(8).flatMap((phrase, k) =>
        engines.flatMap((engine, e) =>
          days(100, 0, 4).map((ago) =>
            ranking({ site: 'oranges.example', competitor: 'pears.example', phrase, engine }, day(ago), 2 + ((k * 5 + e + ago) % 30)),
          ),
        ),
      ),
    ],
    // One keyword on Google alone beside one on three engines; two measurements on one day; ranks beyond 100.
    'uneven.example': [
      ...engines.flatMap((engine) =>
        days(40, 0).map((ago) => ranking({ site: 'uneven.example', phrase: 'everywhere', engine }, day(ago), 6)),
      ),
      ...days(40, 0).map((ago) => ranking({ site: 'uneven.example', phrase: 'google alone' }, day(ago), 9)),
      ranking({ site: 'uneven.example', phrase: 'twice a day' }, day(1), 2, '04:00:00'),
      ranking({ site: 'uneven.example', phrase: 'twice a day' }, day(1), 50, '16:00:00'),
      ranking({ site: 'uneven.example', phrase: 'far away' }, day(0), 900),
      { type: 'snapshot', site: 'uneven.example', day: day(2), backlink_count: 12, domain_authority: null },
    ],
    'xn--bckerei-5wa.example': [
      ranking({ site: 'xn--bckerei-5wa.example', phrase: `"><script>alert(1)</script> ${'x'.repeat(160)}`, engine: 'google' }, day(1), 7),
      ranking({ site: 'xn--bckerei-5wa.example', phrase: '=HYPERLINK("x")', engine: 'google' }, day(1), 8),
      ranking({ site: 'xn--bckerei-5wa.example', phrase: 'طبيب أسنان', engine: 'google' }, day(1), null),
    ],
  }
}

export function* deepWorld(today: string): Generator<Line[]> {
  const site = 'deep.example'
  for (let ago = 729; ago >= 0; ago--) {
    const day = dayText(dayNumber(today) - ago)
    yield Array.from({ length: 120 }, (_, k) => k).flatMap((k) =>
      engines.map((engine, e) =>
        ranking({ site, phrase: `keyword ${k}`, engine }, day, (k * 7 + e * 3 + Math.floor(ago / 9)) % 140 || null),
      ),
    )
  }
}

export function manySites(today: string): Line[] {
  const day = (ago: number) => dayText(dayNumber(today) - ago)
  return Array.from({ length: 500 }, (_, index) => index).flatMap((index) => {
    const site = `site-${String(index).padStart(3, '0')}.example`
    return [100, 30, 0].map((ago) => ranking({ site, phrase: 'a word' }, day(ago), index % 10 === 0 && ago === 0 ? 14 : 6))
  })
}
