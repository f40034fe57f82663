/** A dry run tells what the import would do, by the code that would do it, and neither writes nor waits for a writer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportObservations } from '../../../src/model/imports/export/export.ts'
import { importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const onPage = { site: 'example.com', source: 'google', page_url: 'https://maps.example/1' }

onEachEngine('a dry run', (place) => {
  const world = worldAt(place)

  const known = [ranking('plumber', 1, 3), ranking('plumber', 2, 4), snapshot(10), review('Good.'), count(3)]
  /** One of each unchanged or changed, and some that are new. */
  const next = [
    ranking('plumber', 1, 3),
    ranking('plumber', 2, 9),
    ranking('roofer', 1, 5, 'Bing'),
    ranking('roofer', 1, 6, 'Yahoo'),
    snapshot(12),
    { ...snapshot(1), competitor: 'rival.example' },
    review('Good.'),
    { ...review('Bad.'), ref: 'second' },
    count(4),
    { ...ranking('tiler', 1, 2), site: 'new.example' },
  ]

  test('counts by kind exactly what the import then does, and stores nothing', async () => {
    await importLines(world, known, { createMissing: true })
    const before = await exported(world)
    const tried = await importLines(world, next, { createMissing: true, isDryRun: true })
    assert.equal(await exported(world), before)
    assert.deepEqual(tried.faults, [])
    const done = await importLines(world, next, { createMissing: true })
    assert.deepEqual(tried.kinds, done.kinds)
    const again = await importLines(world, next, { createMissing: true, isDryRun: true })
    assert.ok(Object.values(again.kinds).every(({ created, updated }) => created + updated === 0))
    assert.partialDeepStrictEqual(tried.preview, { newSites: [{ domain: 'new.example' }], newKeywords: 2 })
    const told = tried.preview?.changes.map(({ kind, what, before: was, after }) => [kind, what, was, after])
    assert.deepEqual(told, [
      ['snapshot', '2026-11-01', { backlink_count: 10 }, { backlink_count: 12 }],
      ['ranking', 'plumber 2026-11-02T00:00:00Z', { rank: 4 }, { rank: 9 }],
    ])
  })

  test('ends while somebody holds the write lock', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const writer = world.app.store.write(async (tx) => {
      await tx.updateTable('measured_versions').set({ version: 1 }).where('account_id', '=', world.accountId).execute()
      hold()
      await released
    })
    await held
    const tried = await importLines(world, [ranking('plumber', 1, 7)], { isDryRun: true })
    assert.equal(tried.kinds.ranking?.updated, 1)
    release()
    await writer
  })
})

function ranking(phrase: string, day: number, rank: number, search_engine = 'Google') {
  return { type: 'ranking', site: 'example.com', phrase, search_engine, locale: 'en-us', ranked_at: `2026-11-0${day} 00:00:00`, rank }
}

function snapshot(backlink_count: number) {
  return { type: 'snapshot', site: 'example.com', day: '2026-11-01', backlink_count }
}

function review(detail: string) {
  return { type: 'review', ...onPage, ref: 'first', rating: 5, date: '2026-11-01', user: 'A', detail }
}

function count(many: number) {
  return { type: 'review_count', ...onPage, date: '2026-11-01', count: many, rating_sum: 4 * many }
}

async function exported({ operator }: World): Promise<string> {
  const lines: string[] = []
  await exportObservations(operator, {}, async (text) => void lines.push(text))
  return lines.join('')
}
