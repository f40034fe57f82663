/** What makes two records the same: names are never joined so that two become one, and of two times of creation the earlier stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportObservations } from '../../../src/model/imports/export/export.ts'
import { importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const site = 'example.com'
const ranking = { type: 'ranking', site, phrase: 'drains', ranked_at: '2026-11-01 04:05:06' }
const count = { type: 'review_count', site, source: 'google', page_url: 'https://maps.example/1', date: '2026-11-01', rating_sum: 12 }

onEachEngine('keys of records', (place) => {
  const world = worldAt(place)

  test('two engines that differ only in where a line feed stands keep a ranking each', async () => {
    const sources = [
      { search_engine: 'a\nb', locale: 'c', rank: 1 },
      { search_engine: 'a', locale: 'b\nc', rank: 2 },
    ]
    const { kinds } = await importLines(
      world,
      sources.map((source) => ({ ...ranking, ...source })),
      { createMissing: true },
    )
    assert.equal(kinds.ranking?.created, 2)
    const again = await importLines(
      world,
      sources.map((source) => ({ ...ranking, ...source })),
    )
    assert.equal(again.kinds.ranking?.unchanged, 2)
  })

  test('of two counts with one key the earlier time of creation stays, and a count that tells none takes it from neither', async () => {
    const told = { ...count, created_at: '2020-01-02 03:04:05' }
    await importLines(
      world,
      [
        { ...told, count: 3 },
        { ...count, count: 4 },
      ],
      { createMissing: true },
    )
    assert.deepEqual(await counts(world), [['2026-11-01', 4, '2020-01-02T03:04:05Z']])
    const later = { ...count, date: '2026-11-02', created_at: '2030-01-01 00:00:00' }
    await importLines(world, [
      { ...later, count: 1 },
      { ...later, count: 2, created_at: undefined },
    ])
    await importLines(world, [{ ...later, count: 2, created_at: undefined }])
    assert.deepEqual((await counts(world))[1], ['2026-11-02', 2, '2030-01-01T00:00:00Z'])
  })

  test('a moment whose offset moves it past 2105 is refused, because an export of it could not be taken again', async () => {
    const moments = ['2105-12-31T23:30:00-01:00', '2105-12-31T23:30:00+00:00']
    const lines = moments.map((ranked_at) => ({ ...ranking, search_engine: 'x', locale: 'x', rank: 1, ranked_at }))
    const { faults } = await importLines(world, lines)
    assert.deepEqual(
      faults.map(({ line, code }) => [line, code]),
      [[1, 'not_a_time']],
    )
  })

  test('imports that create the same sites at the same time both come to an end, and each thing is there once', async () => {
    const lines = ['one.example', 'two.example'].flatMap((domain) => [
      { ...ranking, site: domain, search_engine: 'Google', locale: 'en-us', rank: 1, account: world.accountId },
      { ...count, site: domain, count: 1, account: world.accountId },
    ])
    const summaries = await Promise.all(Array.from({ length: 4 }, () => importLines(world, lines, { createMissing: true })))
    for (const kind of ['site', 'keyword', 'page', 'ranking', 'review_count'] as const)
      assert.equal(
        summaries.reduce((sum, { kinds }) => sum + (kinds[kind]?.created ?? 0), 0),
        2,
        kind,
      )
  })

  test('a dry run tells what would be new, and which site may have been meant', async () => {
    const line = { ...ranking, site: 'exmaple.com', search_engine: 'Google', locale: 'en-us', rank: 1, account: world.accountId }
    const { preview, isApplied } = await importLines(world, [line], { createMissing: true, isDryRun: true })
    assert.equal(isApplied, false)
    assert.deepEqual(preview, { newSites: [{ domain: 'exmaple.com', near: 'example.com' }], newKeywords: 1, newPages: 0, changes: [] })
  })

  test('running totals become the counts of each day, asked about where nothing tells what they are', async () => {
    const totals = [5, 5, 7, 8, 8, 9, 12, 12, 15].map((total, i) => {
      return { ...count, page_url: 'https://maps.example/totals', date: `2026-10-0${i + 1}`, count: total, rating_sum: 4 * total }
    })
    await assert.rejects(importLines(world, totals, { createMissing: true, counts: 'ask' }), /never fall/)
    await importLines(world, totals, { createMissing: true, counts: 'totals' })
    const october = (await counts(world)).filter(([date]) => String(date).startsWith('2026-10'))
    assert.deepEqual(
      october.map(([, many]) => many),
      [0, 2, 1, 0, 1, 3, 0, 3],
    )
    const inOneWeek = totals.slice(2).map((total, i) => ({ ...total, count: 10 + i }))
    await assert.rejects(importLines(world, inOneWeek, { counts: 'ask', isDryRun: true }), /never fall/)
    const seldom = totals.map((total, i) => ({ ...total, count: i < 7 ? 0 : 1 }))
    assert.equal((await importLines(world, seldom, { counts: 'ask', isDryRun: true })).refused, 0)
    const falling = totals.map((total, i) => ({ ...total, count: i % 3 }))
    assert.equal((await importLines(world, falling, { counts: 'ask', isDryRun: true })).refused, 0)
  })

  test('an account without room for another engine is told so before anything is written', async () => {
    const { store } = world.app
    const { account_id } = await store.db.selectFrom('sites').select('account_id').where('domain', '=', site).executeTakeFirstOrThrow()
    const { last } = await store.db
      .selectFrom('sources')
      .select((eb) => eb.fn.max('code').as('last'))
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    const taken = Array.from({ length: 65_535 - Number(last) }, (_, i) => Number(last) + 1 + i)
    await store.write(async (tx) => {
      for (let at = 0; at < taken.length; at += 5_000) {
        const some = taken.slice(at, at + 5_000).map((code) => ({ account_id, code, engine: `taken ${code}`, locale: 'x' }))
        await tx.insertInto('sources').values(some).execute()
      }
    })
    const before = await written(world)
    const lines = [
      { type: 'keyword', site, phrase: 'never' },
      { ...ranking, search_engine: 'one more', locale: 'x', rank: 1 },
    ]
    await assert.rejects(importLines(world, lines, { createMissing: true }), /no room for another search engine/)
    assert.deepEqual(await written(world), before)
  })
})

async function counts({ operator, accountId }: World) {
  const lines: string[] = []
  await exportObservations(operator, { accountId, kinds: ['review_count'] }, async (text) => void lines.push(text))
  const records = lines
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((record) => record.site === site)
  return records.map(({ date, count: many, created_at }) => [date, many, created_at])
}

async function written({ app }: World): Promise<unknown> {
  const intakes = await app.store.db.selectFrom('intakes').select(['id', 'state']).orderBy('id').execute()
  return { intakes, keywords: await app.store.db.selectFrom('keywords').select('phrase').where('phrase', '=', 'never').execute() }
}
