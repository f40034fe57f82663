/** The page of developers: keys with their use, issued, rotated and revoked by admins whose login is fresh, and the switch for a client of 2012. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { setPartner } from '../../../src/model/partners/partners.ts'
import { agencyOn } from '../../support/agency.ts'
import { testBrowser } from '../../support/browser.ts'
import { onEngine, onPageEngine } from '../../support/engines.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'
import { baseUrl } from '../../support/service.ts'

const path = '/desk/developers'
const hidden = (name: string, text: string) =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
const shownKey = (text: string) => {
  const [, key = ''] = /aria-label="Key">(mq_\w+)</.exec(text) ?? []
  const [, password = ''] = /aria-label="Password">(mqs_\w+)</.exec(text) ?? []
  return { key, password, credentials: `${key}:${password}`, part: key.slice(3, 11) }
}

onPageEngine('the page of developers', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  let ada: PlainBrowser
  before(async () => {
    ada = await at('ada-desk')
  })
  const db = () => service.app.store.db
  const keyRow = (part: string) => db().selectFrom('keys').selectAll().where('public_part', '=', part).executeTakeFirstOrThrow()
  const issue = async (fields: Record<string, string>) =>
    send(ada, path, { do: 'issue', newest: hidden('newest', (await ada.get(path)).text), ...fields })
  const status = async (credentials: string, asked: string) => (await service.stranger.get(asked, { credentials })).status
  const foreign = async () => {
    const globex = await db().selectFrom('partners').select('id').where('name', '=', 'Globex').executeTakeFirstOrThrow()
    return db().selectFrom('keys').selectAll().where('partner_id', '=', globex.id).orderBy('id').execute()
  }

  test('asks who it is after half an hour, and is nothing for members, clients and strangers', async () => {
    assert.match((await ada.get('/desk')).text, /href="\/desk\/developers"/)
    for (const login of ['ben-desk', 'dana-owner']) {
      const browser = await at(login)
      assert.equal((await browser.get(path)).status, 404, login)
      assert.equal((await send(browser, path, { do: 'issue', newest: '0', scope: 'report' }, '/me')).status, 404, login)
      if (login === 'ben-desk') assert.doesNotMatch((await browser.get('/desk')).text, /desk\/developers/)
    }
    assert.match((await service.stranger.get(path)).headers.location ?? '', /^\/login/)
    const proved = (at: string) => service.app.store.write((tx) => tx.updateTable('sessions').set({ proved_at: at }).execute())
    await proved(secondsAfter(service.app.clock.now(), -31 * 60))
    assert.match((await ada.get(path)).text, /Is it you\?/)
    await proved(service.app.clock.now())
    assert.match((await ada.get(path)).text, /<h1>Developers<\/h1>/)
  })

  test('issues a key for some customers with some scopes, and shows it once', async () => {
    const answer = await issue({ label: 'Sheets', scope: 'provision', customers: 'Harbor Dental\n', days: '30' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const fresh = shownKey(answer.text)
    assert.ok(answer.text.includes(`curl -u '${fresh.credentials}' '${baseUrl}/api/accounts.json'`))
    assert.equal(await status(fresh.credentials, '/api/accounts.json'), 200)
    assert.equal(await status(fresh.credentials, '/api/seo_report.json'), 403)
    const row = await keyRow(fresh.part)
    assert.deepEqual([row.label, row.scopes, row.account_ids, row.issued_by], ['Sheets', 'provision', String(agency.world.accountId), null])
    assert.equal(row.expires_at?.slice(0, 10), secondsAfter(service.app.clock.now(), 30 * 86_400).slice(0, 10))
    const { text } = await ada.get(`${path}?key=${row.id}`)
    for (const said of ['Sheets', `mq_${fresh.part}`, 'Only of 1 customer: Harbor Dental']) assert.ok(text.includes(said), said)
    assert.ok(!text.includes(fresh.key) && !text.includes(fresh.password))
    const issued = await db()
      .selectFrom('audit_entries')
      .select(['actor', 'subject_id'])
      .where('action', '=', 'key.issue')
      .orderBy('id', 'desc')
      .execute()
    assert.deepEqual(issued[0], { actor: `user:${agency.staff.ada}`, subject_id: row.id })
    const details = await db().selectFrom('audit_details').select('detail').execute()
    assert.ok(details.every(({ detail }) => !detail?.includes(fresh.key) && !detail?.includes(fresh.password)))
  })

  test('issues nothing twice, and says beside the field what is wrong', async () => {
    const before = (await db().selectFrom('keys').select('id').execute()).length
    const newest = hidden('newest', (await ada.get(path)).text)
    assert.equal((await send(ada, path, { do: 'issue', newest, label: 'Once', scope: 'report' })).status, 200)
    const again = await send(ada, path, { do: 'issue', newest, label: 'Once', scope: 'report' })
    assert.equal(again.status, 422)
    assert.match(again.text, /changed this meanwhile.*value="Once"/s)
    for (const [fields, said] of [
      [{ label: 'A' }, 'Please tick what it may do'],
      [{ label: 'A', scope: 'everything' }, 'Please tick what it may do'],
      [{ scope: 'report', customers: 'Nobody' }, 'There is no customer of one of these names'],
      [{ scope: 'report', customers: 'Globex' }, 'There is no customer of one of these names'],
      [{ scope: 'report', days: 'soon' }, 'Please type a number of days'],
      [{ scope: 'report', days: '0' }, 'must be from 1 to 3650'],
    ] as const) {
      const refused = await issue(fields)
      assert.equal(refused.status, 422, said)
      assert.ok(refused.text.includes(said), said)
    }
    assert.equal((await db().selectFrom('keys').select('id').execute()).length, before + 1)
  })

  test('rotates a key once, and revokes one with all that were issued with it', async () => {
    const others = await foreign()
    const old = shownKey((await issue({ label: 'Old', scope: 'provision' })).text)
    const { id } = await keyRow(old.part)
    const form = { do: 'rotate', key: String(id), grace_days: '0', was: hidden('was', (await ada.get(`${path}?key=${id}`)).text) }
    const fresh = shownKey((await send(ada, path, form)).text)
    assert.equal(await status(fresh.credentials, '/api/accounts.json'), 200)
    assert.equal(await status(old.credentials, '/api/accounts.json'), 401)
    assert.match((await send(ada, path, form)).text, /changed this meanwhile/)
    assert.match((await ada.get(`${path}?show=ended`)).text, /Old/)
    const { id: next } = await keyRow(fresh.part)
    const child = await issueKey(service.operator, agency.world.partnerId, { label: 'Child', issued_by: next })
    assert.match((await ada.get(`${path}?key=${next}`)).text, /1 key that was issued with it/)
    const revoke = { do: 'revoke', key: String(next) }
    assert.match((await send(ada, path, revoke)).text, /Please tick/)
    assert.equal(await status(fresh.credentials, '/api/accounts.json'), 200)
    assert.equal((await send(ada, path, { ...revoke, sure: 'yes' })).headers.location, `${path}?done=revoked`)
    for (const one of [fresh.credentials, `${child.key}:${child.password}`]) assert.equal(await status(one, '/api/accounts.json'), 401)
    assert.deepEqual(await foreign(), others)
    for (const one of others) {
      assert.equal((await ada.get(`${path}?key=${one.id}`)).status, 404)
      for (const action of ['rotate', 'revoke'])
        assert.equal((await send(ada, path, { ...form, do: action, key: String(one.id), sure: 'yes' })).status, 404, action)
    }
    assert.deepEqual(await foreign(), others)
  })

  test('draws how much the keys are used, of this partner alone', async () => {
    const { record } = await issueKey(service.operator, agency.world.partnerId, { label: 'Used' })
    const [other] = await foreign()
    const day = service.app.clock.now().slice(0, 10)
    const used = { day, requests: 4321, refused: 21, rate_limited: 0, records: 77 }
    await service.app.store.write((tx) =>
      tx
        .insertInto('usage_days')
        .values([
          { ...used, partner_id: agency.world.partnerId, key_id: record.id },
          { ...used, requests: 98_765, partner_id: other?.partner_id ?? 0, key_id: other?.id ?? 0 },
        ])
        .execute(),
    )
    const { text } = await ada.get(path)
    assert.match(text, /id="usage".*4,3\d\d requests in 31 days, \d+ of them refused/s)
    assert.match(text, /<svg class="spark".*4,321/s)
    assert.doesNotMatch(text, /98,765/)
  })

  test('turns everything for a client of 2012 on and off, and tells when it is set apart', async () => {
    const settings = async (id: number) =>
      db().selectFrom('partners').select(['names', 'key_alone', 'taken_per_hour']).where('id', '=', id).executeTakeFirstOrThrow()
    const globex = (await foreign())[0]?.partner_id ?? 0
    const others = await settings(globex)
    const switched = async (wanted: string) => {
      const { text } = await ada.get(path)
      const was = hidden('was', text.slice(text.indexOf('This partner has a client of 2012')))
      return send(ada, path, { do: 'switch', wanted, was })
    }
    assert.match((await ada.get(path)).text, /set apart from each other.*opens reports.*at most 1,000 an hour/s)
    assert.equal((await switched('yes')).headers.location, `${path}?done=switched`)
    assert.deepEqual(await settings(agency.world.partnerId), { names: 'legacy', key_alone: 1, taken_per_hour: 0 })
    assert.match((await ada.get(path)).text, /On: all three/)
    const { key } = shownKey((await issue({ scope: 'report', label: '2012' })).text)
    assert.match((await service.stranger.get('/api/seo_report.xml', { credentials: `${key}:`, mayBeIllFormed: true })).text, /<\d+>/)
    assert.equal((await switched('no')).status, 303)
    assert.deepEqual(await settings(agency.world.partnerId), { names: null, key_alone: 0, taken_per_hour: null })
    assert.match((await ada.get(path)).text, /Off: none/)
    assert.equal(await status(`${key}:`, '/api/seo_report.xml'), 401)
    await setPartner(service.operator, agency.world.partnerId, { taken_per_hour: 50 })
    const late = await send(ada, path, { do: 'switch', wanted: 'yes', was: '[null,0,null]' })
    assert.match(late.text, /changed this meanwhile/)
    assert.match(late.text, /at most 50 an hour/)
    assert.deepEqual(await settings(globex), others)
    const entries = await db().selectFrom('audit_entries').select('actor').where('action', '=', 'partner.set').orderBy('id').execute()
    assert.deepEqual(
      entries.map(({ actor }) => actor),
      [`user:${agency.staff.ada}`, `user:${agency.staff.ada}`, 'operator'],
    )
  })

  test('names the origins whose pages read with tokens, exactly, and says beside the field what is none', async () => {
    const save = async (origins: string) => {
      const was = hidden('was', (await ada.get(path)).text.split('Pages that show figures')[1] ?? '')
      return send(ada, path, { do: 'origins', origins, was })
    }
    const stored = async () => (await db().selectFrom('partners').select('origins').where('name', '=', 'Acme').executeTakeFirst())?.origins
    for (const wrong of [
      'http://portal.example',
      'https://portal.example/',
      'https://Portal.example',
      'https://*.example',
      'portal.example',
    ])
      assert.match((await save(wrong)).text, /Please type origins such as https:\/\/portal\.example, without a path\./, wrong)
    assert.match((await save(Array.from({ length: 21 }, (_, n) => `https://p${n}.example`).join('\n'))).text, /maximum is 20/)
    const before = await stored()
    assert.equal((await save('https://shop.example:8443\nhttps://portal.example\n')).status, 303)
    assert.equal(await stored(), 'https://portal.example https://shop.example:8443')
    assert.match((await ada.get(path)).text, /https:\/\/portal\.example\nhttps:\/\/shop\.example:8443<\/textarea>/)
    assert.match(
      (await send(ada, path, { do: 'origins', origins: '', was: 'https://earlier.example' })).text,
      /Somebody else has changed this meanwhile/,
    )
    assert.equal((await save('')).status, 303)
    assert.deepEqual([before, await stored()], [null, null])
  })
})

onEngine('sqlite', 'the page of developers, in a browser', (place) => {
  const { service } = agencyOn(place)
  const browser = testBrowser()

  for (const hasScript of [true, false])
    test(`issues, rotates and revokes a key ${hasScript ? 'with' : 'without'} script`, async () => {
      const { page, context, mishaps, close } = await browser.enter(service.url, 'ada-desk', { hasScript })
      await page.goto(`${service.url}${path}`)
      const name = `Sheets ${hasScript}`
      await page.getByLabel('What it is for').fill(name)
      await page.getByRole('button', { name: 'Issue the key' }).click()
      const key = (await page.getByRole('group', { name: 'Key', exact: true }).textContent()) ?? ''
      assert.match(key, /^mq_/)
      if (hasScript) {
        await context.grantPermissions(['clipboard-read', 'clipboard-write'])
        await page.getByRole('button', { name: 'Copy: Password' }).click()
        await page.getByText('Copied').waitFor()
        assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^mqs_/)
      } else assert.equal(await page.getByRole('button', { name: /^Copy/ }).count(), 0)
      await page.getByRole('link', { name: 'To the keys' }).click()
      await page.getByRole('button', { name: 'Rotate' }).click()
      await page.getByRole('heading', { name: 'The new key' }).waitFor()
      await page.getByRole('link', { name: 'To the keys' }).click()
      await page.getByLabel('may stop at once').check()
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('The key no longer works').waitFor()
      assert.deepEqual(mishaps, [])
      await close()
    })
})
