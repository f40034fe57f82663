import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dayNumber, weekOf } from '../../../src/lib/time/days.ts'
import type { PersonCaller } from '../../../src/model/core/caller.ts'
import { countBacklinks, eachBacklink, readLinks, readNewBacklinks } from '../../../src/model/dashboard/backlinks.ts'
import { readRankedSubjects } from '../../../src/model/dashboard/search.ts'
import { openSite } from '../../../src/model/people/visible-sites.ts'
import { importLines } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const site = 'chicago.harbor.example'
const long = 'x'.repeat(9_000)
const found = (amount: number, found_on: string, anchor_text: string) =>
  Array.from({ length: amount }, (_, index) => ({
    type: 'backlink',
    site,
    source_url: `https://a.example/${found_on}/${index}`,
    found_on,
    link_strength: index % 100,
    domain_authority: 3,
    anchor_text,
  }))
/** More on one day than are read at once, and more text than a page shows. */
const lines = [
  ...found(600, '2026-10-01', long),
  ...found(2_100, '2026-10-12', 'short'),
  ...found(3, '2026-10-13', 'short'),
  ...found(1, '2026-11-01', 'later'),
]
const october = { from: '2026-10-01', to: '2026-10-31' }

onEachEngine('the links to a site', (place) => {
  const world = doorWorldAt(place)
  let dana: PersonCaller
  before(async () => {
    await importLines({ ...world, target: { partnerId: world.partnerId }, siteId: 0, otherAccountId: 0 }, lines, { createMissing: true })
    dana = (await world.enter('dana-owner')).person
  })

  async function own() {
    const shown = await openSite(dana, world.chicago)
    const { db } = dana.app.store
    return { shown, db, subject: (await readRankedSubjects(db, shown)).own }
  }

  async function idsInOrder(): Promise<number[]> {
    const { db, subject } = await own()
    const all = db.selectFrom('backlinks').select('id').where('subject_id', '=', subject).where('found_on', '<', '2026-11-01')
    return (await all.orderBy('found_on', 'desc').orderBy('id', 'desc').execute()).map(({ id }) => id)
  }

  test('a day with more links than are read at once is counted whole, newest first', async () => {
    const { shown, db, subject } = await own()
    const { ids, byWeek, byStrength } = await readNewBacklinks(db, shown, subject, october)
    assert.deepEqual(ids, await idsInOrder())
    assert.equal(ids.length, 2_703)
    assert.deepEqual(
      [...byWeek].toSorted(([a], [b]) => a - b),
      [
        [weekOf(dayNumber('2026-10-01')), 600],
        [weekOf(dayNumber('2026-10-12')), 2_103],
      ],
    )
    assert.deepEqual(byStrength, [273, ...Array(9).fill(270)])
    assert.equal(await countBacklinks(db, shown, subject, october), 2_703)
  })

  test('all of them are streamed, in pieces of a bounded number of bytes', async () => {
    const { shown } = await own()
    const ids: number[] = []
    for await (const some of eachBacklink(dana, shown, october)) {
      const bytes = some.reduce((sum, { anchor_text, source_url }) => sum + anchor_text.length + source_url.length, 0)
      assert.ok(bytes <= 256 << 10, `${bytes} bytes`)
      ids.push(...some.map(({ id }) => id))
    }
    assert.deepEqual(ids, await idsInOrder())
  })

  test('as many are shown as were asked for, unless their texts are too long together', async () => {
    const { shown } = await own()
    const ids = await idsInOrder()
    const idsOf = async (asked: number[]) => (await readLinks(dana, shown, asked)).map(({ id }) => id)
    assert.deepEqual(await idsOf(ids.slice(0, 20)), ids.slice(0, 20))
    assert.deepEqual(await idsOf([]), [])
    const oldest = ids.slice(-600)
    const shownIds = await idsOf(oldest)
    assert.deepEqual(shownIds, oldest.slice(0, shownIds.length))
    assert.ok(shownIds.length > 400 && shownIds.length < 500, `${shownIds.length} are shown`)
  })
})
