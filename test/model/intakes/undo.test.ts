/** What an import did can be taken back, record by record, and what came later stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportObservations } from '../../../src/model/imports/export/export.ts'
import { findIntake, forgetIntakes, listIntakes } from '../../../src/model/intakes/intakes.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { eraseReviewer } from '../../../src/model/people/personal-data.ts'
import { importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const site = 'example.com'
const page_url = 'https://maps.example/1'
const ranking = {
  type: 'ranking',
  site,
  phrase: 'drains',
  search_engine: 'Google',
  locale: 'en-us',
  ranked_at: '2026-11-01 00:00:00',
  rank: 3,
  url: 'https://example.com/drains',
}
const keyword = { type: 'keyword', site, phrase: 'drains', search_volume: 90, tags: 'money,city' }
const clicks = { type: 'click_count', site, phrase: 'drains', search_engine: 'Google', date: '2026-11-01', clicks: 2, impressions: 30 }
const review = { type: 'review', site, source: 'google', page_url, ref: 'r1', rating: 4, date: '2026-11-01', user: 'Ann', detail: 'Good' }
const snapshot = { type: 'snapshot', site, day: '2026-11-01', backlink_count: 7, domain_authority: 40 }
const backlink = {
  type: 'backlink',
  site,
  found_on: '2026-11-01',
  link_strength: 5,
  source_url: 'https://b.example/a',
  domain_authority: 3,
}
const count = { type: 'review_count', site, source: 'google', page_url, date: '2026-11-01', count: 3, rating_sum: 12 }
const everything = [
  ranking,
  keyword,
  clicks,
  review,
  snapshot,
  backlink,
  count,
  { type: 'location', site, twitter_page: 'https://t.example/bob' },
]

onEachEngine('undo', (place) => {
  const world = worldAt(place)
  const take = async (lines: readonly object[]) => (await importLines(world, lines, { createMissing: true })).intakeId as number

  test('an import of every kind is taken back to nothing, sites and businesses too', async () => {
    const before = await exported(world)
    const elsewhere = everything.map((line) => ({ ...line, site: 'brand-new.example', account: world.otherAccountId }))
    const rival = { ...ranking, competitor: 'rival.example' }
    const id = await take([...everything, ...elsewhere, rival])
    assert.equal((await findIntake(world.operator, id)).state, 'stored')
    assert.notEqual(await exported(world), before)
    const { left, left_alone, intake } = await undoIntake(world.operator, id)
    assert.deepEqual([left, left_alone, intake.state], [0, [], 'undone'])
    assert.equal(await exported(world), before)
    await assert.rejects(undoIntake(world.operator, id), /undone already/)
    const rows = await world.app.store.db.selectFrom('businesses').select('id').where('name', '=', 'brand-new.example').execute()
    assert.deepEqual(rows, [])
  })

  test('what was changed is restored as it was, to the byte', async () => {
    await take(everything)
    const before = await exported(world)
    const changed = [
      { ...ranking, rank: null, url: null },
      { ...ranking, url: 'https://example.com/other' },
      { ...keyword, search_volume: null, tags: 'other' },
      { ...clicks, clicks: 3 },
      { ...ranking, ranked_at: '2026-11-03 00:00:00' },
      { ...review, rating: 1, detail: 'Bad' },
      { ...snapshot, backlink_count: 8, domain_age: 9 },
      { ...backlink, link_strength: 6 },
      { ...count, count: 4, created_at: '2020-01-01 00:00:00' },
      { type: 'location', site, twitter_page: null },
    ]
    const { left } = await undoIntake(world.operator, await take(changed))
    assert.equal(left, 0)
    assert.equal(await exported(world), before)
  })

  test('what lies in the first and the last second of a month is taken back, created and changed alike', async () => {
    const seconds = ['2026-08-31 23:59:59', '2026-09-01 00:00:00', '2026-09-30 23:59:59', '2026-10-01 00:00:00']
    const monthEnds = (rank: number, some: readonly string[]) => some.map((ranked_at) => ({ ...ranking, phrase: 'ends', ranked_at, rank }))
    const before = await exported(world)
    const first = await take(monthEnds(5, seconds))
    const stored = await exported(world)
    const middle = await take([...monthEnds(6, seconds.slice(1, 3)), ...monthEnds(7, ['2026-10-01 00:00:01'])])
    const ofMiddle = await undoIntake(world.operator, middle)
    assert.deepEqual([ofMiddle.undone, ofMiddle.left], [3, 0])
    assert.equal(await exported(world), stored)
    assert.equal((await undoIntake(world.operator, first)).left, 0)
    assert.equal(await exported(world), before)
  })

  test('what something later changed again is left alone and listed, and later records of the same month survive', async () => {
    const first = await take([
      { ...ranking, rank: 11 },
      { ...ranking, ranked_at: '2026-11-05 00:00:00', rank: 12 },
      { ...review, rating: 2 },
    ])
    await take([
      { ...ranking, rank: 21 },
      { ...ranking, ranked_at: '2026-11-06 00:00:00', rank: 22 },
      { ...review, rating: 3 },
    ])
    const { left, left_alone, undone } = await undoIntake(world.operator, first, { isDespiteLater: true })
    assert.deepEqual([undone, left], [1, 2])
    assert.deepEqual(left_alone.map(({ kind }) => kind).sort(), ['ranking', 'review'])
    const text = await exported(world)
    assert.match(text, /"ranked_at":"2026-11-01 00:00:00","rank":21/)
    assert.match(text, /"ranked_at":"2026-11-06 00:00:00","rank":22/)
    assert.doesNotMatch(text, /2026-11-05/)
    assert.match(text, /"ref":"r1","source":"google","rating":3/)
  })

  test('a page and a keyword that others use by now stay', async () => {
    const id = await take([
      { ...ranking, phrase: 'pipes' },
      { ...review, page_url: 'https://maps.example/2' },
    ])
    await take([
      { ...ranking, phrase: 'pipes', ranked_at: '2026-10-01 00:00:00' },
      { ...review, page_url: 'https://maps.example/2', ref: 'r2' },
    ])
    const { left_alone } = await undoIntake(world.operator, id, { isDespiteLater: true })
    assert.deepEqual(left_alone.map(({ kind }) => kind).sort(), ['keyword', 'page'])
    assert.match(await exported(world), /"ref":"r2"/)
  })

  test('undo never brings back a reviewer who was erased', async () => {
    await take([{ ...review, ref: 'r9', user: 'Zoe Canary', detail: 'my words' }])
    const id = await take([{ ...review, ref: 'r9', user: 'Someone', detail: 'other words' }])
    await take([{ ...review, ref: 'r10', user: 'Zoe Canary', detail: 'more of my words' }])
    await eraseReviewer(world.operator, 'Zoe Canary')
    const steps = await world.app.store.db.selectFrom('intake_steps').select('data').execute()
    for (const { data } of steps) assert.doesNotMatch(Buffer.from(data).toString('latin1'), /Zoe Canary|my words/)
    await undoIntake(world.operator, id, { isDespiteLater: true })
    assert.doesNotMatch(await exported(world), /Zoe Canary/)
  })

  test('intakes are listed with their counts, stand in the audit, and are forgotten with their steps', async () => {
    const id = await take([{ ...ranking, rank: 33 }])
    const { items } = await listIntakes(world.operator)
    assert.partialDeepStrictEqual(items.at(-1), { id, via: 'import', actor: 'operator', kinds: [{ kind: 'ranking', updated: 1 }] })
    const entry = world.app.store.db
      .selectFrom('audit_entries')
      .select('action')
      .where('subject_type', '=', 'Intake')
      .where('subject_id', '=', id)
    assert.deepEqual(await entry.execute(), [{ action: 'intake.store' }])
    while ((await forgetIntakes(world.app, '2100-01-01T00:00:00Z')) > 0);
    assert.equal((await listIntakes(world.operator)).items.length, 0)
    assert.deepEqual(await world.app.store.db.selectFrom('intake_steps').select('step').execute(), [])
  })
})

async function exported({ operator }: World): Promise<string> {
  const lines: string[] = []
  await exportObservations(operator, {}, async (text) => void lines.push(text))
  return lines.join('')
}
