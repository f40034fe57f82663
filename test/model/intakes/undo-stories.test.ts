/** Wrong files, corrected files and what people do in between: an undo takes what only its own intake said. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetIntakes } from '../../../src/model/intakes/intakes.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { tagKeywords } from '../../../src/model/partners/site-contents.ts'
import { exported, importLines, worldAt } from '../../support/data.ts'
import { asEarlier } from '../../support/earlier-intakes.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('what is left after an undo', (place) => {
  const world = worldAt(place)
  const take = async (lines: readonly object[]) => (await importLines(world, lines, { createMissing: true })).intakeId as number
  const undo = (id: number) => undoIntake(world.operator, id)
  const told = async (site: string) => {
    const lines = (await exported(world))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    return lines.filter((line) => line.site === site && line.type !== 'site')
  }
  const ranks = async (site: string) => (await told(site)).filter(({ type }) => type === 'ranking').map(({ rank, url }) => [rank, url])
  const isGone = async (site: string) => assert.doesNotMatch(await exported(world), new RegExp(site))
  const ranking = (site: string, rank: number, more: object = {}) => {
    return {
      type: 'ranking',
      site,
      phrase: 'drains',
      search_engine: 'Google',
      locale: 'en-us',
      ranked_at: '2026-11-01 00:00:00',
      rank,
      ...more,
    }
  }

  test('the wrong file, then the corrected one: undoing the wrong one keeps all of the corrected one', async () => {
    const five = (last: number) => [1, 2, 3, 4, last].map((rank, i) => ranking('five.example', rank, { phrase: `p ${i}` }))
    const [wrong, corrected] = [await take(five(50)), await take(five(5))]
    const { undone, left, left_alone } = await undo(wrong)
    assert.deepEqual([undone, left > 0], [0, true])
    const why = `intake ${corrected} delivered it later`
    assert.deepEqual(
      left_alone.find(({ kind }) => kind === 'ranking'),
      { kind: 'ranking', what: 'five.example, p 0, Google en-us, 2026-11-01 00:00:00', why },
    )
    assert.deepEqual(
      (await ranks('five.example')).map(([rank]) => rank),
      [1, 2, 3, 4, 5],
    )
    await undo(corrected)
    await isGone('five.example')
  })

  test('1, then 2, then 1 again: undoing the first leaves what the third says, and no order of undos shows a value again', async () => {
    const [a, b, c] = [
      await take([ranking('abc.example', 1)]),
      await take([ranking('abc.example', 2)]),
      await take([ranking('abc.example', 1)]),
    ]
    await undo(a)
    assert.deepEqual(await ranks('abc.example'), [[1, undefined]])
    await undo(c)
    assert.deepEqual(await ranks('abc.example'), [[2, undefined]])
    await undo(b)
    await isGone('abc.example')
  })

  test('a later file with the first and the last day keeps these two, and not the day between them', async () => {
    const day = (rank: number) => ranking('days.example', rank, { ranked_at: `2026-11-0${rank} 00:00:00` })
    const first = await take([
      day(1),
      day(2),
      day(3),
      ranking('days.example', 9, { search_engine: 'Bing', ranked_at: '2026-11-02 00:00:00' }),
    ])
    const second = await take([day(1), day(3)])
    await undo(first)
    assert.deepEqual(
      (await ranks('days.example')).map(([rank]) => rank),
      [1, 3],
    )
    await undo(second)
    await isGone('days.example')
  })

  test('one makes a keyword, another gives its volume', async () => {
    const made = await take([{ type: 'keyword', site: 'volume.example', phrase: 'drains' }])
    const volume = await take([{ type: 'keyword', site: 'volume.example', phrase: 'drains', search_volume: 90 }])
    await undo(made)
    assert.partialDeepStrictEqual(await told('volume.example'), [{ phrase: 'drains', search_volume: 90 }])
    await undo(volume)
    await isGone('volume.example')
  })

  test('another changed only the address: its rank stays', async () => {
    const first = await take([ranking('url.example', 3, { url: 'https://url.example/a' })])
    const second = await take([ranking('url.example', 3, { url: 'https://url.example/b' })])
    await undo(first)
    assert.deepEqual(await ranks('url.example'), [[3, 'https://url.example/b']])
    await undo(second)
    await isGone('url.example')
  })

  test('a tag that people set keeps the keyword, emptied of the rest', async () => {
    const id = await take([
      ranking('tag.example', 3),
      { type: 'keyword', site: 'tag.example', phrase: 'drains', search_volume: 90, tags: 'a' },
    ])
    const keywords = world.app.store.db.selectFrom('keywords').innerJoin('subjects', 'subjects.id', 'keywords.subject_id')
    const sites = keywords.innerJoin('sites', 'sites.id', 'subjects.site_id').where('sites.domain', '=', 'tag.example')
    const { keyword, site } = await sites.select(['keywords.id as keyword', 'sites.id as site']).executeTakeFirstOrThrow()
    await tagKeywords(world.operator, site, new Map([[keyword, 'a']]), 'a')
    const { left_alone } = await undo(id)
    const why = 'a person or a program set it later'
    assert.deepEqual(
      left_alone.find(({ kind }) => kind === 'keyword'),
      { kind: 'keyword', what: 'tag.example, drains', why },
    )
    const [left = {}, ...others] = await told('tag.example')
    assert.deepEqual([left.type, left.phrase, left.search_volume, left.tags, others], ['keyword', 'drains', undefined, 'a', []])
  })

  test('an intake of an earlier version never takes what a later one delivered, even unchanged', async () => {
    const before = await take([ranking('earlier.example', 1), ranking('earlier.example', 7, { phrase: 'only' })])
    await asEarlier(world, before)
    const after = await take([ranking('earlier.example', 1)])
    await undo(before)
    assert.deepEqual(await ranks('earlier.example'), [[1, undefined]])
    await undo(after)
    assert.deepEqual(await ranks('earlier.example'), [[1, undefined]], 'what was there before it stays')
  })

  test('an intake that is not kept any longer still keeps its records', async () => {
    const first = await take([ranking('forgotten.example', 1)])
    const second = await take([ranking('forgotten.example', 1)])
    const old = '2020-01-01T00:00:00Z'
    await world.app.store.write((tx) =>
      tx.updateTable('intakes').set({ created_at: old, ended_at: old }).where('id', '=', second).execute(),
    )
    assert.equal(await forgetIntakes(world.app, '2021-01-01T00:00:00Z'), 1)
    await undo(first)
    assert.deepEqual(await ranks('forgotten.example'), [[1, undefined]])
  })
})
