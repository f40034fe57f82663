/** A partner leaves another service of this interface by itself: it sends the reports that it has saved. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Intake } from '../../src/client/client.ts'
import { workTasks } from '../../src/model/intakes/work-tasks.ts'
import { keyScopes } from '../../src/model/partners/keys/keys.ts'
import { importUploadedAccounts } from '../../src/model/transfers/import-uploaded.ts'
import { onEachEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const over = new Set(['stored', 'checked', 'refused', 'interrupted'])

onEachEngine('an uploaded report', (place) => {
  const house = serviceOn(place)
  let old: TestPartner
  let oldSite: number
  let many = 0

  const newPartner = async (name: string) => {
    const partner = await house.partner(`${name} ${many++}`)
    const all = { scopes: keyScopes.join(' ') }
    await house.app.store.write((tx) => tx.updateTable('keys').set(all).where('partner_id', '=', partner.id).execute())
    return partner
  }
  const withSite = async (partner: TestPartner, domain: string) => {
    const business = await partner.client.createBusiness({ name: 'Bob' })
    return (await partner.client.createSite({ business_id: business.id, domain })).id
  }
  before(async () => {
    old = await newPartner('Old')
    oldSite = await withSite(old, 'example.com')
    const page = { page_url: 'https://maps.example/1', source: 'google' }
    const { refused } = await old.client.pushObservations(
      [
        {
          type: 'ranking',
          site: 'example.com',
          phrase: 'bread',
          search_engine: 'Google',
          locale: 'en-us',
          ranked_at: '2026-11-01 00:00:00',
          rank: 2,
        },
        { type: 'snapshot', site: 'example.com', day: '2026-11-01', backlink_count: 7 },
        { type: 'competitor', site: 'example.com', competitor: 'rival.example' },
        { type: 'review', site: 'example.com', ...page, rating: 4, date: '2026-11-01', ref: 'r1' },
        {
          type: 'review_count',
          site: 'example.com',
          competitor: 'rival.example',
          page_url: 'https://maps.example/2',
          source: 'google',
          date: '2026-11-01',
          count: 1,
          rating_sum: 3,
        },
      ],
      { create_missing: true },
    )
    assert.equal(refused, 0)
  })

  const send = async (partner: TestPartner, body: string | Uint8Array, query: string, type: string) => {
    const reply = await partner.ask('POST', `/api/intakes.json?${query}`, { body, type })
    assert.equal(reply.status, 202, reply.text)
    const { id } = (reply.json() as { intake: Intake }).intake
    await workTasks({
      app: house.app,
      signal: new AbortController().signal,
      eraseAgain: async () => {},
      importWhole: importUploadedAccounts,
    })
    await eventually(async () => over.has((await partner.client.showIntake(id)).state))
    return partner.client.showIntake(id)
  }
  const seo = async (partner: TestPartner, format = 'json') => (await partner.get(`/api/seo_report.${format}`)).text
  const counts = async (partner: TestPartner, format = 'json') =>
    (await partner.get(`/api/accounts/${partner.accountId}/reputation_report/counts.${format}`)).text
  const withoutIds = (text: string) =>
    text.replaceAll(/"(?:\w*id|created_at|last_updated)":(?:\d+|"[^"]*")/g, '').replaceAll(/"\d+":/g, '"#":')
  const rivalOf = async () => /"competitors":\[\{"id":(\d+)/.exec(await counts(old))?.[1]

  for (const [format, type] of [
    ['xml', 'application/xml'],
    ['json', 'application/json'],
  ] as const)
    test(`in ${format.toUpperCase()} says here what it said there, and ids that were named once are known`, async () => {
      const partner = await newPartner('New')
      await withSite(partner, 'example.com')
      const map = encodeURIComponent(`site,${oldSite},example.com;competitor,${await rivalOf()},rival.example`)
      const first = await send(partner, gzipSync(await seo(old, format)), `map=${map}&as_of=2026-11-01`, type)
      assert.deepEqual([first.state, first.faults], ['stored', []])
      assert.match(
        [...first.notices].map(({ message }) => message).join(),
        /^The report holds one series of rankings for each keyword, engine and locale/,
      )
      const second = await send(partner, await counts(old, format), `map=${map}`, type)
      assert.deepEqual([second.state, second.faults, [...second.notices]], ['stored', [], []])
      assert.equal(withoutIds(await seo(partner)), withoutIds(await seo(old)))
      assert.equal(withoutIds(await counts(partner)), withoutIds(await counts(old)))
      const { state, kinds } = await send(partner, await counts(old, format), 'dry_run=1', type)
      assert.deepEqual([state, kinds.map(({ created, updated }) => created + updated)], ['checked', kinds.map(() => 0)])
    })

  test('of every series brings devices and locations as they were', async () => {
    const [from, to] = [await newPartner('From'), await newPartner('To')]
    const [there] = [await withSite(from, 'example.com'), await withSite(to, 'example.com')]
    const ranking = { type: 'ranking', site: 'example.com', phrase: 'bread', search_engine: 'Google', locale: 'en-us', rank: 2 } as const
    const tracked = [{}, { device: 'mobile' }, { device: 'mobile', location: 'Ulm (Süd), 2' }]
    const records = tracked.map((place) => ({ ...ranking, ...place, ranked_at: '2026-11-01 00:00:00' }))
    await from.client.pushObservations(records, { create_missing: true })
    const all = async (partner: TestPartner) => (await partner.get('/api/seo_report.json?series=all')).text
    const map = encodeURIComponent(`site,${there},example.com`)
    const { state, notices } = await send(to, await all(from), `map=${map}&create_missing=1`, 'application/json')
    assert.deepEqual([state, [...notices]], ['stored', []])
    assert.equal(withoutIds(await all(to)), withoutIds(await all(from)))
  })

  test('of reviews warns before it brings those twice that have own ids here, and leaves them out where that is asked for', async () => {
    const partner = await newPartner('Twice')
    const site = await withSite(partner, 'example.com')
    const page = { site: 'example.com', page_url: 'https://maps.example/1', source: 'google', rating: 4, date: '2026-11-01' }
    const review = (user: string, ref: string) => ({ type: 'review' as const, ...page, user, detail: 'Good', ref })
    await partner.client.pushObservations([review('Ann', 'r1'), review('Ben', 'r2'), review('', 'r3')], { create_missing: true })
    const detail = async (format: string) =>
      (await partner.get(`/api/accounts/${partner.accountId}/reputation_report/detail.${format}`)).text
    const [xml, table] = [
      await detail('xml'),
      (await detail('csv'))
        .split('\n')
        .filter((line) => !line.includes('Ben'))
        .join('\n'),
    ]
    await house.app.store.write((tx) => tx.deleteFrom('reviews').where('user', '=', 'Ben').execute())
    const before = await detail('json')
    const map = `map=site,${site},example.com`
    for (const query of [`${map}&dry_run=1`, map]) {
      const { state, faults } = await send(partner, xml, query, 'application/xml')
      assert.deepEqual([state, faults.map(({ code }) => code)], ['refused', ['known_review', 'known_review']], query)
      assert.match(faults[0]?.message ?? '', /is here already under an id of its own.*would come twice: say `skip_refused=1`/)
    }
    assert.equal(await detail('json'), before)
    assert.equal((await send(partner, xml, `${map}&skip_refused=1`, 'application/xml')).state, 'stored')
    assert.deepEqual((await detail('csv')).match(/Ann|Ben/g)?.toSorted(), ['Ann', 'Ben'])
    // The flat table has those ids.
    const { state, kinds } = await send(partner, table, '', 'text/csv')
    assert.deepEqual([state, kinds.map(({ kind, created }) => [kind, created])], ['stored', [['review', 0]]])
  })

  test('whose ids mean nothing here is refused with what to say', async () => {
    const partner = await newPartner('New')
    const { state, faults } = await send(partner, await seo(old, 'xml'), '', 'text/xml')
    assert.equal(state, 'refused')
    assert.equal(faults[0]?.message, `site ${oldSite} has no counterpart here: name it in \`map\`, or create it with \`create_missing=1\``)
    const wrong = await partner.ask('POST', '/api/intakes.json?map=nonsense', { body: await seo(old, 'xml'), type: 'text/xml' })
    assert.deepEqual([wrong.status, /not kind,old,new: nonsense/.test(wrong.text)], [400, true])
  })

  test('makes no competitor a second time, under an invented domain', async () => {
    const partner = await newPartner('New')
    await withSite(partner, 'example.com')
    const map = `map=site,${oldSite},example.com&create_missing=1`
    assert.equal((await send(partner, await seo(old, 'xml'), map, 'application/xml')).state, 'stored')
    const { state, faults } = await send(partner, await counts(old, 'xml'), map, 'application/xml')
    assert.equal(state, 'refused')
    assert.match(faults[0]?.message ?? '', /^competitor \d+ has no counterpart here, and would come twice/)
    assert.doesNotMatch(await seo(partner), /imported\.invalid/)
    // Of a site without competitors it can only be a new one.
    const alone = await newPartner('Alone')
    await withSite(alone, 'example.com')
    assert.equal((await send(alone, await counts(old, 'xml'), map, 'application/xml')).state, 'stored')
  })

  test('reaches nothing of others, whatever its map says', async () => {
    const [partner, globex] = [await newPartner('New'), await newPartner('Globex')]
    const theirs = await withSite(globex, 'example.com')
    const before = await seo(globex)
    const { state } = await send(partner, await seo(old, 'xml'), `map=site,${oldSite},${theirs}`, 'application/xml')
    assert.equal(state, 'refused')
    assert.equal(await seo(globex), before)
  })
})
