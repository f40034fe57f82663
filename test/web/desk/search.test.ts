/** "Who may see Evanston?" is answered from the list of customers by one search and one click; tags narrow the list. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSite } from '../../../src/model/partners/sites.ts'
import { createShareLink } from '../../../src/model/people/share-links.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'

onPageEngine('a search in the customers', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const harbor = () => `/desk/customers/${agency.world.accountId}`
  const answers = (text: string) =>
    [...text.matchAll(/<a href="([^"]+)">((?:Who may see|What) .*?)<\/a>/g)].map(([, href = '', said = '']) => [
      said.replaceAll('<wbr>', ''),
      href,
    ])

  test('finds the site, and one click says who may see it', async () => {
    const browser = await at('ben-desk')
    await createShareLink(service.operator, agency.world.evanston, { label: 'the accountant', days: 30, password: null })
    const { text } = await browser.get('/desk?q=Evanston')
    assert.deepEqual(answers(text), [['Who may see evanston.harbor.example?', `${harbor()}?sees=${agency.world.evanston}#people`]])
    const page = (await browser.get(`${harbor()}?sees=${agency.world.evanston}`)).text
    const people = /<h2 id="people">.*?<\/section>/s.exec(page)?.[0] ?? ''
    assert.match(people, /Who may see evanston\.<wbr>harbor/)
    for (const who of ['dana-owner', 'rosa-account', 'lee-business', 'the accountant']) assert.ok(people.includes(who), who)
    for (const who of ['kim-one-site', 'newcomer', 'gina-globex']) assert.ok(!people.includes(who), who)
    assert.match(
      (await browser.get(`${harbor()}?sees=${agency.world.closed}`)).text,
      /Its business is deactivated: until it is active again/,
    )
    for (const no of [agency.world.globexSite, 'x', ''])
      assert.match((await browser.get(`${harbor()}?sees=${no}`)).text, /<h2 id="people">People</)
  })

  test('is at the head of every other page of the desk, and of sites at the dashboards', async () => {
    const browser = await at('ben-desk')
    const searchIn = async (path: string) => /<form class="find" action="([^"]+)"/.exec((await browser.get(path)).text)?.[1]
    for (const path of ['/desk/data', '/desk/reports', harbor()]) assert.equal(await searchIn(path), '/desk', path)
    assert.equal(await searchIn('/desk'), undefined, 'which has one of its own')
    for (const path of ['/?view=list', `/sites/${agency.world.evanston}/search`]) assert.equal(await searchIn(path), '/', path)
  })

  test('finds people, and one click says what they see', async () => {
    const browser = await at('ben-desk')
    const kim = `${harbor()}/people/${agency.world.users['kim-one-site']}`
    for (const words of ['kim-one', 'KIM-ONE-SITE@people.example', 'harbor kim'])
      assert.deepEqual(answers((await browser.get(`/desk?q=${encodeURIComponent(words)}`)).text), [['What kim-one-site sees', kim]], words)
    assert.deepEqual(answers((await browser.get('/desk?q=Harbor+Dental')).text), [], 'the name says it all')
    assert.deepEqual(answers((await browser.get('/desk?q=globex')).text), [])
    assert.deepEqual(answers((await (await at('mia-desk')).get('/desk?q=evanston')).text), [])
    const { id } = await service.app.store.db
      .selectFrom('businesses')
      .select('id')
      .where('account_id', '=', agency.world.accountId)
      .executeTakeFirstOrThrow()
    await createSite(service.operator, id, 'xn--mnchen-3ya.example')
    assert.match((await browser.get('/desk?q=xn--')).text, /Who may see münchen/)
  })

  test('tags narrow the list, and are in its file', async () => {
    const browser = await at('ben-desk')
    assert.doesNotMatch((await browser.get('/desk')).text, /name="tag"/)
    for (const [name, tags] of [
      ['A', 'dental, north'],
      ['B', 'north'],
      ['C', ''],
    ] as const)
      await send(browser, '/desk/add', { name: `Tagged ${name}`, domain: `${name}.example`, tags })
    const named = async (query: string) =>
      [...(await browser.get(`/desk?${query}`)).text.matchAll(/>(Tagged [ABC])</g)].map(([, name = '']) => name).toSorted()
    assert.deepEqual(await named('tag=north'), ['Tagged A', 'Tagged B'])
    assert.deepEqual(await named('tag=dental'), ['Tagged A'])
    assert.deepEqual(await named('tag=nor'), [])
    const { text } = await browser.get('/desk?tag=north&q=tagged+b')
    assert.match(text, /<option value="north" selected>north<\/option>/)
    assert.match(text, /1 site · north</)
    assert.match((await browser.get('/desk.csv?tag=dental')).text, /Tags\r\nTagged A,.*"dental, north"\r\n$/)
  })
})
