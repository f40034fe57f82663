/** Test partners: made by one button, filled and emptied in the background, named as a test everywhere, and heard of by the admins of their partner alone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestPartner } from '../../../src/model/partners/test-partners/test-partners.ts'
import { agencyOn } from '../../support/agency.ts'
import { inspect, testBrowser } from '../../support/browser.ts'
import { onEngine, onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'

const path = '/desk/developers'

onPageEngine('a test partner', (place) => {
  const env: Record<string, string> = {}
  let mailbox: Awaited<ReturnType<typeof openMailbox>>
  before(async () => {
    mailbox = await openMailbox()
    Object.assign(env, { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'reports@marquee.test' })
  })
  after(() => mailbox?.close())
  const { service, agency, at, send } = agencyOn(place, env)
  let ada: PlainBrowser
  let credentials = ''
  before(async () => {
    ada = await at('ada-desk')
  })
  const db = () => service.app.store.db
  const own = () =>
    db().selectFrom('test_partners').selectAll().where('of_partner_id', '=', agency.world.partnerId).executeTakeFirstOrThrow()
  const until = (state: string) => eventually(async () => (await own()).state === state)
  const names = async (of: string) =>
    (
      ((await service.stranger.get(`/api/${of}.json`, { credentials })).json() as Record<string, { name?: string; domain?: string }[]>)[
        of
      ] ?? []
    ).map(({ name, domain }) => name ?? domain)
  const realRows = () =>
    db().selectFrom('accounts').select(['id', 'name']).where('partner_id', '=', agency.world.partnerId).orderBy('id').execute()
  const enter = async (who: RegExp) => {
    const { text } = await ada.get(path)
    const [, id = ''] = [...text.matchAll(/<option value="(\d+)">([^<]*)/g)].find(([, , label = '']) => who.test(label)) ?? []
    const made = await send(ada, path, { do: 'test-enter', person: id })
    const [, link = ''] = /(\/login-link\/[\w-]+)/.exec(made.text) ?? []
    const browser = new PlainBrowser(service.stranger)
    await browser.post(link, { form_token: await browser.token(link) })
    return browser
  }

  test('is made by one button, with a key that works and reaches nothing else', async () => {
    const before = await realRows()
    const made = await send(ada, path, { do: 'test' })
    const [, key = ''] = /aria-label="Key">(mq_\w+)</.exec(made.text) ?? []
    const [, password = ''] = /aria-label="Password">(mqs_\w+)</.exec(made.text) ?? []
    credentials = `${key}:${password}`
    await until('filled')
    assert.deepEqual((await names('accounts')).sort(), ['Acme (test)', 'Harbor Dental Group', 'Northside Garages', 'Sunrise Bakeries'])
    assert.equal((await send(ada, path, { do: 'test' })).status, 422)
    assert.deepEqual(await realRows(), before)
    const sites = (await names('sites')) as string[]
    assert.equal(sites.length, 14)
    const { partner_id } = await own()
    const stored = await db().selectFrom('intakes').select('state').where('partner_id', '=', partner_id).execute()
    assert.deepEqual(stored, [{ state: 'stored' }])
  })

  test('says on its pages that it is a test, and its mails go to the admins of its partner alone', async () => {
    const dana = await enter(/dana-harbor/)
    const home = await dana.get('/?view=list')
    assert.match(home.text, /This is a test: nothing here is real/)
    assert.match(home.text, /<title>[^<]*Acme \(test\)<\/title>/)
    assert.match(home.text, /harbordental/)
    const boss = await enter(/at its desk/)
    const desk = await boss.get('/desk')
    assert.match(desk.text, /This is a test/)
    assert.doesNotMatch((await ada.get('/desk')).text, /This is a test/)
    assert.doesNotMatch((await boss.get(path)).text, /Make a test partner/)
    const login = (await db().selectFrom('users').select('login').where('login', 'like', 'dana-harbor-%').executeTakeFirstOrThrow()).login
    const stranger = new PlainBrowser(service.stranger)
    await stranger.post('/forgot', { form_token: await stranger.token('/forgot'), name: login })
    const account = await db().selectFrom('accounts').select('id').where('name', '=', 'Sunrise Bakeries').executeTakeFirstOrThrow()
    const body = { schedule: { rhythm: 'weekly', recipients: 'omar@sunrise-bakery.example' } }
    assert.equal((await service.stranger.post(`/api/accounts/${account.id}/schedules.json`, body, { credentials })).status, 201)
    const subjects: string[] = []
    await eventually(() => subjects.push(...mailbox.take('ada-desk@quay.example').map(({ subject }) => subject)) >= 2)
    for (const subject of subjects) assert.match(subject, /^\[Test\] /)
    const people = await db().selectFrom('users').select('email').execute()
    for (const { email } of [...people, { email: 'omar@sunrise-bakery.example' }]) assert.deepEqual(mailbox.take(email), [], email)
  })

  test('is emptied and filled anew at will, and nobody else’s rows change', async () => {
    const before = await realRows()
    await send(ada, path, { do: 'test-empty' })
    await until('empty')
    assert.deepEqual(await names('accounts'), ['Acme (test)'])
    await send(ada, path, { do: 'test-refill' })
    assert.equal((await send(ada, path, { do: 'test-empty' })).status, 422, 'not while it is being filled')
    await eventually(async () => (await names('sites')).length === 14)
    assert.deepEqual(await realRows(), before)
    const audited = await db().selectFrom('audit_entries').select(['actor', 'partner_id']).where('action', '=', 'partner.test').execute()
    assert.ok(audited.length >= 4)
    for (const entry of audited) assert.deepEqual(entry, { actor: `user:${agency.staff.ada}`, partner_id: agency.world.partnerId })
  })

  test('is for admins, and of the operator for nobody', async () => {
    const ben = await at('ben-desk')
    assert.equal((await send(ben, path, { do: 'test' }, '/desk')).status, 404)
    const { partner } = await createTestPartner(service.operator, null, 'Trial')
    assert.equal(partner.name, 'Trial (test)')
    await assert.rejects(createTestPartner(service.operator, partner.id, 'Again'), /test partner itself/)
    await assert.rejects(createTestPartner(service.operator, 9_999, 'Nobody'))
  })
})

onEngine('sqlite', 'a test partner, in a browser', (place) => {
  const { service } = agencyOn(place)
  const browser = testBrowser()

  for (const [hasScript, width] of [
    [true, 390],
    [false, 1440],
  ] as const)
    test(`is made or looked at ${hasScript ? 'with' : 'without'} script at ${width}`, async () => {
      const { page, mishaps, close } = await browser.enter(service.url, 'ada-desk', { hasScript, width })
      await page.goto(`${service.url}${path}`)
      const button = page.getByRole('button', { name: 'Make a test partner' })
      if ((await button.count()) > 0) {
        await button.click()
        await page.getByRole('heading', { name: 'The test partner is made' }).waitFor()
        await page.getByRole('link', { name: 'To the keys' }).click()
      }
      await page.getByText('Acme (test)').first().waitFor()
      if (hasScript) await inspect(page, path)
      assert.deepEqual(mishaps, [])
      await close()
    })
})
