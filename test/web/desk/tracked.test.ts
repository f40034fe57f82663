/** What is tracked of a site, at the desk: pasted as a list, tagged, removed with what was measured of it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createShareLink } from '../../../src/model/people/share-links.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import { measurePeople } from '../../support/people.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'

onPageEngine('what is tracked of a site', (place) => {
  const { service, agency, at } = agencyOn(place)
  before(() => measurePeople(service.operator, agency.world.partnerId))
  const db = () => service.app.store.db
  const path = (site = agency.world.chicago, account = agency.world.accountId) => `/desk/customers/${account}/sites/${site}`
  const send = async (browser: PlainBrowser, fields: Record<string, string>, to = path()) =>
    browser.post(to, { form_token: await browser.token('/me'), ...fields })
  const keywords = () =>
    db()
      .selectFrom('keywords')
      .innerJoin('subjects', 'subjects.id', 'keywords.subject_id')
      .select(['keywords.id', 'phrase', 'tags'])
      .where('subjects.site_id', '=', agency.world.chicago)
      .where('subjects.domain', '=', '')
      .orderBy('keywords.id')
      .execute()
  const competitors = async () =>
    (
      await db()
        .selectFrom('subjects')
        .select(['id', 'domain'])
        .where('site_id', '=', agency.world.chicago)
        .where('domain', '!=', '')
        .orderBy('id')
        .execute()
    ).map(({ id, domain }) => [id, domain] as const)

  test('is pasted as a list, in which what is there already stays', async () => {
    const browser = await at('ben-desk')
    const added = await send(browser, { do: 'add-keywords', keywords: 'dentist near me\nnew <words>, more; \n\n' })
    assert.equal(added.headers.location, `${path()}?done=added`)
    const { text } = await browser.get(`${path()}?done=added`)
    assert.match(text, /They are tracked from now on.*dentist near me.*new &lt;words&gt;/s)
    assert.equal((await keywords()).filter(({ phrase }) => phrase === 'dentist near me').length, 1)
    assert.equal((await send(browser, { do: 'add-competitors', competitors: 'WWW.Fresh.example' })).status, 303)
    assert.equal((await competitors()).at(-1)?.[1], 'www.fresh.example')
    for (const [fields, said] of [
      [{ do: 'add-keywords', keywords: ' , ' }, 'Please type or paste some.'],
      [{ do: 'add-keywords', keywords: `good, ${'x'.repeat(201)}` }, 'longer than 200'],
      [{ do: 'add-keywords', keywords: Array.from({ length: 1_001 }, (_, n) => `w${n}`).join() }, 'At most 1000 at once.'],
      [{ do: 'add-competitors', competitors: 'good.example, no domain' }, 'Please type domains'],
    ] as const) {
      const before = [await keywords(), await competitors()]
      const refused = await send(browser, fields)
      assert.equal(refused.status, 422, said)
      assert.ok(refused.text.includes(said), said)
      assert.deepEqual([await keywords(), await competitors()], before, 'one that is wrong adds none')
    }
  })

  test('gets tags', async () => {
    const browser = await at('ben-desk')
    const [first] = await keywords()
    const tag = (tags: string, seen = `${first?.id}:`) => send(browser, { do: 'tag', 'one-of-keywords': seen, tags })
    assert.equal((await tag('money,  city, money')).headers.location, `${path()}?done=tagged`)
    assert.equal((await keywords())[0]?.tags, 'money,city')
    assert.match((await browser.get(path())).text, /money, city/)
    assert.match((await browser.get(`/sites/${agency.world.chicago}/search`)).text, /money/)
    assert.match((await tag('x'.repeat(51))).text, /These tags are too long/)
    assert.match((await tag('a', 'x')).text, /Nothing is ticked/)
    const late = await tag('mine')
    assert.equal(late.status, 422, 'a colleague has given tags meanwhile')
    assert.match(late.text, /changed this meanwhile.*value="mine"/s)
    assert.equal((await keywords())[0]?.tags, 'money,city')
    assert.equal((await tag('', `${first?.id}:money,city`)).status, 303)
    assert.equal((await keywords())[0]?.tags, null)
  })

  test('is removed with what was measured of it, which is ticked apart', async () => {
    const browser = await at('ben-desk')
    const [first] = await keywords()
    const [rival] = await competitors()
    const before = (await keywords()).length
    const unsure = await send(browser, { do: 'remove-keywords', 'one-of-keywords': String(first?.id) })
    assert.match(unsure.text, /please tick that as well/)
    assert.match(unsure.text, new RegExp(`value="${first?.id}:" checked`))
    assert.equal((await keywords()).length, before)
    const sure = { do: 'remove-keywords', 'one-of-keywords': String(first?.id), sure: 'yes' }
    assert.equal((await send(browser, sure)).headers.location, `${path()}?done=removed`)
    assert.deepEqual([(await keywords()).length, (await keywords()).some(({ id }) => id === first?.id)], [before - 1, false])
    assert.equal((await send(browser, sure)).status, 303, 'a second click changes nothing')
    assert.equal((await send(browser, { do: 'remove-competitors', 'one-of-competitors': String(rival?.[0]), sure: 'yes' })).status, 303)
    assert.ok(!(await competitors()).some(([id]) => id === rival?.[0]))
    const entries = db().selectFrom('audit_entries').select('action').where('actor', '=', `user:${agency.staff.ben}`).execute()
    const actions = (await entries).map(({ action }) => action)
    for (const action of ['keyword.create', 'keyword.tag', 'keyword.delete', 'competitor.create', 'competitor.delete'])
      assert.equal(actions.filter((one) => one === action).length >= 1, true, action)
  })

  test('goes with its site, after what goes was shown, unless that has changed', async () => {
    const browser = await at('ben-desk')
    const { evanston, accountId } = agency.world
    await createShareLink(service.operator, evanston, { label: 'the accountant', days: 30, password: null })
    const ask = async () => (await browser.get(`${path(evanston)}?remove=site`)).text
    const text = await ask()
    assert.match(text, /Remove evanston\..*\?<\/h2>.*keywords and .*with everything that was measured.*1 link to it/s)
    assert.doesNotMatch((await browser.get(path(evanston))).text, /name="seen"/)
    const seen = /name="seen" value="([\w-]{22})"/.exec(text)?.[1] ?? ''
    await send(browser, { do: 'add-keywords', keywords: 'one more' }, path(evanston))
    const late = await send(browser, { do: 'remove-site', seen }, path(evanston))
    assert.deepEqual([late.status, /changed this meanwhile/.test(late.text), /name="seen"/.test(late.text)], [422, true, true])
    const now = /name="seen" value="([\w-]{22})"/.exec(await ask())?.[1] ?? ''
    const mia = await at('mia-desk')
    assert.equal((await send(mia, { do: 'remove-site', seen: now }, path(evanston))).status, 404)
    assert.equal((await send(browser, { do: 'remove-site', seen: now }, path(agency.world.globexSite))).status, 404)
    const gone = await send(browser, { do: 'remove-site', seen: now }, path(evanston))
    assert.equal(gone.headers.location, `/desk/customers/${accountId}?done=unsited`)
    const sites = await db().selectFrom('sites').select('id').where('account_id', '=', accountId).execute()
    assert.deepEqual(
      sites.map(({ id }) => id).toSorted((a, b) => a - b),
      [agency.world.chicago, agency.world.closed].toSorted((a, b) => a - b),
    )
    assert.equal((await browser.get(path(evanston))).status, 404)
  })

  test('is nobody’s but of those who look after the customer, and only of this site', async () => {
    const { globexSite, chicago, closed } = agency.world
    const ben = await at('ben-desk')
    for (const wrong of [path(globexSite), path(999_999), path(chicago, agency.home), path(chicago, 999_999)]) {
      assert.equal((await ben.get(wrong)).status, 404, wrong)
      assert.equal((await send(ben, { do: 'add-keywords', keywords: 'x' }, wrong)).status, 404, wrong)
    }
    const before = await keywords()
    const [first] = before
    const elsewhere = { do: 'remove-keywords', 'one-of-keywords': String(first?.id), sure: 'yes' }
    assert.equal((await send(ben, elsewhere, path(closed))).status, 303)
    assert.equal((await send(ben, { do: 'tag', 'one-of-keywords': String(first?.id), tags: 'no' }, path(closed))).status, 303)
    for (const login of ['mia-desk', 'dana-owner']) {
      const browser = await at(login)
      assert.equal((await browser.get(path())).status, 404, login)
      assert.equal((await send(browser, elsewhere)).status, 404, login)
    }
    assert.deepEqual(await keywords(), before)
    assert.equal((await send(ben, { do: 'nonsense' })).status, 404)
  })
})
