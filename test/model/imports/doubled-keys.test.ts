/** Two lines with the same key and other figures are told, and neither is stored; what does not contradict is taken. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { bytesOf, exported, importLines, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const site = 'example.com'
const ranking = {
  type: 'ranking',
  site,
  phrase: 'drains',
  search_engine: 'Google',
  locale: 'en-us',
  ranked_at: '2026-11-01 00:00:00',
  rank: 3,
}
const clicks = { type: 'click_count', site, phrase: 'drains', search_engine: 'Google', date: '2026-11-01', clicks: 5, impressions: 50 }
const page = { site, source: 'google', page_url: 'https://maps.example/1' }
const review = { type: 'review', ...page, ref: 'r1', rating: 4, date: '2026-11-01', user: 'A' }
const written = { type: 'review', ...page, rating: 4, date: '2026-11-01', user: 'A', detail: 'Good' }
const link = { type: 'backlink', site, found_on: '2026-11-01', link_strength: 5, source_url: 'https://a.example/', domain_authority: 3 }
const keyword = { type: 'keyword', site, phrase: 'drains' }

/** What comes together, and whether it contradicts itself. */
// biome-ignore format: a table reads by its columns
const pairs: readonly (readonly [what: string, lines: readonly object[], isDoubled: boolean])[] = [
  ['desktop and mobile clicks',           [clicks, { ...clicks, clicks: 9 }],                            true],
  ['the same clicks twice',               [clicks, clicks],                                              false],
  ['clicks of two days',                  [clicks, { ...clicks, date: '2026-11-02', clicks: 9 }],        false],
  ['two ranks of one time',               [ranking, { ...ranking, rank: 21 }],                           true],
  ['a rank, and not found',               [ranking, { ...ranking, rank: null }],                         true],
  ['one time in two spellings',           [ranking, { ...ranking, ranked_at: '2026-11-01T01:00:00+01:00', rank: 4 }], true],
  ['two pages of one rank',               [{ ...ranking, url: 'https://a.example/' }, { ...ranking, url: 'https://b.example/' }], true],
  ['a rank without its page',             [{ ...ranking, url: 'https://a.example/' }, ranking],          false],
  ['ranks of two locales',                [ranking, { ...ranking, locale: 'de-de', rank: 9 }],           false],
  ['ranks of two engines',                [ranking, { ...ranking, search_engine: 'Bing', rank: 9 }],     false],
  ['ranks of the site and a competitor',  [ranking, { ...ranking, competitor: 'rival.example', rank: 9 }], false],
  ['two volumes of one keyword',          [{ ...keyword, search_volume: 3 }, { ...keyword, search_volume: 4 }], true],
  ['a volume, and then tags',             [{ ...keyword, search_volume: 3 }, { ...keyword, tags: 'a' }], false],
  ['two stars of one review',             [review, { ...review, rating: 1 }],                            true],
  ['two reviews of one reader',           [review, { ...review, ref: 'r2', rating: 1 }],                 false],
  ['two stars of the same words',         [written, { ...written, rating: 1 }],                          true],
  ['two reviews in other words',          [written, { ...written, detail: 'Bad', rating: 1 }],           false],
  ['two strengths of one link',           [link, { ...link, link_strength: 9 }],                         true],
  ['links with two texts',                [link, { ...link, anchor_text: 'x', link_strength: 9 }],       false],
  ['two authorities of a day',            [{ type: 'snapshot', site, day: '2026-11-01', domain_authority: 4 }, { type: 'snapshot', site, day: '2026-11-01', domain_authority: 5 }], true],
  ['two figures of a day',                [{ type: 'snapshot', site, day: '2026-11-01', domain_authority: 4 }, { type: 'snapshot', site, day: '2026-11-01', backlink_count: 5 }], false],
]

onEachEngine('doubled keys', (place) => {
  const world = worldAt(place)
  const options = { createMissing: true, refusesDoubled: true }

  test(`${pairs.length} pairs of lines are refused where they contradict each other`, async () => {
    for (const [what, lines, isDoubled] of pairs) {
      const { refused, faults, isApplied } = await importLines(world, lines, { ...options, isDryRun: !isDoubled })
      const told = faults.map(({ line, code }) => [line, code])
      assert.deepEqual(
        [told, refused, isApplied],
        isDoubled
          ? [
              [
                [1, 'doubled_key'],
                [2, 'doubled_key'],
              ],
              2,
              false,
            ]
          : [[], 0, false],
        what,
      )
    }
    assert.doesNotMatch(await exported(world), /"ranking"|"click_count"|"review"|"backlink"/)
  })

  test('the later one is taken where that is said, and nothing is stored in part where it is not', async () => {
    const lines = [clicks, { ...clicks, clicks: 9 }, { ...clicks, date: '2026-11-05' }]
    assert.equal((await importLines(world, lines, { ...options, takeGood: true })).isApplied, false)
    assert.doesNotMatch(await exported(world), /"click_count"/)
    assert.equal((await importLines(world, lines, { createMissing: true })).isApplied, true)
    assert.match(await exported(world), /"clicks":9/)
  })

  test('the others are stored where refused lines are skipped, and the file can be read again', async () => {
    const lines = [
      { ...clicks, date: '2026-11-07' },
      { ...clicks, date: '2026-11-06', clicks: 1 },
      { ...clicks, date: '2026-11-06', clicks: 2 },
      { ...clicks, date: '2026-11-08', clicks: -1 },
      { ...clicks, date: '2026-11-06', clicks: 1 },
    ]
    const told: [number, string][] = []
    const again = () => {
      told.length = 0
      return readNdjson(bytesOf(lines))
    }
    const refused = ({ line }: { line: number }, [fault]: readonly { code: string }[]) => void told.push([line, fault?.code ?? ''])
    const skipping = { ...options, takeGood: true, again, refused }
    for (const isDryRun of [true, false]) {
      const summary = await importLines(world, lines, { ...skipping, isDryRun })
      assert.deepEqual([summary.lines, summary.refused, summary.isApplied], [5, 4, !isDryRun])
      assert.partialDeepStrictEqual(summary.kinds.click_count, { accepted: 1, created: 1 })
      assert.deepEqual(told, [
        [2, 'doubled_key'],
        [3, 'doubled_key'],
        [4, 'out_of_range'],
        [5, 'doubled_key'],
      ])
    }
    assert.doesNotMatch(await exported(world), /2026-11-06/)
    assert.match(await exported(world), /2026-11-07/)
  })

  test('all of a thousand doubled keys are counted among many, and a hundred lines are told', async () => {
    const lines = Array.from({ length: 6_000 }, (_, i) => ({ ...clicks, phrase: `p${i}`, clicks: i }))
    const again = lines.filter((_, i) => i % 6 === 0).map((line) => ({ ...line, clicks: line.clicks + 1 }))
    const { refused, faults } = await importLines(world, [...lines, ...again], options)
    assert.deepEqual([refused, faults.length, faults[0]?.line], [2_000, 100, 1])
  })
})
