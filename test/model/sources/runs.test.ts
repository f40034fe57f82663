/** Runs of sources: once however many work on them, an intake each, gaps where nothing came, and none where a source rests. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operatorOn } from '../../../src/cli/command.ts'
import { readSettings } from '../../../src/config.ts'
import { draftOf } from '../../../src/fields/read.ts'
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import { type App, openApp } from '../../../src/model/core/app.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { findIntake } from '../../../src/model/intakes/intakes.ts'
import { revertIntake } from '../../../src/model/intakes/undo.ts'
import { resumePartner, suspendPartner } from '../../../src/model/partners/partners.ts'
import { claimSite, heldSeconds, isAnySiteDue, nextRun } from '../../../src/model/sources/due-sites.ts'
import { runSite } from '../../../src/model/sources/run-site.ts'
import { changeSource, listSourceSites, makeSource, removeSource, runSource } from '../../../src/model/sources/sources.ts'
import { workSources } from '../../../src/model/sources/work-sources.ts'
import { changedSource, newSource } from '../../../src/resources/imports/source.ts'
import { worldAt } from '../../support/data.ts'
import { dnsServer } from '../../support/dns-server.ts'
import { onEachEngine } from '../../support/engines.ts'
import { siteServers } from '../../support/site-servers.ts'

const env: Record<string, string> = {}
const dns = dnsServer(env)
const servers = siteServers()

onEachEngine('runs of sources', (place) => {
  const world = worldAt(place)
  const never = new AbortController().signal
  let now = '2026-11-14T12:00:00Z'
  let app: App
  let caller: OperatorCaller
  let source: number

  before(async () => {
    for (const domain of ['example.com', 'shared.example']) dns.addresses.set(domain, ['127.0.0.1'])
    dns.addresses.set('rdap.example', ['127.0.0.1'])
    servers.pages.set('rdap.example', {
      '/domain/example.com': JSON.stringify({ events: [{ eventAction: 'registration', eventDate: '2026-11-04T00:00:00Z' }] }),
    })
    servers.pages.set('example.com', { '/': 'hello', '/sitemap.xml': '<urlset><url><loc>/a</loc></url></urlset>' })
    const at = (domain: string) => `${domain}=http://${domain}:${servers.port}`
    const settings = readSettings({
      ...place.env,
      ...env,
      PORT: '0',
      MARQUEE_ADMIN_PORT: '0',
      MARQUEE_ALLOWED_NETWORKS: '127.0.0.1',
      MARQUEE_SITE_PLACES: `${at('example.com')},${at('shared.example')}`,
      MARQUEE_RDAP_URL: `http://127.0.0.1:${servers.port}`,
    })
    app = await openApp({ ...settings, rdapUrl: `http://rdap.example:${servers.port}` }, { clock: { now: () => now } })
    caller = operatorOn(app)
    source = (await makeSource(caller, world.partnerId, draftOf(newSource, { kind: 'site' }))).id
  })
  after(() => app?.close())

  const rows = () => app.store.db.selectFrom('data_source_sites').selectAll().orderBy('id').execute()
  const rowOf = async (id: number) => (await rows()).find(({ site_id }) => site_id === id)
  const snapshots = () => app.store.db.selectFrom('snapshots').selectAll().orderBy('day').execute()
  const intakes = () => app.store.db.selectFrom('intakes').select(['id', 'via', 'file_name', 'account_id', 'state']).orderBy('id').execute()
  const work = async () => assert.deepEqual(await workSources(app, never), [])

  test('a new source finds its sites and measures each once, as an intake of its account', async () => {
    assert.ok(await isAnySiteDue(app))
    servers.asked.length = 0
    const two = await openApp(app.settings, { clock: app.clock })
    await Promise.all([work(), workSources(two, never), work()])
    await two.close()
    assert.ok(!(await isAnySiteDue(app)))
    assert.equal(servers.asked.filter((one) => one === 'example.com /').length, 3)
    assert.equal(servers.mostAtOnce, 1)
    const kept = await intakes()
    assert.deepEqual(
      kept.map(({ id: _, ...row }) => row),
      [{ via: 'source', file_name: 'Check of example.com', account_id: world.accountId, state: 'stored' }],
    )
    const { items } = await listSourceSites(caller, source)
    assert.equal(items.length, 3)
    const own = items.find(({ site_id }) => site_id === world.siteId)
    const found = Object.fromEntries([...(own?.figures ?? [])].map(({ name, value }) => [name, value]))
    const [snapshot, ...more] = await snapshots()
    assert.deepEqual(more, [])
    assert.deepEqual(found, { download_time: snapshot?.download_time, status: 200, sitemap_addresses: 1, domain_age: 10 })
    assert.deepEqual([snapshot?.day, snapshot?.domain_age, own?.intake_id], ['2026-11-14', 10, kept[0]?.id])
  })

  test('a site that answers with an error has its status, and no number in its place', async () => {
    const [shared] = (await listSourceSites(caller, source)).items.filter(({ domain }) => domain === 'shared.example')
    assert.deepEqual([...(shared?.figures ?? [])], [{ name: 'status', value: 404 }])
    assert.match(shared?.reason ?? '', /^The home page answers with status 404\. Sitemaps: It has no sitemap\./)
    assert.equal(shared?.intake_id, null)
  })

  test('the next run is on the next day, at a minute of its own', async () => {
    const own = await rowOf(world.siteId)
    assert.equal(own?.next_at.slice(0, 10), '2026-11-15')
    const about = { id: 0, source_id: 1, partner_id: 1, account_id: 1, domain: '', failures: 0, failing_since: null }
    const at = (site_id: number, time_zone = 'UTC') => nextRun(now, { ...about, site_id, time_zone, rhythm: 'weekly' })
    assert.equal(new Set(Array.from({ length: 100 }, (_, n) => at(n))).size > 90, true)
    assert.match(at(1), /^2026-11-21T/)
    assert.ok(at(1, 'America/New_York') > at(1))
  })

  test('undoing a run takes back what it measured', async () => {
    const [intake] = await intakes()
    await revertIntake(caller, await findIntake(caller, intake?.id ?? 0))
    assert.deepEqual(await snapshots(), [])
    await runSource(caller, source)
    await work()
    assert.equal((await snapshots()).length, 1)
  })

  test('a failed run leaves what was measured, says why, and is repeated after a while', async () => {
    const before = await snapshots()
    const page = servers.pages.get('example.com')
    servers.pages.set('example.com', { '/': (_, response) => response.destroy() })
    await runSource(caller, source)
    await work()
    assert.deepEqual(await snapshots(), before)
    const failed = await rowOf(world.siteId)
    assert.deepEqual(
      [failed?.reason, failed?.failures, failed?.failing_since, failed?.next_at],
      ['The answer ended early, or was none of the web.', 1, now, secondsAfter(now, 900)],
    )
    now = secondsAfter(now, 900)
    await work()
    assert.equal((await rowOf(world.siteId))?.next_at, secondsAfter(now, 1_800))
    servers.pages.set('example.com', page ?? {})
    now = secondsAfter(now, 1_800)
    await work()
    const good = await rowOf(world.siteId)
    assert.deepEqual([good?.reason, good?.failures, good?.failing_since], [null, 0, null])
  })

  test('a run that died is repeated after its time and doubles nothing', async () => {
    await runSource(caller, source)
    const held = await claimSite(app)
    assert.ok(held)
    now = secondsAfter(now, heldSeconds - 1)
    await work()
    assert.notEqual((await rows()).find(({ id }) => id === held.id)?.held_until, null)
    now = secondsAfter(now, 2)
    await work()
    assert.deepEqual(
      (await rows()).map(({ held_until, held_host }) => [held_until, held_host]),
      [
        [null, null],
        [null, null],
        [null, null],
      ],
    )
    assert.equal((await snapshots()).length, 1)
  })

  test('a service that stops gives its site back, due as before', async () => {
    await runSource(caller, source)
    const site = await claimSite(app)
    assert.ok(site)
    const before = (await rows()).find(({ id }) => id === site.id)
    await runSite(app, site, AbortSignal.abort())
    assert.deepEqual(
      (await rows()).find(({ id }) => id === site.id),
      { ...before, held_until: null, held_host: null },
    )
    await work()
  })

  test('two partners ask one host one after the other', async () => {
    await runSource(caller, source)
    const [first, second, third] = [await claimSite(app), await claimSite(app), await claimSite(app)]
    assert.deepEqual([first?.domain, second?.domain, third].toSorted(), ['example.com', 'shared.example', undefined])
    for (const site of [first, second]) if (site !== undefined) await runSite(app, site, never)
    await work()
  })

  test('nothing is fetched for what rests', async () => {
    const isIdle = async () => {
      await runSource(caller, source).catch(() => {})
      servers.asked.length = 0
      await work()
      return servers.asked.length === 0
    }
    await changeSource(caller, source, draftOf(changedSource, { state: 'resting' }))
    assert.ok(await isIdle(), 'a source at rest')
    await changeSource(caller, source, draftOf(changedSource, { state: 'active' }))
    await suspendPartner(caller, world.partnerId)
    assert.ok(await isIdle(), 'a suspended partner')
    await resumePartner(caller, world.partnerId)
    await app.store.write((tx) => tx.updateTable('businesses').set({ aasm_state: 'deactivated' }).execute())
    assert.ok(await isIdle(), 'deactivated businesses')
    await app.store.write((tx) => tx.updateTable('businesses').set({ aasm_state: 'active' }).execute())
    const key = {
      partner_id: world.partnerId,
      public_part: 'K',
      key_hash: '',
      password_hash: '',
      label: '',
      scopes: 'ingest',
      created_at: now,
      last_used_at: null,
      expires_at: null,
      issued_by: null,
      account_ids: null,
    }
    const { id } = await app.store.write((tx) =>
      tx
        .insertInto('keys')
        .values({ ...key, revoked_at: now })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    await app.store.write((tx) => tx.updateTable('data_sources').set({ made_by_key: id }).execute())
    assert.ok(await isIdle(), 'a source whose key was revoked')
    assert.match((await app.store.db.selectFrom('data_sources').select('reason').executeTakeFirst())?.reason ?? '', /take it over/)
    await removeSource(caller, source)
    assert.deepEqual([await rows(), (await snapshots()).length], [[], 1])
  })
})
