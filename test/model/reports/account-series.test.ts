/** Random rankings on devices and from locations: the report prints of them what a plain reading of the rules says, and loads no more names than it prints. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneSeries } from '../../../src/model/reports/question.ts'
import { readKeywords } from '../../../src/model/reports/read-rankings.ts'
import { snapshotReader } from '../../../src/model/reports/snapshot-reader.ts'
import type { PackedRankings } from '../../../src/model/reports/write-rankings.ts'
import { inRuns, whileTime } from '../../support/any-records.ts'
import { onEachEngine } from '../../support/engines.ts'
import { fc } from '../../support/properties.ts'
import { observe } from '../../support/report-world.ts'
import { serviceOn } from '../../support/service.ts'

const entry = fc.record({
  search_engine: fc.constantFrom('Google', 'Google!', 'Bing'),
  locale: fc.constantFrom('en', 'de', 'de\nch'),
  device: fc.constantFrom('', 'desktop', 'mobile', 'a!', 'Ä'),
  location: fc.constantFrom('', 'Ulm', 'Ulm (Nord), 2', '\u{1F600}', '\uffee'),
  ranked_at: fc.constantFrom('2026-11-01 04:00:00', '2026-11-01 23:59:59', '2026-11-02 00:00:00', '2026-11-03 04:00:00'),
  rank: fc.integer({ min: 1, max: 99 }),
})
type Entry = (typeof entry extends fc.Arbitrary<infer T> ? T : never) & { readonly name?: string }

const question = fc.record({
  series: fc.constantFrom('one', 'all'),
  device: fc.option(fc.constantFrom('', 'desktop', 'mobile'), { nil: undefined }),
  location: fc.option(fc.constantFrom('', 'Ulm'), { nil: undefined }),
  start_date: fc.option(fc.constant('2026-11-02'), { nil: undefined }),
  end_date: fc.option(fc.constant('2026-11-02'), { nil: undefined }),
})

const points = (text: string) => [...text].map((one) => (one.codePointAt(0) as number).toString(16).padStart(6, '0')).join()
const keyOf = ({ search_engine, locale, device, location, ranked_at }: Entry) =>
  JSON.stringify([search_engine, locale, device, location, ranked_at])
const pairOf = ({ search_engine, locale }: Entry) => JSON.stringify([search_engine, locale])

/** The rules in their own words: nothing here is taken from the service. */
function expected(all: readonly Entry[], asked: Readonly<Record<string, string | undefined>>): string[] {
  const kept = all.filter(
    (one) =>
      (asked['device'] ?? one.device) === one.device &&
      (asked['location'] ?? one.location) === one.location &&
      one.ranked_at.slice(0, 10) >= (asked['start_date'] ?? '') &&
      one.ranked_at.slice(0, 10) <= (asked['end_date'] ?? '9'),
  )
  const isPlain = ({ device, location }: Entry) => device === '' && location === ''
  const preference = ({ device, location }: Entry) =>
    [device === 'desktop' ? '0' : device === '' ? '2' : '1', points(device), points(location)].join(' ')
  const one = kept.filter((each) => {
    if (isPlain(each)) return true
    const others = kept.filter((other) => pairOf(other) === pairOf(each))
    const day = each.ranked_at.slice(0, 10)
    if (others.some((other) => isPlain(other) && other.ranked_at.slice(0, 10) === day)) return false
    return (
      preference(each) ===
      others
        .filter((other) => !isPlain(other))
        .map(preference)
        .sort()[0]
    )
  })
  const named =
    asked['series'] === 'all'
      ? kept.map((each) => ({ ...each, name: nameOf(each) }))
      : one.map((each) => ({ ...each, name: each.search_engine }))
  const order = (each: Entry) => [each.ranked_at, points(each.name ?? ''), points(each.locale)].join(' ')
  return named
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(({ name, locale, ranked_at, rank, device, location }) =>
      JSON.stringify([name, ...(asked['series'] === 'all' && device + location !== '' ? [device, location] : []), locale, ranked_at, rank]),
    )
}

function nameOf({ search_engine, device, location }: Entry): string {
  if (device + location === '') return search_engine
  return `${search_engine} (${device}${location === '' ? '' : `, ${location}`})`
}

onEachEngine('rankings of devices and locations in reports', (place) => {
  const service = serviceOn(place)
  let many = 0

  test('are printed by the rules', async () => {
    const all = fc.uniqueArray(entry, { maxLength: 60, selector: keyOf, size: 'max' })
    await fc.assert(
      fc.asyncProperty(
        all,
        fc.array(question, { minLength: 8, maxLength: 8 }),
        whileTime(5_000, async (entries, questions) => {
          const partner = await service.partner(`Partner ${many++}`)
          const records = entries.map((one) => ({ type: 'ranking', site: 'random.example', phrase: 'dentist', ...one }))
          await observe(service, partner, records)
          for (const asked of questions) {
            const query = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
            const { text } = await partner.get(`/api/seo_report.json?${query.join('&')}`)
            const { accounts } = JSON.parse(text) as { accounts: Record<string, { sites: Record<string, { keywords: object[] }>[] }>[] }
            const sites = accounts.flatMap((account) => Object.values(account)).flatMap(({ sites }) => sites)
            const printed = sites
              .flatMap((site) => Object.values(site))
              .flatMap(({ keywords }) => keywords.flatMap((keyword) => Object.values(keyword).flat()))
            const lines = (printed as Record<string, string | number>[]).map(
              ({ search_engine, device, location, locale, ranked_at, rank }) =>
                JSON.stringify([search_engine, ...(device === undefined ? [] : [device, location]), locale, ranked_at, rank]),
            )
            assert.deepEqual(lines, expected(entries, asked), query.join('&'))
          }
        }),
      ),
      inRuns(8),
    )
  })

  test('have their names loaded only where they are printed, however many an account has', async () => {
    const partner = await service.partner('Many')
    const rankings = Array.from({ length: 300 }, (_, n) => ({
      type: 'ranking',
      site: 'many.example',
      phrase: n === 0 ? 'printed' : 'other',
      search_engine: 'Google',
      locale: 'en-us',
      location: `Place ${n}`,
      ranked_at: `2026-11-0${n === 0 ? 2 : 1} 04:00:00`,
      rank: 1,
    }))
    await observe(service, partner, rankings)
    const { store } = service.app
    await store.snapshot(async (db) => {
      const { id } = await db.selectFrom('subjects').select('id').where('account_id', '=', partner.accountId).executeTakeFirstOrThrow()
      const days = { first: '2026-11-02', last: '2026-11-02', from: Date.UTC(2026, 10, 2) / 1000, to: Date.UTC(2026, 10, 3) / 1000 - 1 }
      const reading = snapshotReader(db, store.engine)
      const keywords = readKeywords({ reading, days, accountId: partner.accountId, choice: oneSeries }, false)
      keywords.expect([id])
      const labels: number[] = []
      for await (const items of keywords.of(id))
        for (const { value } of items) for (const span of value as PackedRankings[]) labels.push(Object.keys(span.labels).length)
      assert.deepEqual(labels, [1])
    })
  })
})
