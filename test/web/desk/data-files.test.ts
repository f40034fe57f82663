/** What came in, at the desk: what staff see of the files of their customers, and what nobody else does. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newUser } from '../../../src/resources/user.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { makePeople, type PeopleWorld, password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { serviceOn } from '../../support/service.ts'

onPageEngine('the files at the desk', (place) => {
  const service = serviceOn(place)
  let world: PeopleWorld
  let credentials = ''
  let garage = 0
  const [good, faulty, wide] = [{ id: 0 }, { id: 0 }, { id: 0 }]
  const db = () => service.app.store.db

  before(async () => {
    world = await makePeople(service.operator)
    const partner = db().selectFrom('partners').select('account_id').where('id', '=', world.partnerId)
    const own = (await partner.executeTakeFirstOrThrow()).account_id ?? 0
    await colleague('ben-desk', world.partnerId, own, 'all')
    const mia = await colleague('mia-desk', world.partnerId, own, 'assigned')
    garage = (await createAccount(service.operator, world.partnerId, 'Northside Garages')).id
    const business = await createBusiness(service.operator, draftOf(newBusiness, { name: 'Garage', account_id: garage }))
    await createSite(service.operator, business.id, 'garage.example')
    await service.app.store.write((tx) =>
      tx.updateTable('accounts').set({ looked_after_by: mia }).where('id', '=', world.accountId).execute(),
    )
    const issued = await issueKey(service.operator, world.partnerId, { scopes: ['ingest'] })
    credentials = `${issued.key}:${issued.password}`
    good.id = await upload(`account_id=${world.accountId}&file_name=november.csv`, lines('chicago.harbor.example', ['3', '4']))
    const half = lines('garage.example', ['5', '<b>six</b>'])
    faulty.id = await upload(`account_id=${garage}&file_name=garage.csv&skip_refused=1`, half)
    wide.id = await upload('file_name=all.csv', lines('evanston.harbor.example', ['8']))
  })

  const colleague = async (login: string, partnerId: number, accountId: number, customers: 'all' | 'assigned') => {
    const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: accountId })
    const { id } = await createUser(service.operator, draft)
    await appointStaff(service.operator, partnerId, id, { role: 'member', customers })
    return id
  }
  const lines = (site: string, ranks: readonly string[]) =>
    [
      'site,phrase,search_engine,locale,ranked_at,rank',
      ...ranks.map((rank, n) => `${site},tyres ${n},Google,en-us,2026-11-14,${rank}`),
    ].join('\n')
  const upload = async (query: string, body: string) => {
    const asked = { body, type: 'text/csv', credentials }
    const reply = await service.stranger.ask('POST', `/api/intakes.json?create_missing=1&${query}`, asked)
    assert.equal(reply.status, 202, reply.text)
    const { id } = (reply.json() as { intake: { id: number } }).intake
    await eventually(async () => !['waiting', 'checking', 'storing'].includes(await stateOf(id)))
    return id
  }
  const stateOf = async (id: number) =>
    (await db().selectFrom('intakes').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const filesIn = (text: string) =>
    [...text.matchAll(/<a class="rowlink"[^>]*>(.*?)<\/a>/g)].map(([, name]) => name?.replaceAll('<wbr>', ''))
  const path = '/desk/data'

  test('are listed with what they are, whose, what is stored and what is wrong, the newest first', async () => {
    const { status, text } = await (await at('ben-desk')).get(path)
    assert.equal(status, 200)
    assert.deepEqual(filesIn(text), ['all.csv', 'garage.csv', 'november.csv'])
    assert.match(text, /garage\.<wbr>csv.*?Northside Garages.*?[Kk]eywords and positions.*?data-l="Faults">1</s)
    assert.match(text, /all\.<wbr>csv.*?all customers/s)
    assert.match(text, /the program with key/)
    assert.deepEqual(filesIn((await (await at('ben-desk')).get(`${path}?show=faults`)).text), ['garage.csv'])
    assert.deepEqual(filesIn((await (await at('ben-desk')).get(`${path}?customer=${world.accountId}`)).text), ['november.csv'])
    assert.deepEqual(filesIn((await (await at('ben-desk')).get(`${path}?before=${wide.id}&show=x`)).text), ['garage.csv', 'november.csv'])
    assert.match((await (await at('ben-desk')).get(`${path}?show=programs`)).text, /No program has sent anything yet/)
  })

  test('tell every fault with its line, and give the lines back as a file', async () => {
    const browser = await at('ben-desk')
    const { text } = await browser.get(`${path}/${faulty.id}`)
    assert.match(text, /1 row stored|rows stored/)
    assert.match(text, /1 row with faults/)
    assert.match(text, /<th scope="row" class="n">3<\/th>.*?&lt;b&gt;six/s)
    assert.doesNotMatch(text, /<b>six/)
    const file = await browser.get(`${path}/${faulty.id}/refused.csv`)
    assert.equal(file.headers['content-disposition'], `attachment; filename="refused-${faulty.id}.csv"`)
    const [head, line, ...more] = file.text.trim().split('\n')
    assert.equal(head, 'site,phrase,search_engine,locale,ranked_at,rank,why')
    assert.match(line ?? '', /^garage\.example,tyres 1,Google,en-us,2026-11-14,<b>six<\/b>,/)
    assert.deepEqual(more, [])
    assert.doesNotMatch((await browser.get(`${path}/${good.id}`)).text, /refused\.csv/)
  })

  test('are those of assigned customers alone where customers are assigned, and of nobody else', async () => {
    const mia = await at('mia-desk')
    assert.deepEqual(filesIn((await mia.get(path)).text), ['november.csv'])
    assert.deepEqual(filesIn((await mia.get(`${path}?customer=${garage}`)).text), [])
    await colleague('gus-desk', (await partnerOf(world.globexSite)).partner_id ?? 0, (await partnerOf(world.globexSite)).account_id, 'all')
    assert.match((await (await at('gus-desk')).get(path)).text, /No file has come in yet/)
    for (const [login, hidden] of [
      ['mia-desk', faulty.id],
      ['mia-desk', wide.id],
      ['gus-desk', good.id],
      ['dana-owner', good.id],
      ['ben-desk', 987654],
    ] as const) {
      const browser = await at(login)
      const form_token = await browser.token('/password')
      assert.equal((await browser.get(`${path}/${hidden}`)).status, 404, login)
      assert.equal((await browser.get(`${path}/${hidden}/refused.csv`)).status, 404, login)
      for (const act of ['undo', 'stop'])
        assert.equal((await browser.post(`${path}/${hidden}`, { form_token, do: act })).status, 404, login)
    }
    assert.equal(await stateOf(good.id), 'stored')
    assert.match((await new PlainBrowser(service.stranger).get(path)).headers.location ?? '', /^\/login/)
  })

  const partnerOf = (siteId: number) =>
    db()
      .selectFrom('sites')
      .innerJoin('accounts', 'accounts.id', 'sites.account_id')
      .select(['account_id', 'partner_id'])
      .where('sites.id', '=', siteId)
      .executeTakeFirstOrThrow()

  test('are undone after one question, and a second time changes nothing', async () => {
    const browser = await at('mia-desk')
    const here = `${path}/${good.id}`
    const asked = (await browser.get(`${here}?ask=undo`)).text
    assert.match(asked, /Undo takes back what this file brought/)
    const form_token = await browser.token(here)
    assert.equal((await browser.post(here, { do: 'undo' })).status, 403)
    // What a later file delivered too stays, so that nothing is refused.
    const sure = { form_token, do: 'undo' }
    assert.equal((await browser.post(here, sure)).headers.location, here)
    await eventually(async () => (await stateOf(good.id)) === 'undone')
    assert.match((await browser.get(here)).text, /This file is undone.*rows? taken back/s)
    assert.equal((await browser.post(here, sure)).headers.location, here)
    const stop = await browser.post(here, { form_token, do: 'stop' })
    assert.match(stop.text, /This file has ended|is undone/)
    const done = await db().selectFrom('audit_entries').select('actor').where('action', '=', 'intake.undo').execute()
    assert.deepEqual(
      done.map(({ actor }) => actor.startsWith('user:')),
      [true],
    )
  })
})
