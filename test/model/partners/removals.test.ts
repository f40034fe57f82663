/** A removed site is gone for everybody at once; what was measured of it is cleared later, and until then nothing tells of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorOn } from '../../../src/cli/command.ts'
import { readSettings } from '../../../src/config.ts'
import { openApp } from '../../../src/model/core/app.ts'
import { ReferenceGone, requireExisting } from '../../../src/model/imports/batches.ts'
import { findIntake } from '../../../src/model/intakes/intakes.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { clearRemovals, isAnythingRemoved } from '../../../src/model/partners/clearing.ts'
import { removeAll } from '../../../src/model/partners/removal.ts'
import { countBelowSite } from '../../../src/model/partners/removal-counts.ts'
import { deleteReviewPage, listReviewPages } from '../../../src/model/partners/review-pages.ts'
import { deleteCompetitor, deleteKeyword, listCompetitors, listKeywords } from '../../../src/model/partners/site-contents.ts'
import { deleteSite } from '../../../src/model/partners/site-removal.ts'
import { exportReviewer } from '../../../src/model/people/personal-data.ts'
import { openReport } from '../../../src/model/reports/open-report.ts'
import { wholeSeoReport } from '../../../src/model/reports/question.ts'
import { reportVersion } from '../../../src/model/reports/version.ts'
import { findOldMonths } from '../../../src/model/upkeep/old-months.ts'
import { exported, importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const many = 120

onEachEngine('a removed site', (place) => {
  const world = worldAt(place)
  const { signal: never } = new AbortController()
  const clear = () => clearRemovals(world.app, never)

  test('is told by nothing between its removal and its clearing', async () => {
    await take(world, 'stays.example')
    const { intakeId = 0 } = await take(world, 'gone.example')
    const twin = await take(world, 'twin.example')
    await deleteSite(world.operator, await siteOf(world, 'gone.example'))
    assert.ok(await isAnythingRemoved(world.app))
    const between = await told(world)
    const undone = await undoIntake(world.operator, intakeId, { isDespiteLater: true })
    await clear()
    assert.equal(await isAnythingRemoved(world.app), false)
    assert.deepEqual(await told(world), between)
    assert.deepEqual(await orphans(world), [])
    await deleteSite(world.operator, await siteOf(world, 'twin.example'))
    await clear()
    const later = await undoIntake(world.operator, twin.intakeId ?? 0, { isDespiteLater: true })
    assert.deepEqual([undone.undone, undone.left], [later.undone, later.left])
    assert.deepEqual(undone.left_alone, [], 'what people have removed is not there to be taken back')
    assert.equal((await findIntake(world.operator, intakeId)).state, 'undone')
  })

  test('is another one when somebody pushes to its domain again, whatever becomes of the first', async () => {
    const first = await siteOf(world, 'stays.example')
    const whole = linesAbout(await exported(world), 'stays.example')
    await deleteSite(world.operator, first)
    assert.deepEqual(linesAbout(await exported(world), 'stays.example'), [])
    await take(world, 'stays.example')
    const second = await siteOf(world, 'stays.example')
    assert.notEqual(second, first)
    await stopAfterSome(world)
    assert.ok(await isAnythingRemoved(world.app), 'the task was stopped on the way')
    const other = await openApp(readSettings(place.env))
    await clearRemovals(operatorOn(other).app, never).finally(() => other.close())
    assert.equal(await isAnythingRemoved(world.app), false)
    assert.deepEqual(linesAbout(await exported(world), 'stays.example'), whole)
    assert.deepEqual(await orphans(world), [])
    const { keywords, pages } = await countBelowSite(world.operator, second)
    assert.deepEqual([keywords, pages], [2 * many, 1])
  })

  test('and so are a keyword, a competitor and a page with many reviews', async () => {
    const site = await siteOf(world, 'stays.example')
    const days = Array.from(
      { length: 3 * many },
      (_, at) => `20${String(10 + Math.floor(at / 12)).padStart(2, '0')}-${String((at % 12) + 1).padStart(2, '0')}-01`,
    )
    await importLines(
      world,
      days.map((day) => ({ ...ranking, site: 'stays.example', phrase: 'phrase 0', ranked_at: `${day} 00:00:00` })),
    )
    const [keyword] = (await listKeywords(world.operator, site)).items
    const [competitor] = (await listCompetitors(world.operator, site)).items
    const [page] = (await listReviewPages(world.operator, site)).items
    for (const remove of [
      () => deleteKeyword(world.operator, site, keyword?.id ?? 0),
      () => deleteCompetitor(world.operator, site, competitor?.id ?? 0),
      () => deleteReviewPage(world.operator, site, page?.id ?? 0),
    ]) {
      await remove()
      assert.ok(await isAnythingRemoved(world.app))
      const between = await told(world)
      await clear()
      assert.deepEqual(await told(world), between)
      assert.deepEqual(await orphans(world), [])
    }
  })

  test('takes nothing more in, and nothing of it is removed twice', async () => {
    await take(world, 'busy.example')
    const site = await siteOf(world, 'busy.example')
    const [keywords, pages] = [(await listKeywords(world.operator, site)).items, (await listReviewPages(world.operator, site)).items]
    await deleteSite(world.operator, site)
    const { accountId, app } = world
    const { store } = app
    for (const [owner, table, some] of [
      ['keyword', 'keywords', keywords],
      ['page', 'pages', pages],
    ] as const) {
      const ids = some.map(({ id }) => id)
      assert.ok(ids.length > 0)
      await assert.rejects(
        store.write((tx) => requireExisting(tx, table, accountId, ids)),
        ReferenceGone,
      )
      assert.deepEqual(await store.write((tx) => removeAll(store.engine, tx, owner, accountId, ids)), [])
    }
    await clear()
  })

  test('a person who asks what is stored of them still learns of a hidden review', async () => {
    await take(world, 'asked.example')
    await deleteSite(world.operator, await siteOf(world, 'asked.example'))
    assert.ok((await exportReviewer(world.operator, 'Ann of asked.example')).reviews.length > 0)
    await clear()
    await assert.rejects(exportReviewer(world.operator, 'Ann of asked.example'), { code: 'not_found' })
  })
})

const ranking = { type: 'ranking', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: 3 }
const clicks = { type: 'click_count', search_engine: 'Google', date: '2026-11-01', clicks: 2, impressions: 30 }
const backlink = { type: 'backlink', found_on: '2026-11-01', link_strength: 5, domain_authority: 3 }

function take(world: World, site: string) {
  const onPage = { site, source: 'google', page_url: 'https://maps.example/1' }
  const lines = Array.from({ length: many }, (_, at) => [
    { ...ranking, site, phrase: `phrase ${at}`, url: `https://${site}/${at}` },
    { ...ranking, site, competitor: 'rival.example', phrase: `phrase ${at}`, ranked_at: '2026-09-01 00:00:00' },
    { ...clicks, site, phrase: `phrase ${at}` },
    { type: 'snapshot', site, day: `2026-0${(at % 9) + 1}-${String(10 + (at % 19))}`, backlink_count: at },
    { ...backlink, site, source_url: `https://blog.example/${at}` },
    { type: 'review', ...onPage, rating: 4, date: '2026-11-01', user: `Ann of ${site}`, detail: 'Good', ref: `r${at}` },
    { type: 'review', ...onPage, rating: 4, date: '2026-11-02', user: `Bob of ${site}`, detail: 'Good', ref: `s${at}` },
    { type: 'review_count', ...onPage, date: '2026-11-01', count: 3, rating_sum: 12 },
  ])
  return importLines(world, lines.flat(), { createMissing: true }, { partnerId: world.partnerId, accountId: world.accountId })
}

async function siteOf({ app, accountId }: World, domain: string): Promise<number> {
  const sites = app.store.db.selectFrom('sites').select('id').where('account_id', '=', accountId).where('domain', '=', domain)
  return (await sites.executeTakeFirstOrThrow()).id
}

/** All that is read by account: both reports, the export and what old months hold. */
async function told(world: World): Promise<unknown[]> {
  const { app, partnerId } = world
  const reports = (['seo', 'detail', 'counts'] as const).map(async (report) => {
    const asked = { ...wholeSeoReport, report }
    const { chunks } = await openReport({ app, partnerId }, asked, 'identity', await reportVersion({ app, partnerId }, asked))
    let text = ''
    for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) {
      text += Buffer.from(chunk).toString('latin1')
      chunks.taken(chunk)
    }
    return text
  })
  return [...(await Promise.all(reports)), await exported(world), await findOldMonths({ kind: 'operator', app, requestId: 'test' }, 0)]
}

