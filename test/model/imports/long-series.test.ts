/** A keyword that is measured every second: entries find their place among more than is read at a time, and only the chunks they fall into are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankingLayout, timeAt, wordsOf } from '../../../src/store/packed-months.ts'
import { importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const start = Date.UTC(2026, 8, 1)
/** More than a mebibyte of packed rankings. */
const known = 140_000

function ranking(second: number, rank: number, phrase = 'drains') {
  const ranked_at = new Date(start + second * 1000).toISOString().slice(0, 19)
  return { type: 'ranking', site: 'example.com', phrase, search_engine: 'Google', locale: 'en-us', ranked_at: `${ranked_at}Z`, rank }
}

onEachEngine('a long series', (place) => {
  const world = worldAt(place)

  test('is stored in whatever order its entries come', async () => {
    // Every second second, the later half first.
    const seconds = Array.from({ length: known }, (_, i) => 2 * ((i + known / 2) % known))
    const { kinds } = await importLines(
      world,
      seconds.map((second) => ranking(second, 5)),
      { createMissing: true },
    )
    assert.equal(kinds.ranking?.created, known)
    assert.deepEqual((await storedTimes(world)).length, known)
  })

  test('takes entries at its beginning, in its middle and behind its end, and counts those that it knew', async () => {
    const before = await chunks(world)
    const lines = [ranking(1, 1), ranking(known + 1, 2), ranking(2 * known + 1, 3), ranking(0, 5), ranking(2, 6)]
    const { kinds } = await importLines(world, [...lines, ranking(7, 1, 'other')], { createMissing: true })
    assert.deepEqual(kinds.ranking, { accepted: 6, created: 4, updated: 1, unchanged: 1 })
    const times = await storedTimes(world)
    assert.equal(times.length, known + 3)
    assert.ok(times.every((time, i) => i === 0 || time > (times[i - 1] as number)))
    const after = new Map((await chunks(world)).map((chunk) => [chunk.starts_at, Buffer.from(chunk.data)]))
    const written = before.filter(({ starts_at, data }) => !after.get(starts_at)?.equals(data))
    assert.ok(written.length <= 3, `${written.length} of ${before.length} chunks were written anew`)
    assert.ok([...after.values()].every((data) => data.byteLength <= 4_000))
  })
})

function chunks({ operator }: World) {
  const months = operator.app.store.db.selectFrom('ranking_months').innerJoin('keywords', 'keywords.id', 'ranking_months.keyword_id')
  const own = months.whereRef('keywords.account_id', '=', 'ranking_months.account_id').where('phrase', '=', 'drains')
  return own.select(['starts_at', 'data']).orderBy('starts_at').execute()
}

async function storedTimes(world: World): Promise<number[]> {
  const times: number[] = []
  for (const { data } of await chunks(world)) {
    const words = wordsOf(data)
    for (let at = 0; at < words.length; at += rankingLayout.words) times.push(timeAt(words, at))
  }
  return times
}
