/** Average positions keep their fraction, and figures of several days stay apart from those of days. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowHash } from '../../../src/model/imports/journal/earlier-steps.ts'
import { rowKinds } from '../../../src/model/imports/row-kinds.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { deleteKeyword } from '../../../src/model/partners/site-contents.ts'
import { exported, importLines, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const site = 'example.com'
const of = { site, phrase: 'drains', search_engine: 'Google' }
const position = { type: 'average_position', ...of, date: '2026-11-01', average_position: 7.4 }
const period = {
  type: 'period',
  ...of,
  start_date: '2026-10-15',
  end_date: '2026-11-11',
  clicks: 120,
  impressions: 3400,
  average_position: 7.43,
}
const options = { createMissing: true, refusesDoubled: true }

onEachEngine('average positions and periods', (place) => {
  const world = worldAt(place)
  const lines = async (kind: string) =>
    (await exported(world))
      .split('\n')
      .filter((line) => line.includes(`"type":"${kind}"`))
      .map((line) => JSON.parse(line))

  test('come in, stay apart by locale, device and location, and come out as they went in', async () => {
    const positions = [
      position,
      { ...position, locale: 'de-ch', average_position: 12.25 },
      { ...position, device: 'mobile', location: 'Bern', average_position: 1 },
    ]
    const periods = [period, { ...period, device: 'mobile', clicks: 9 }, { ...period, end_date: '2026-11-12', clicks: 121 }]
    const { kinds, faults } = await importLines(world, [...positions, ...periods], options)
    assert.deepEqual(faults, [])
    assert.deepEqual([kinds.average_position?.created, kinds.period?.created, kinds.keyword?.created], [3, 3, 1])
    const account = { account: world.accountId }
    const fields = <T extends object>(line: T) => ({ ...line, ...account })
    assert.deepEqual(await lines('average_position'), positions.map(fields))
    assert.deepEqual((await lines('period')).toSorted(byClicks), periods.map(fields).toSorted(byClicks))
    const again = await importLines(world, (await exported(world)).trim().split('\n'), options)
    assert.deepEqual([again.kinds.average_position?.unchanged, again.kinds.period?.unchanged], [3, 3])
  })
  const byClicks = (one: { clicks: number }, other: { clicks: number }) => one.clicks - other.clicks

  test('are taken back: what was created goes, what was changed is as before', async () => {
    const before = await exported(world)
    const changed = [
      { ...position, average_position: 3.5 },
      { ...position, phrase: 'roofs' },
      { ...period, average_position: 3.5 },
      { ...period, phrase: 'roofs' },
    ]
    const { intakeId, kinds } = await importLines(world, changed, options)
    assert.partialDeepStrictEqual(kinds, { average_position: { created: 1, updated: 1 }, period: { created: 1, updated: 1 } })
    assert.deepEqual((await lines('period')).map(({ average_position }) => average_position).toSorted(), [3.5, 7.43, 7.43, 7.43])
    assert.deepEqual((await undoIntake(world.operator, intakeId as number)).left_alone, [])
    assert.equal(await exported(world), before)
  })

  test('are refused where they say nothing that can be', async () => {
    const bad = [
      { ...position, average_position: 0.4 },
      { ...position, average_position: '7' },
      { ...period, end_date: '2026-10-14' },
      { ...period, phrase: 'unheard of' },
      { ...period, clicks: 1.5 },
    ]
    const { faults } = await importLines(world, bad)
    assert.deepEqual(
      faults.map(({ field, code }) => `${field} ${code}`),
      [
        'average_position out_of_range',
        'average_position not_a_number',
        'end_date before_start',
        'phrase unknown',
        'clicks not_an_integer',
      ],
    )
    const twice = await importLines(world, [period, { ...period, clicks: 1 }, position, { ...position, average_position: 2 }], options)
    assert.deepEqual([twice.refused, twice.faults[0]?.code], [4, 'doubled_key'])
  })

  test('a period is told with what it knows, and a later file may add to it', async () => {
    const known = { type: 'period', ...of, phrase: 'drains', start_date: '2026-01-01', end_date: '2026-01-31' }
    await importLines(world, [{ ...known, clicks: 4 }], options)
    const { kinds } = await importLines(world, [{ ...known, impressions: 40 }], options)
    assert.partialDeepStrictEqual(kinds, { period: { updated: 1 } })
    assert.ok((await lines('period')).some((line) => line.clicks === 4 && line.impressions === 40 && line.average_position === undefined))
  })

  test('go with their keyword', async () => {
    const { db } = world.app.store
    const { id } = await db.selectFrom('keywords').select('id').where('phrase', '=', 'drains').executeTakeFirstOrThrow()
    await deleteKeyword(world.operator, world.siteId, id)
    assert.deepEqual([await lines('period'), await lines('average_position')], [[], []])
  })

  test('a review without language and answer is the one that steps of earlier versions know', () => {
    const { review } = rowKinds
    const earlier = { ...review, columns: review.columns.filter((column) => !review.later?.includes(column)), later: [] }
    const row = { date: '2026-11-01', rating: 4, user: 'Ann', language: null, answer: null }
    assert.equal(rowHash(review, row), rowHash(earlier, row))
    assert.notEqual(rowHash(review, { ...row, answer: 'Thanks' }), rowHash(review, row))
  })
})