function linesAbout(text: string, site: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.includes(`"site":"${site}"`))
    .toSorted()
}

/** As if the process had been killed after a few of its transactions. */
async function stopAfterSome({ app }: World): Promise<void> {
  const stopping = new AbortController()
  let writes = 0
  const store: typeof app.store = {
    ...app.store,
    write: (...given) => {
      writes += 1
      if (writes === 2) stopping.abort()
      return app.store.write(...given)
    },
  }
  await clearRemovals({ ...app, store }, stopping.signal)
}

/** Rows whose owner is gone. */
async function orphans({ app }: World): Promise<string[]> {
  const below = [
    ['keywords', 'subject_id', 'subjects'],
    ['pages', 'subject_id', 'subjects'],
    ['backlinks', 'subject_id', 'subjects'],
    ['snapshots', 'subject_id', 'subjects'],
    ['ranked_urls', 'subject_id', 'subjects'],
    ['ranking_months', 'keyword_id', 'keywords'],
    ['ranked_url_months', 'keyword_id', 'keywords'],
    ['click_count_months', 'keyword_id', 'keywords'],
    ['reviews', 'page_id', 'pages'],
    ['review_count_months', 'page_id', 'pages'],
  ] as const
  const found: string[] = []
  for (const [table, column, owners] of below) {
    const ids = new Set(
      (
        await app.store.db
          .selectFrom(owners as 'keywords')
          .select('id')
          .execute()
      ).map(({ id }) => id),
    )
    const rows = await app.store.db
      .selectFrom(table as 'keywords')
      .select(column as 'subject_id')
      .execute()
    for (const row of rows)
      if (!ids.has((row as unknown as Record<string, number>)[column] as number)) found.push(`${table} ${JSON.stringify(row)}`)
  }
  return found
}
