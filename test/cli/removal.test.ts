/** An operator removes what is no longer wanted: shown first, then gone with what hangs on it, and never more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marqueeEach } from '../support/command.ts'
import { importLines, worldAt } from '../support/data.ts'
import { asEarlier } from '../support/earlier-intakes.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('an operator who removes', (place) => {
  const world = worldAt(place)
  const run = async (...lines: string[]) => {
    const outcomes = await marqueeEach(
      place,
      lines.map((line) => `${line} --json`),
    )
    return outcomes.map(({ code, stdout, stderr }) => ({ code, stderr, said: stdout === '' ? {} : JSON.parse(stdout) }))
  }

  test('sees what would go, and then it goes', async () => {
    const ofRival = { site: 'example.com', competitor: 'rival.example' }
    const onPage = { site: 'example.com', source: 'google', page_url: 'https://maps.example/1' }
    await importLines(
      world,
      [
        {
          type: 'ranking',
          site: 'example.com',
          phrase: 'plumber',
          search_engine: 'Google',
          locale: 'en',
          ranked_at: '2026-11-01 00:00:00',
          rank: 1,
        },
        { type: 'snapshot', ...ofRival, day: '2026-11-01', domain_authority: 4 },
        { type: 'review', ...onPage, rating: 5, date: '2026-11-01', user: 'A' },
      ],
      { createMissing: true },
    )
    const { siteId } = world
    const [keywords, competitors, pages] = await run(...['keyword', 'competitor', 'page'].map((noun) => `${noun} list --site ${siteId}`))
    const [keyword, competitor, page] = [keywords?.said.keywords[0].id, competitors?.said.competitors[0].id, pages?.said.pages[0].id]
    const removals = [
      `page delete ${page} --site ${siteId}`,
      `competitor delete ${competitor} --site ${siteId}`,
      `keyword delete ${keyword} --site ${siteId}`,
    ]
    const tried = await run(...removals.map((line) => `${line} --dry-run`), `site delete ${siteId} --dry-run`)
    assert.deepEqual(
      tried.map(({ said }) => said.below),
      [
        { reviews: 1, months_of_counts: 0 },
        { keywords: 0, pages: 0, backlinks: 0, snapshots: 1, months_of_own_figures: 0 },
        { months_of_rankings: 1 },
        { competitors: 1, keywords: 1, pages: 1, backlinks: 0, snapshots: 1, months_of_own_figures: 0 },
      ],
    )
    const done = await run(...removals, ...removals)
    assert.deepEqual(
      done.map(({ code }) => code),
      [0, 0, 0, 1, 1, 1],
      'each goes once, and a dry run removes nothing',
    )
    const [below] = await run(`site delete ${siteId} --dry-run`)
    assert.deepEqual(below?.said.below, { competitors: 0, keywords: 0, pages: 0, backlinks: 0, snapshots: 0, months_of_own_figures: 0 })
  })

  test('deletes a location only when its pages are gone', async () => {
    const { siteId } = world
    const page = { type: 'page', site: 'example.com', source: 'google', page_url: 'https://maps.example/2' }
    await importLines(world, [page], { createMissing: true })
    const [locations, pages] = await run(`location list --site ${siteId}`, `page list --site ${siteId}`)
    const [{ id, site_id }] = locations?.said.locations ?? assert.fail()
    assert.equal(site_id, siteId)
    const gone = `page delete ${pages?.said.pages[0].id} --site ${siteId}`
    const remove = `location delete ${id}`
    const done = await run(remove, gone, `${remove} --dry-run`, remove, remove, 'location list')
    assert.deepEqual(
      done.map(({ code }) => code),
      [1, 0, 0, 0, 1, 0],
    )
    assert.deepEqual(done.at(-1)?.said, { locations: [] })
  })

  test('deletes a business only when its sites are gone', async () => {
    const { business_id } = await world.app.store.db
      .selectFrom('sites')
      .select('business_id')
      .where('id', '=', world.siteId)
      .executeTakeFirstOrThrow()
    const remove = `business delete ${business_id}`
    const [held, site, tried, gone, again] = await run(remove, `site delete ${world.siteId}`, `${remove} --dry-run`, remove, remove)
    assert.equal(held?.code, 1)
    assert.match(held?.stderr ?? '', /has sites, such as example\.com/)
    assert.deepEqual([site?.code, tried?.code, gone?.code, again?.code], [0, 0, 0, 1])
    const actions = await world.app.store.db.selectFrom('audit_entries').select('action').where('action', 'like', '%.delete').execute()
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['page.delete', 'competitor.delete', 'keyword.delete', 'page.delete', 'location.delete', 'site.delete', 'business.delete'],
    )
  })

  test('undoes a wrong file of an earlier version before its corrected one only if told to, and is told then what that takes', async () => {
    const take = async (backlink_count: number) => {
      const lines = [{ type: 'snapshot', site: 'shared.example', day: '2026-11-02', backlink_count }]
      const { intakeId = 0 } = await importLines(world, lines, {}, { ...world.target, accountId: world.otherAccountId })
      await asEarlier(world, intakeId)
      return intakeId
    }
    const [wrong, corrected] = [await take(1), await take(2)]
    const [refused] = await run(`intake undo ${wrong}`)
    assert.equal(refused?.code, 1)
    assert.match(refused?.stderr ?? '', new RegExp(`Import ${corrected} came later: undo that first, or with --despite-later`))
    const [done] = await marqueeEach(place, [`intake undo ${wrong} --despite-later`])
    assert.match(
      `${done?.stdout}${done?.stderr}`,
      new RegExp(`Import ${corrected} came later: what they delivered unchanged was taken back, too`),
    )
  })
})
