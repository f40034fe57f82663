/** What a partner sends is kept as it was sent: once, whole, and only where it belongs. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteLocation, listLocations } from '../../../src/model/partners/locations.ts'
import { rankingLayout, wordsOf } from '../../../src/store/packed-months.ts'
import { importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const site = 'example.com'
const ranking = {
  type: 'ranking',
  site,
  phrase: 'plumber chicago',
  search_engine: 'Google',
  locale: 'en-us',
  ranked_at: '2026-11-01 04:05:06',
  rank: 3,
}
const backlink = {
  type: 'backlink',
  site,
  found_on: '2026-11-01',
  link_strength: 5,
  source_url: 'https://blog.example/a',
  domain_authority: 38,
}
const review = {
  type: 'review',
  site,
  source: 'google',
  page_url: 'https://maps.example/1',
  rating: 4,
  date: '2026-11-01',
  detail: 'Good & <b>quick</b>',
}
const count = {
  type: 'review_count',
  site,
  source: 'citysearch',
  page_source: 'google',
  page_url: 'https://maps.example/1',
  date: '2026-11-01',
  count: 3,
  rating_sum: 12,
}

onEachEngine('imports', (place) => {
  const world = worldAt(place)

  test('a line about a site, a keyword or a page nobody knows is refused, and nothing is kept', async () => {
    const lines = [{ type: 'keyword', site, phrase: 'drains' }, { ...ranking, site: 'unknown.example' }, ranking, review]
    const summary = await importLines(world, lines)
    assert.deepEqual(
      summary.faults.map(({ line, field, code }) => [line, field, code]),
      [
        [2, 'site', 'unknown'],
        [3, 'phrase', 'unknown'],
        [4, 'page_url', 'unknown'],
      ],
    )
    assert.equal(summary.isApplied, false)
    assert.equal((await world.app.store.db.selectFrom('keywords').select('id').execute()).length, 0)
  })

  test('faults come in the order of the lines, whatever is wrong with each', async () => {
    const lines = [{ ...ranking, site: 'unknown.example' }, '{', { ...ranking, rank: -1 }, review, 'x']
    const { faults } = await importLines(world, lines)
    assert.deepEqual(
      faults.map(({ line }) => line),
      [1, 2, 3, 4, 5],
    )
  })

  test('a domain that two accounts have is refused until the line names the account', async () => {
    const keyword = { type: 'keyword', site: 'shared.example', phrase: 'bread' }
    assert.deepEqual((await importLines(world, [keyword])).faults, [
      { line: 1, index: 0, field: 'site', code: 'ambiguous', value: '"shared.example"' },
    ])
    assert.equal((await importLines(world, [{ ...keyword, account: world.otherAccountId }])).kinds.keyword?.created, 1)
  })

  test('sent once it is created, sent again it is unchanged, with other figures it is updated', async () => {
    const lines = [ranking, backlink, review, count, { type: 'snapshot', site, day: '2026-11-01', backlink_count: 7 }]
    const outcome = async (sent: readonly object[]) => {
      const { kinds } = await importLines(world, sent, { createMissing: true })
      return (['ranking', 'backlink', 'review', 'review_count', 'snapshot'] as const).map((kind) => {
        return Object.entries(kinds[kind] ?? {}).find(([name, many]) => name !== 'accepted' && many === 1)?.[0]
      })
    }
    assert.deepEqual(await outcome(lines), Array(5).fill('created'))
    assert.deepEqual(await outcome(lines), Array(5).fill('unchanged'))
    const changes = [{ rank: null }, { link_strength: 6 }, { rating: 5 }, { count: 4 }, { backlink_count: 8 }]
    assert.deepEqual(await outcome(lines.map((line, i) => ({ ...line, ...changes[i] }))), Array(5).fill('updated'))
    assert.deepEqual(await rankings(world), [[1_793_505_906, 0]])
  })

  test('a figure that was left out stays as it is known, and null says that there is no authority', async () => {
    const day = { type: 'snapshot', site, day: '2026-11-02' }
    await importLines(world, [
      { ...day, backlink_count: 9, download_time: 0.35 },
      { ...day, domain_count: 4 },
    ])
    await importLines(world, [{ ...day, backlink_count: 10, domain_authority: null }])
    const row = await world.app.store.db.selectFrom('snapshots').selectAll().where('day', '=', '2026-11-02').executeTakeFirstOrThrow()
    assert.partialDeepStrictEqual(row, {
      backlink_count: 10,
      download_time: 0.35,
      domain_count: 4,
      domain_authority: null,
      authority_known: 1,
      domain_age: null,
    })
  })

  test('of two lines with one key the last one wins', async () => {
    const at = { ...ranking, ranked_at: '2026-12-01T00:00:00+01:00' }
    await importLines(world, [
      { ...at, rank: 9 },
      { ...at, rank: 8 },
    ])
    assert.deepEqual((await rankings(world)).at(-1), [Date.parse('2026-11-30T23:00:00Z') / 1000, 8])
  })

  test('a keyword with more rankings than one block of the spool holds keeps them all', async () => {
    const minutes = Array.from({ length: 20_000 }, (_, i) => new Date(Date.UTC(2020, 0, 1, 0, i)).toISOString().slice(0, 19))
    const lines = minutes.map((ranked_at) => ({ ...ranking, phrase: 'many', ranked_at }))
    assert.equal((await importLines(world, lines, { createMissing: true })).kinds.ranking?.created, 20_000)
    assert.equal((await importLines(world, lines)).kinds.ranking?.unchanged, 20_000)
    await world.app.store.write((tx) => tx.deleteFrom('ranking_months').where('starts_at', '<', 1_600_000_000).execute())
  })

  test('pages have a location, also when somebody deletes it while they are imported', async () => {
    const forFirst = { ...world.target, accountId: world.accountId }
    await importLines(world, [{ type: 'site', site: 'moving.example' }], { createMissing: true }, forFirst)
    const sites = world.app.store.db.selectFrom('sites').select('id').where('domain', '=', 'moving.example')
    const { id } = await sites.executeTakeFirstOrThrow()
    const page = { type: 'page', site: 'moving.example', source: 'google', page_url: 'https://maps.example/moving' }
    const meddled = { ...world, operator: deletingBeforeEachWrite(world, id) }
    await importLines(meddled, [{ type: 'location', site: 'moving.example' }, page])
    const { items } = await listLocations(world.operator, undefined, { site_id: id })
    assert.equal(items.length, 1)
  })

  test('a competitor is declared by its own record, and its page makes the location of a site that has none', async () => {
    const rival = { site: 'shared.example', account: world.accountId, competitor: 'rival.example' }
    const refused = await importLines(world, [{ ...ranking, ...rival }])
    assert.deepEqual(refused.faults, [{ line: 1, index: 0, field: 'competitor', code: 'unknown', value: '"rival.example"' }])
    const page = { type: 'page', ...rival, source: 'bing', page_url: 'https://maps.example/r' }
    const { kinds } = await importLines(world, [{ type: 'competitor', ...rival }, page, { type: 'keyword', ...rival, phrase: 'drains' }])
    assert.deepEqual([kinds.competitor?.created, kinds.page?.created, kinds.keyword?.created, kinds.location?.created], [1, 1, 1, 1])
  })

  test('a new site goes to the named business of the named account, which is made once', async () => {
    const line = { type: 'site', account: world.otherAccountId, business: 'New & Co' }
    const { kinds } = await importLines(
      world,
      [
        { ...line, site: 'one.example' },
        { ...line, site: 'two.example' },
      ],
      { createMissing: true },
    )
    assert.equal(kinds.site?.created, 2)
    const businesses = await world.app.store.db.selectFrom('businesses').select('account_id').where('name', '=', 'New & Co').execute()
    assert.deepEqual(businesses, [{ account_id: world.otherAccountId }])
  })

  test('an import for one site needs no domain and takes no other', async () => {
    const target = { ...world.target, accountId: world.accountId, siteId: world.siteId }
    const { site: _, ...line } = ranking
    assert.equal((await importLines(world, [line], {}, target)).kinds.ranking?.accepted, 1)
    assert.deepEqual((await importLines(world, [{ ...ranking, site: 'Shared.Example' }], {}, target)).faults, [
      { line: 1, index: 0, field: 'site', code: 'unknown', value: '"Shared.Example"' },
    ])
  })

  test('the version of an account is renewed by what changes its data, not by a dry run nor by what is known already', async () => {
    const everything = [ranking, backlink, review, count, { type: 'snapshot', site, day: '2026-11-01', backlink_count: 7 }]
    await importLines(world, everything, { createMissing: true })
    const before = await versions(world)
    const renewed = async () => (await versions(world)).filter(([, version], i) => version !== before[i]?.[1]).map(([id]) => id)
    await importLines(world, [{ ...ranking, rank: 77 }], { isDryRun: true })
    assert.deepEqual(await renewed(), [])
    await importLines(world, everything, { createMissing: true })
    assert.deepEqual(await renewed(), [])
    const elsewhere = { type: 'snapshot', site: 'shared.example', account: world.otherAccountId, day: '2026-11-01', backlink_count: 1 }
    await importLines(world, [...everything, elsewhere], { createMissing: true })
    assert.deepEqual(await renewed(), [world.otherAccountId])
    const changes = [
      { ...ranking, rank: 77 },
      { ...review, rating: 1 },
      { ...count, count: 4 },
    ] as const
    for (const changed of changes) {
      const [, known] = (await versions(world)).find(([id]) => id === world.accountId) ?? []
      await importLines(world, [changed])
      const [, now] = (await versions(world)).find(([id]) => id === world.accountId) ?? []
      assert.notEqual(now, known, changed.type)
    }
  })

  test('what several send at once for the same month of a keyword is kept, all of it', async () => {
    const sent = Array.from({ length: 8 }, (_, i) => ({ ...ranking, ranked_at: `2026-08-01 04:05:${10 + i}`, rank: i + 1 }))
    await Promise.all(sent.map((line) => importLines(world, [line])))
    const kept = (await rankings(world)).filter(([time = 0]) => time < Date.UTC(2026, 8) / 1000 && time >= Date.UTC(2026, 7) / 1000)
    assert.deepEqual(
      kept.map(([, rank]) => rank),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })
})

async function versions({ app }: World): Promise<(readonly [number, number])[]> {
  const rows = await app.store.db.selectFrom('measured_versions').selectAll().orderBy('account_id').execute()
  return rows.map(({ account_id, version }) => [account_id, version])
}

async function rankings(world: World) {
  const rows = await world.app.store.db.selectFrom('ranking_months').select('data').orderBy('starts_at').execute()
  return rows.flatMap(({ data }) => {
    const words = [...wordsOf(data)]
    return words.flatMap((time, i) => (i % rankingLayout.words === 0 ? [[time, (words[i + 1] as number) & 0xffff]] : []))
  })
}

/** Somebody who deletes the location of a site whenever they can: once pages hang on it, they are refused. */
function deletingBeforeEachWrite({ operator, app }: World, site_id: number): World['operator'] {
  const write: typeof app.store.write = async (...work) => {
    for (const { id } of (await listLocations(operator, undefined, { site_id })).items)
      await deleteLocation(operator, id).catch((error: Error) => assert.match(error.message, /pages/i))
    return app.store.write(...work)
  }
  return { ...operator, app: { ...app, store: { ...app.store, write } } }
}
