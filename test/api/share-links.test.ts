/** Share links over the API: a partner makes and revokes links to its sites, within the limits of the page, and to nobody else's. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Marquee, NotFoundError } from '../../src/client/client.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusedInBoth } from '../support/refusals.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('share links over the API', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  let site: number
  let other: number
  let harbor: number

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
    harbor = (await acme.client.createAccount({ name: 'Harbor' })).id
    const siteOf = async (account_id: number, domain: string) =>
      (await createSite(house.operator, (await acme.client.createBusiness({ name: domain, account_id })).id, domain)).id
    site = await siteOf(harbor, 'harbor.example')
    other = await siteOf(acme.accountId, 'other.example')
  })

  const audited = async (action: string) =>
    (await house.app.store.db.selectFrom('audit_entries').select('id').where('action', '=', action).execute()).length
  const opens = async (url: string) => (await house.stranger.get(new URL(url).pathname)).status
  const refused = (body: object, codes: string[]) =>
    refusedInBoth(acme, 'POST', '/api/share_links', 422, codes, { body: JSON.stringify(body), type: 'application/json' })

  test('open the site until they are revoked, and their address is shown once', async () => {
    const { url, ...link } = await acme.client.createShareLink({ site_id: site, label: ' Board ', days: 7 })
    assert.deepEqual([link.label, link.has_password, link.site_id], ['Board', false, site])
    assert.equal(Math.round((Date.parse(link.expires_at) - Date.parse(link.created_at)) / 86_400_000), 7)
    assert.equal(await opens(url), 303)
    const shown = await acme.client.showShareLink(link.id)
    assert.deepEqual(Object.keys(shown), Object.keys(link))
    const revoked = await acme.client.revokeShareLink(link.id)
    assert.deepEqual(await acme.client.revokeShareLink(link.id), revoked)
    assert.deepEqual([await opens(url), await audited('site.share'), await audited('site.unshare')], [410, 1, 1])
    assert.notEqual((await acme.client.showShareLink(link.id)).revoked_at, null)
  })

  test('ask for a password where one was given, and are listed by site', async () => {
    const { url, id, has_password } = await acme.client.createShareLink({ site_id: other, password: 'open sesame' })
    assert.deepEqual([has_password, await opens(url)], [true, 200])
    const idsOf = async (query: { site_id?: number }) => {
      const ids: number[] = []
      for await (const link of acme.client.listShareLinks(query)) ids.push(link.id)
      return ids
    }
    assert.deepEqual(await idsOf({ site_id: other }), [id])
    assert.equal((await idsOf({})).length, 2)
    assert.equal((await globex.client.listShareLinks().first())?.id, undefined)
  })

  test('keep to the limits of the page', async () => {
    await refused({ site_id: site, days: 367 }, ['days invalid'])
    await refused({ site_id: site, label: 'x'.repeat(101), password: 'short' }, ['label too_long', 'password too_short'])
    await refused({ label: 'no site' }, ['site_id blank'])
    const rows = Array.from({ length: 50 }, (_, n) => ({
      site_id: site,
      label: '',
      token_hash: `many-${n}`,
      verifier: null,
      created_by: null,
      created_at: '2026-11-15T00:00:00Z',
      expires_at: '2999-12-31T00:00:00Z',
      revoked_at: null,
      last_used_at: null,
    }))
    await house.app.store.write((tx) => tx.insertInto('share_links').values(rows).execute())
    await refused({ site_id: site }, ['site too_many'])
  })

  test('of others are not there', async () => {
    const { id } = await acme.client.createShareLink({ site_id: other })
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['provision'], account_ids: String(harbor) })
    const limited = new Marquee({ url: house.url, key, password })
    for (const client of [globex.client, limited]) {
      await assert.rejects(client.showShareLink(id), NotFoundError)
      await assert.rejects(client.revokeShareLink(id), NotFoundError)
      await assert.rejects(client.createShareLink({ site_id: other }), /does not exist/)
    }
    assert.equal((await acme.client.showShareLink(id)).revoked_at, null)
  })
})
