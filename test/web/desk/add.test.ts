/** A customer added from a form: whole or not at all, with what was typed kept beside what is wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'

onPageEngine('adding a customer', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const count = async (table: 'accounts' | 'sites' | 'users') => {
    const { many } = await service.app.store.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('many'))
      .executeTakeFirstOrThrow()
    return Number(many)
  }
  const bakery = {
    name: 'Sunrise Bakeries',
    domain: 'sunrise.example',
    domains: 'bread.example, cake.example',
    keywords: 'bakery\ncake to order',
    competitors: 'rival.example',
    tags: 'food',
    time_zone: 'Europe/Berlin',
    contact: 'Sue Rise',
    email: 'sue@sunrise.example',
    rhythm: 'monthly',
    external_id: 'book-7',
    colleague: 'mia-desk',
  }

  test('ben adds one with everything, and lands on its page', async () => {
    const browser = await at('ben-desk')
    assert.match((await browser.get('/desk')).text, /href="\/desk\/add">Add a customer</)
    const { status, headers } = await send(browser, '/desk/add', bakery)
    assert.equal(status, 303)
    assert.match(headers.location ?? '', /^\/desk\/customers\/\d+\?done=added$/)
    const { text } = await browser.get(headers.location ?? '')
    for (const said of [
      'The customer is added.',
      'Sunrise Bakeries',
      'Sue Rise',
      'Every month',
      'Looked after by mia-desk',
      'Europe/Berlin',
    ])
      assert.ok(text.includes(said), said)
    for (const site of ['sunrise', 'bread', 'cake']) assert.match(text, new RegExp(`${site}\\.<wbr>example`))
    assert.match((await (await at('mia-desk')).get('/desk')).text, /Sunrise Bakeries/)
  })

  test('says beside each field what is wrong, and keeps what was typed', async () => {
    const browser = await at('ben-desk')
    const [accounts, users] = [await count('accounts'), await count('users')]
    const twice = await send(browser, '/desk/add', bakery)
    assert.equal(twice.status, 422)
    for (const said of [
      'Nothing is added yet',
      'A customer with this domain is there already.',
      'A customer with one of these domains is there already.',
      'Another customer has this number.',
      'Somebody with this email address is there already.',
      'value="Sunrise Bakeries"',
      '>bakery\ncake to order</textarea>',
      'value="mia-desk" selected',
    ])
      assert.ok(twice.text.includes(said), said)
    const bad = await send(browser, '/desk/add', { name: '<b>', domain: 'no domain', contact: 'Bo', time_zone: 'Mars', rhythm: 'hourly' })
    assert.equal(bad.status, 422)
    for (const said of ['such as example.com', 'needs an email address', 'no time zone of this name', 'value="&lt;b&gt;"'])
      assert.ok(bad.text.includes(said), said)
    const none = await send(browser, '/desk/add', { name: ' ', domain: '' })
    for (const said of ['A customer needs a name.', 'A customer needs a domain.']) assert.ok(none.text.includes(said), said)
    const gone = await send(browser, '/desk/add', { name: 'A', domain: 'a.example', colleague: 'dana-owner' })
    assert.match(gone.text, /This colleague is no longer there/)
    const large = await send(browser, '/desk/add', { name: 'A', domain: 'a.example', keywords: 'k'.repeat(300_000) })
    assert.equal(large.status, 413)
    const many = await send(browser, '/desk/add', { name: 'A', domain: 'a.example', keywords: 'word, '.repeat(6_000) })
    assert.match(many.text, /is too long \(maximum is 30000 characters\)/)
    assert.deepEqual([await count('accounts'), await count('users')], [accounts, users])
  })

  test('mia, who has assigned customers, looks after those whom she adds, and gives them to nobody else', async () => {
    const browser = await at('mia-desk')
    assert.doesNotMatch((await browser.get('/desk/add')).text, /name="colleague"/)
    const refused = await send(browser, '/desk/add', { name: 'Hers', domain: 'hers.example', colleague: 'ben-desk' })
    assert.equal(refused.status, 422)
    const { headers } = await send(browser, '/desk/add', { name: 'Hers', domain: 'hers.example' })
    const { status, text } = await browser.get(headers.location ?? '')
    assert.equal(status, 200)
    assert.match(text, /Looked after by mia-desk/)
  })

  test('is nothing for clients, strangers, and forms of other pages', async () => {
    const sites = await count('sites')
    const client = await at('dana-owner')
    assert.equal((await client.get('/desk/add')).status, 404)
    assert.equal((await send(client, '/desk/add', { name: 'B', domain: 'b.example' }, '/password')).status, 404)
    const browser = await at('ben-desk')
    assert.equal((await browser.post('/desk/add', { name: 'B', domain: 'b.example' })).status, 403)
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    const fields = { form_token: await browser.token('/desk/add'), name: 'B', domain: 'b.example' }
    assert.equal((await browser.post('/desk/add', fields, elsewhere)).status, 403)
    const { status } = await service.stranger.get('/desk/add')
    assert.equal(status, 303)
    assert.equal(await count('sites'), sites)
    assert.ok(agency.home > 0)
  })
})
