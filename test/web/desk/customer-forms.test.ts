/** The forms of a customer's page: what belongs to the customer is changed there, and nothing of anybody else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateAbilities } from '../../../src/model/people/abilities.ts'
import { createShareLink, listShareLinks } from '../../../src/model/people/share-links.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'

onPageEngine('the forms of a customer', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const db = () => service.app.store.db
  const path = () => `/desk/customers/${agency.world.accountId}`
  const businesses = () =>
    db()
      .selectFrom('businesses')
      .select(['id', 'name', 'aasm_state'])
      .where('account_id', '=', agency.world.accountId)
      .orderBy('id')
      .execute()
  const domains = async () =>
    (await db().selectFrom('sites').select('domain').where('account_id', '=', agency.world.accountId).orderBy('id').execute()).map(
      ({ domain }) => domain,
    )
  const foreign = async () => {
    const site = db().selectFrom('sites').select(['business_id', 'account_id']).where('id', '=', agency.world.globexSite)
    return site.executeTakeFirstOrThrow()
  }
  const post = (browser: PlainBrowser, fields: Record<string, string>) => send(browser, path(), fields)
  const wasAbout = (text: string) => /name="was" value="([\w-]{22})"/.exec(text)?.[1] ?? ''

  test('add a site to a business', async () => {
    const browser = await at('ben-desk')
    const [first] = await businesses()
    const form = { do: 'domain', domain: 'WWW.New.example', business_id: String(first?.id) }
    assert.equal((await post(browser, form)).headers.location, `${path()}?done=site`)
    assert.match((await browser.get(`${path()}?done=site`)).text, /The site is added.*new\.<wbr>example/s)
    const twice = await post(browser, form)
    assert.equal(twice.status, 422)
    assert.match(twice.text, /This customer has this domain already/)
    assert.match(twice.text, /value="WWW\.New\.example"/, 'what was typed stays')
    assert.match((await post(browser, { ...form, domain: 'no domain' })).text, /such as example\.com/)
    const { business_id } = await foreign()
    for (const other of [String(business_id), '999999', 'x', ''])
      assert.equal((await post(browser, { ...form, domain: 'x.example', business_id: other })).status, 404, other)
    assert.equal((await domains()).filter((domain) => domain === 'x.example').length, 0)
  })

  test('add, rename, deactivate and bring back a business, unless somebody changed it meanwhile', async () => {
    const browser = await at('ben-desk')
    assert.equal((await post(browser, { do: 'business', business: 'Harbor <Kids>' })).headers.location, `${path()}?done=business`)
    const made = (await businesses()).at(-1)
    assert.equal(made?.name, 'Harbor <Kids>')
    assert.match((await post(browser, { do: 'business', business: ' ' })).text, /id="business-wrong"[^>]*>A business needs a name/)
    const id = String(made?.id)
    assert.match((await browser.get(`${path()}?business=${id}`)).text, /value="Harbor &lt;Kids&gt;"/)
    const rename = { do: 'rename', changed: id, was: 'Harbor <Kids>', business_name: 'Harbor Kids' }
    assert.equal((await post(browser, rename)).status, 303)
    const late = await post(browser, { ...rename, business_name: 'Something else' })
    assert.equal(late.status, 422)
    assert.match(late.text, /changed this meanwhile/)
    assert.match(late.text, /value="Something else"/)
    assert.match((await post(browser, { ...rename, was: 'Harbor Kids', business_name: '' })).text, /id="business_name-wrong"/)
    assert.equal((await post(browser, { do: 'deactivate', changed: id })).status, 303)
    assert.deepEqual((await businesses()).at(-1), { id: made?.id, name: 'Harbor Kids', aasm_state: 'deactivated' })
    assert.match((await browser.get(`${path()}?business=${id}`)).text, /Bring back/)
    assert.equal((await post(browser, { do: 'reactivate', changed: id })).status, 303)
    assert.equal((await businesses()).at(-1)?.aasm_state, 'active')
    const { business_id } = await foreign()
    for (const other of [String(business_id), '999999'])
      for (const act of ['rename', 'deactivate', 'reactivate', 'unmake'])
        assert.equal((await post(browser, { ...rename, do: act, changed: other })).status, 404, `${act} ${other}`)
  })

  test('remove a business that has no sites and that nobody may see by itself', async () => {
    const browser = await at('ben-desk')
    await post(browser, { do: 'business', business: 'Made by mistake' })
    const made = (await businesses()).at(-1)
    const [first] = await businesses()
    const lee = {
      id: agency.world.users['lee-business'],
      on: { key: 'show' as const, scope_type: 'Business' as const, scope_id: made?.id ?? 0 },
    }
    assert.match((await browser.get(`${path()}?business=${made?.id}`)).text, /value="unmake"/)
    assert.doesNotMatch((await browser.get(`${path()}?business=${first?.id}`)).text, /value="unmake"/)
    await updateAbilities(service.operator, lee.id, { entries: [lee.on], faults: [] }, 'merge')
    for (const id of [made?.id, first?.id]) {
      const refused = await post(browser, { do: 'unmake', changed: String(id) })
      assert.deepEqual([refused.status, /remove its sites first, and take it away/.test(refused.text)], [422, true])
      assert.doesNotMatch(refused.text, /abilit/i)
    }
    await updateAbilities(service.operator, lee.id, { entries: [lee.on], faults: [] }, 'remove')
    assert.equal((await post(browser, { do: 'unmake', changed: String(made?.id) })).headers.location, `${path()}?done=unmade`)
    assert.ok(!(await businesses()).some(({ id }) => id === made?.id))
  })

  test('revoke a link', async () => {
    const { id } = await createShareLink(service.operator, agency.world.chicago, { label: 'the accountant', days: 30, password: null })
    const browser = await at('ben-desk')
    assert.match((await browser.get(path())).text, /the accountant/)
    const form = { do: 'revoke', site: String(agency.world.chicago), link: String(id) }
    assert.equal((await post(browser, { ...form, site: String(agency.world.evanston) })).status, 404, 'found by way of another site')
    assert.equal((await post(browser, { ...form, site: String(agency.world.globexSite) })).status, 404)
    assert.equal((await post(browser, form)).headers.location, `${path()}?done=revoked`)
    assert.doesNotMatch((await browser.get(path())).text, /the accountant/)
    const [link] = await listShareLinks(service.operator, agency.world.chicago)
    assert.notEqual(link?.revoked_at, null)
  })

  test('write a note on a day of a site, and take it away again', async () => {
    const browser = await at('ben-desk')
    const notes = () => db().selectFrom('annotations').select(['id', 'site_id', 'day', 'text', 'created_by']).orderBy('id').execute()
    const before = await notes()
    const form = { do: 'note', noted: String(agency.world.chicago), day: '2026-11-02', text: 'A <new> shop window' }
    for (const [wrong, said] of [
      [{ text: ' ' }, 'Please say what happened.'],
      [{ text: 'x'.repeat(201) }, 'at most 200 characters'],
      [{ day: 'yesterday' }, 'Please write the day as'],
    ] as const) {
      const refused = await post(browser, { ...form, ...wrong })
      assert.deepEqual([refused.status, refused.text.includes(said)], [422, true], said)
    }
    for (const foreign of [agency.world.globexSite, 999_999])
      assert.equal((await post(browser, { ...form, noted: String(foreign) })).status, 404)
    assert.deepEqual(await notes(), before)
    assert.equal((await post(browser, form)).headers.location, `${path()}?done=noted#notes`)
    const made = (await notes()).at(-1)
    assert.deepEqual(
      { ...made, id: 0 },
      { id: 0, site_id: agency.world.chicago, day: '2026-11-02', text: 'A <new> shop window', created_by: agency.staff.ben },
    )
    assert.match((await browser.get(path())).text, /A &lt;new&gt; shop window/)
    const remove = { do: 'unnote', site: String(agency.world.chicago), note: String(made?.id) }
    assert.equal((await post(browser, { ...remove, site: String(agency.world.evanston) })).status, 404, 'by way of another site')
    assert.equal((await post(browser, remove)).headers.location, `${path()}?done=unnoted#notes`)
    assert.deepEqual(await notes(), before)
    assert.match((await browser.get(path())).text, /a note was written \(chicago\..*?\), by ben-desk/)
  })

  test('change the name, the time zone and the tags, unless somebody did meanwhile', async () => {
    const browser = await at('ben-desk')
    const was = wasAbout((await browser.get(path())).text)
    const form = { do: 'about', was, name: 'Harbor Dental Group', time_zone: 'America/Chicago', tags: 'dental, vip, dental' }
    for (const [wrong, said] of [
      [{ name: '' }, 'A customer needs a name.'],
      [{ time_zone: 'Mars' }, 'There is no time zone of this name.'],
    ] as const) {
      const refused = await post(browser, { ...form, ...wrong })
      assert.equal(refused.status, 422)
      assert.ok(refused.text.includes(said), said)
      assert.ok(refused.text.includes('value="dental, vip, dental"'))
    }
    assert.equal((await post(browser, form)).headers.location, `${path()}?done=changed`)
    const account = () =>
      db().selectFrom('accounts').select(['name', 'time_zone', 'tags']).where('id', '=', agency.world.accountId).executeTakeFirstOrThrow()
    const saved = { name: 'Harbor Dental Group', time_zone: 'America/Chicago', tags: 'dental, vip' }
    assert.deepEqual(await account(), saved)
    const late = await post(browser, { ...form, name: 'Too late' })
    assert.equal(late.status, 422)
    assert.match(late.text, /changed this meanwhile.*value="Too late"/s)
    assert.deepEqual(await account(), saved)
    const { text } = await browser.get(path())
    assert.match(text, /the customer was renamed, by ben-desk/)
    assert.equal((await post(browser, { ...form, was: wasAbout(text), tags: '' })).status, 303)
    assert.equal((await account()).tags, null)
  })

  test('change the number by which the agency knows the customer, unless somebody did meanwhile or another has it', async () => {
    const browser = await at('ben-desk')
    const form = async (fields: Record<string, string>) => {
      const was = wasAbout((await browser.get(path())).text)
      return post(browser, { do: 'about', was, was_number: '', name: 'Harbor Dental Group', time_zone: 'UTC', tags: '', ...fields })
    }
    assert.equal((await form({ external_id: 'H-1' })).status, 303)
    assert.match((await browser.get(path())).text, /name="external_id"[^>]* value="H-1"/)
    assert.match((await browser.get('/desk?q=H-1')).text, /Harbor Dental Group/)
    const late = await form({ external_id: 'H-2', name: 'Too late' })
    assert.deepEqual([late.status, /changed this meanwhile/.test(late.text)], [422, true])
    await browser.post('/desk/add', {
      form_token: await browser.token('/desk/add'),
      name: 'Elm',
      domain: 'elm.example',
      external_id: 'E-1',
    })
    const taken = await form({ was_number: 'H-1', external_id: 'E-1', name: 'Not this' })
    assert.deepEqual([taken.status, /id="external_id-wrong"[^>]*>Another customer has this number/.test(taken.text)], [422, true])
    const { text } = await browser.get(path())
    assert.match(text, /value="H-1"/)
    assert.match(text, /<h1>Harbor Dental Group/, 'nothing of a form with a fault is kept')
    assert.equal((await form({ was_number: 'H-1', external_id: '' })).status, 303)
    assert.match((await browser.get(path())).text, /your number of the customer was changed, by ben-desk/)
  })

  test('are nothing for a colleague without this customer, clients and strangers', async () => {
    const { account_id } = await foreign()
    const before = [await businesses(), await domains()]
    const forms = [
      { do: 'business', business: 'No' },
      { do: 'domain', domain: 'no.example', business_id: String((await businesses())[0]?.id) },
      { do: 'rename', changed: String((await businesses())[0]?.id), business_name: 'No' },
      { do: 'about', name: 'No', time_zone: 'UTC' },
      { do: 'note', noted: String(agency.world.chicago), day: '2026-11-02', text: 'No' },
    ]
    for (const login of ['mia-desk', 'dana-owner']) {
      const browser = await at(login)
      for (const form of forms) assert.equal((await send(browser, path(), form, '/password')).status, 404, `${login} ${form.do}`)
    }
    const ben = await at('ben-desk')
    for (const form of forms)
      assert.equal((await send(ben, `/desk/customers/${account_id}`, form, '/desk')).status, 404, `another partner’s, ${form.do}`)
    assert.deepEqual([await businesses(), await domains()], before)
  })
})
