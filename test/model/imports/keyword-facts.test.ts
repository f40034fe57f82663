/** What tools deliver beside ranks: kept, counted as what it was, and gone with its keyword. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteKeyword, listKeywords } from '../../../src/model/partners/site-contents.ts'
import { deleteSite } from '../../../src/model/partners/site-removal.ts'
import { importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const at = { site: 'example.com', phrase: 'bread' }
const ranking = { type: 'ranking', ...at, search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-14 04:05:06', rank: 3 }
const keyword = { type: 'keyword', ...at, search_volume: 1900, tags: ' money,City, money ,,' }
const clicks = { type: 'click_count', ...at, search_engine: 'Google', date: '2026-11-14', clicks: 12, impressions: 340 }
const url = 'https://example.com/bread'

onEachEngine('keyword facts', (place) => {
  const world = worldAt(place)
  const take = async (...lines: object[]) => (await importLines(world, lines, { createMissing: true })).kinds

  test('each record is counted as what it did', async () => {
    const of = (created: number, updated: number, unchanged: number) => ({ accepted: 1, created, updated, unchanged })
    assert.partialDeepStrictEqual(await take(keyword, ranking, clicks), {
      keyword: of(1, 0, 0),
      ranking: of(1, 0, 0),
      click_count: of(1, 0, 0),
    })
    assert.partialDeepStrictEqual(await take(keyword, clicks), { keyword: of(0, 0, 1), click_count: of(0, 0, 1) })
    assert.partialDeepStrictEqual(await take({ ...ranking, url }), { ranking: of(0, 1, 0) })
    assert.partialDeepStrictEqual(await take({ ...ranking, url }), { ranking: of(0, 0, 1) })
    assert.partialDeepStrictEqual(await take({ ...keyword, search_volume: 2000 }, { ...clicks, clicks: 13 }), {
      keyword: of(0, 1, 0),
      click_count: of(0, 1, 0),
    })
  })

  test('tags are kept once each and in order, and what is left out stays as it is known', async () => {
    await take({ type: 'keyword', ...at, search_volume: 5 }, { type: 'keyword', ...at })
    const row = await world.app.store.db.selectFrom('keywords').select(['search_volume', 'tags']).executeTakeFirst()
    assert.deepEqual(row, { search_volume: 5, tags: 'City,money' })
  })

  test('what cannot be is refused with its field', async () => {
    const bad = [
      { ...keyword, tags: 'x'.repeat(51) },
      { ...keyword, search_volume: -1 },
      { ...ranking, url: 'example.com' },
      { ...clicks, impressions: null },
    ]
    const { faults } = await importLines(world, bad)
    assert.deepEqual(
      faults.map(({ field, code }) => `${field} ${code}`),
      ['tags too_long', 'search_volume out_of_range', 'url not_a_url', 'impressions null'],
    )
  })

  test('all of it goes with the keyword, and with the site', async () => {
    const [found] = (await listKeywords(world.operator, world.siteId)).items
    await deleteKeyword(world.operator, world.siteId, found?.id as number)
    assert.deepEqual(await rows(world), { keywords: 0, ranked_url_months: 0, click_count_months: 0, ranked_urls: 1 })
    await take(keyword, { ...ranking, url }, clicks)
    assert.deepEqual(await rows(world), { keywords: 1, ranked_url_months: 1, click_count_months: 1, ranked_urls: 1 })
    await deleteSite(world.operator, world.siteId)
    assert.deepEqual(await rows(world), { keywords: 0, ranked_url_months: 0, click_count_months: 0, ranked_urls: 0 })
  })
})

async function rows({ app, accountId }: World): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of ['keywords', 'ranked_url_months', 'click_count_months', 'ranked_urls'] as const) {
    const all = app.store.db.selectFrom(table as 'keywords').select('account_id')
    counts[table] = (await all.where('account_id', '=', accountId).execute()).length
  }
  return counts
}
