/** Records of any kind, as fast-check makes them up. */
import { fc } from './properties.ts'

const text = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .filter((value) => value.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(value))
const label = text.map((value) => value.trim()).filter((value) => value !== '' && [...value].length <= 50)
const day = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2105-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const time = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2105-12-30'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`)
const figure = fc.integer({ min: 0, max: 2_147_483_647 })
const percent = fc.integer({ min: 0, max: 100 })
const url = fc.constantFrom('https://a.example/', 'http://b.example/?a=1&b=<>', 'https://c.example/ü')
const few = <T>(...values: T[]) => fc.constantFrom(...values)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const place = { competitor: maybe(few('one.example', 'two.example')) }

/** Texts that a spreadsheet would run, and such as a guard against that must not confuse. */
const hostile = few('=1+1', "'quoted'", "''", "'=x", '-x', '@y', '+1', 'a,"b"', 'two\nlines', '\uff1dx')
const anyText = fc.oneof(text, hostile)
const anyLabel = fc.oneof(label, hostile)

const oneLine = anyLabel.filter((value) => !/[\n\r\t\u0085\u2028\u2029]/.test(value))

const tracked = { device: maybe(few('', 'mobile', 'desktop', 'watch')), location: maybe(oneLine) }

const page = { page_url: url, page_source: maybe(anyLabel), source: anyLabel }

/** A record of any kind but a site, without the fields that name its account and site. */
export const anyRecord = fc.oneof(
  fc.record({
    type: fc.constant('location'),
    twitter_page: maybe(fc.option(anyText)),
    facebook_page: maybe(fc.option(anyText)),
    created_at: maybe(time),
  }),
  fc.record({
    type: fc.constant('keyword'),
    ...place,
    phrase: fc.oneof(anyLabel, few('one', 'two')),
    search_volume: maybe(fc.option(figure)),
    tags: maybe(fc.option(fc.array(label, { maxLength: 4 }).map((tags) => tags.join(', ')))),
  }),
  fc.record({
    type: fc.constant('snapshot'),
    ...place,
    day,
    download_time: maybe(fc.double({ min: 0, max: 1000, noNaN: true })),
    domain_authority: maybe(fc.option(percent)),
    backlink_count: maybe(figure),
    domain_age: maybe(figure),
  }),
  fc.record({
    type: fc.constant('backlink'),
    ...place,
    found_on: day,
    link_strength: figure,
    source_url: url,
    domain_authority: percent,
    anchor_text: maybe(anyText),
  }),
  fc.record({
    type: fc.constant('ranking'),
    ...place,
    phrase: few('one', 'two'),
    search_engine: anyLabel,
    locale: anyLabel,
    ...tracked,
    ranked_at: time,
    rank: fc.option(fc.integer({ min: 1, max: 65_535 })),
    url: maybe(fc.option(url)),
  }),
  fc.record({
    type: fc.constant('click_count'),
    ...place,
    phrase: few('one', 'two'),
    search_engine: anyLabel,
    locale: maybe(oneLine),
    ...tracked,
    date: day,
    clicks: figure,
    impressions: figure,
  }),
  fc.record({
    type: fc.constant('page'),
    ...place,
    source: anyLabel,
    page_url: url,
    match_confidence: maybe(percent),
    last_updated: maybe(day),
    created_at: maybe(time),
  }),
  fc.record({
    type: fc.constant('review'),
    ...place,
    ...page,
    ref: maybe(anyLabel),
    rating: fc.integer({ min: 1, max: 5 }),
    date: day,
    business_name: maybe(anyText),
    sentiment_score: maybe(fc.integer({ min: -100, max: 100 })),
    total: maybe(figure),
    header: maybe(anyText),
    detail: maybe(anyText),
    user: maybe(anyText),
  }),
  fc.record({
    type: fc.constant('own_figure'),
    figure: oneLine,
    unit: maybe(oneLine.filter((value) => [...value].length <= 30)),
    date: day,
    value: fc.double({ min: -1e12, max: 1e12, noNaN: true }),
    better: maybe(fc.constantFrom('up', 'down')),
  }),
  fc.record({
    type: fc.constant('review_count'),
    ...place,
    ...page,
    date: day,
    count: figure,
    rating_sum: figure,
    created_at: maybe(time),
  }),
)

/** `CIRCLE_RUNS` asks for as many runs as the machine is to be given (`npm run hard:circle`). */
const many = process.env['CIRCLE_RUNS']

export function inRuns(few: number): fc.Parameters<unknown> {
  return { numRuns: Number(many ?? few) }
}

/** Checks the first drawing, and others while there is time: on a busy machine one run must do. */
export function whileTime<T extends unknown[]>(milliseconds: number, check: (...drawn: T) => Promise<void>) {
  const startedAt = performance.now()
  let isFirst = true
  return async (...drawn: T): Promise<void> => {
    const isDue = isFirst || many !== undefined || performance.now() - startedAt < milliseconds
    isFirst = false
    if (isDue) await check(...drawn)
  }
}
