/** Files dropped at the desk: streamed to the disk like uploads of programs, stored for the customer that is named, and gone without a trace if anything is wrong. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { removeUpload } from '../../../src/model/intakes/upload-files.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { nastyForms, nastyToken } from '../../hard/support/nasty-forms.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { formEnding, formField, formFields, formFile, formType } from '../../support/form-with-file.ts'
import { makePeople, type PeopleWorld, password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { serviceOn } from '../../support/service.ts'

const maxBytes = 64 * 1024
const ours = { 'sec-fetch-site': 'same-origin' }

onPageEngine('a file dropped at the desk', (place) => {
  const service = serviceOn(place, { MARQUEE_MAX_UPLOAD: '64KiB' })
  let world: PeopleWorld
  const path = '/desk/data'
  const db = () => service.app.store.db

  before(async () => {
    world = await makePeople(service.operator)
    const partner = db().selectFrom('partners').select('account_id').where('id', '=', world.partnerId)
    const own = (await partner.executeTakeFirstOrThrow()).account_id ?? 0
    await colleague('ben-desk', own, 'all')
    const mia = await colleague('mia-desk', own, 'assigned')
    const garage = (await createAccount(service.operator, world.partnerId, 'Northside Garages')).id
    await service.app.store.write((tx) => tx.updateTable('accounts').set({ looked_after_by: mia }).where('id', '=', garage).execute())
  })

  const colleague = async (login: string, accountId: number, customers: 'all' | 'assigned') => {
    const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: accountId })
    const { id } = await createUser(service.operator, draft)
    await appointStaff(service.operator, world.partnerId, id, { role: 'member', customers })
    return id
  }
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const send = (browser: PlainBrowser, body: string | Buffer, headers: Record<string, string> = {}) =>
    service.stranger.ask('POST', path, {
      body,
      type: formType,
      headers: { cookie: browser.cookie, accept: 'text/html', ...ours, ...headers },
    })
  const csv = (site: string, rows = 2) =>
    [
      'site,phrase,search_engine,locale,ranked_at,rank',
      ...Array.from({ length: rows }, (_, n) => `${site},tyres ${n},Google,en-us,2026-11-14,${n + 1}`),
    ].join('\n')
  const left = () => {
    try {
      return readdirSync(join(place.folder, 'uploads')).filter((name) => name !== 'host')
    } catch {
      return []
    }
  }
  /** What was kept because something is still to be said of it. */
  const discardAll = async () => {
    await service.app.store.write((tx) => tx.deleteFrom('deliveries').execute())
    for (const name of left()) await removeUpload(service.app.settings, name)
  }
  const intakes = () => db().selectFrom('intakes').select(['id', 'account_id', 'state', 'file_name', 'actor']).orderBy('id').execute()
  const stateOf = async (id: number) => (await intakes()).find((one) => one.id === id)?.state

  test('is stored for the customer named, and the page may be closed', async () => {
    const browser = await at('ben-desk')
    const form_token = await browser.token(path)
    const said = { form_token, customer: 'harbor DENTAL', make: 'yes' }
    const answer = await send(browser, formFields(said) + formFile('nové “ranks”.csv', csv('chicago.harbor.example')) + formEnding)
    const [, id = ''] = /^\/desk\/data\/(\d+)$/.exec(answer.headers.location ?? '') ?? []
    assert.equal(answer.status, 303, answer.text)
    await eventually(async () => (await stateOf(Number(id))) === 'stored')
    const { text } = await browser.get(`${path}/${id}`)
    assert.match(text, /nové “ranks”\.<wbr>csv.*Harbor Dental.*ben-desk.*This file is stored/s)
    const [one] = await intakes()
    assert.deepEqual([one?.account_id, one?.actor.startsWith('user:')], [world.accountId, true])
    await eventually(async () => left().length === 0)
    const audited = await db().selectFrom('audit_entries').select('actor').where('action', '=', 'intake.upload').execute()
    assert.deepEqual(audited, [{ actor: one?.actor }])
  })

  test('goes to the customers whose sites it names where no customer is named, for whoever has all of them', async () => {
    const browser = await at('ben-desk')
    const said = { form_token: await browser.token(path), customer: '', make: 'yes' }
    const { location = '' } = (await send(browser, formFields(said) + formFile('all.csv', csv('evanston.harbor.example')) + formEnding))
      .headers
    await eventually(async () => (await stateOf(Number(location.split('/').at(-1)))) === 'stored')
    const mia = await at('mia-desk')
    const hers = { form_token: await mia.token(path), customer: '' }
    const asked = await send(mia, formFields(hers) + formFile('all.csv', csv('evanston.harbor.example')) + formEnding)
    assert.match((await mia.get(asked.headers.location ?? '')).text, /Please say whose it is/)
    await discardAll()
  })

  test('keeps what was typed beside what is wrong, and leaves nothing behind', async () => {
    const browser = await at('mia-desk')
    const form_token = await browser.token(path)
    const before = (await intakes()).length
    // That customer is a colleague's.
    const foreign = await send(
      browser,
      formFields({ form_token, customer: 'Harbor Dental' }) + formFile('x.csv', csv('chicago.harbor.example')) + formEnding,
    )
    assert.equal(foreign.status, 422)
    assert.match(foreign.text, /Customer does not exist.*Please choose the files once more.*value="Harbor Dental"/s)
    const none = await send(browser, formFields({ form_token, customer: 'Northside Garages' }) + formFile('', '') + formEnding)
    assert.equal(none.status, 422)
    assert.match(none.text, /There was no file, or it was empty.*value="Northside Garages"/s)
    const forced = await send(
      browser,
      formFields({ form_token, customer: 'Northside Garages' }) + formFile('x.csv', csv('chicago.harbor.example')) + formEnding,
    )
    const id = Number(forced.headers.location?.split('/').at(-1))
    await eventually(async () => (await stateOf(id)) === 'refused')
    assert.equal((await intakes()).length, before + 1)
    await eventually(async () => left().length === 0)
  })

  test('is refused with a plain page if its form is not ours, broken, cut short or too large', async () => {
    const browser = await at('ben-desk')
    const form_token = await browser.token(path)
    const before = (await intakes()).length
    const good = formFields({ form_token, customer: '' })
    const content = formFile('x.csv', csv('chicago.harbor.example'))
    for (const [name, body, headers, status] of [
      ['no token', content + formEnding, {}, 403],
      ['the token after the file', content + good + formEnding, {}, 403],
      ['no token and no file', formFields({ customer: '' }) + formEnding, {}, 403],
      ['another site', good + content + formEnding, { 'sec-fetch-site': 'cross-site' }, 403],
      ['no end', good + content, {}, 400],
      ['an end within the file', (good + content).slice(0, -40), {}, 400],
      ['no form at all', 'x'.repeat(5_000), {}, 400],
      ['no boundary', good + content + formEnding, { 'content-type': 'multipart/form-data' }, 400],
      ['another type', good + content + formEnding, { 'content-type': 'text/csv' }, 415],
      ['a plain form', new URLSearchParams({ form_token }).toString(), { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['a large field', good + formField('note', 'x'.repeat(20_000)) + content + formEnding, {}, 413],
      ['many fields', good + formField('a', '').repeat(500) + content + formEnding, {}, 400],
      ['many files', good + formFile('x.csv', 'x').repeat(501) + formEnding, {}, 413],
      ['a large file', good + formFile('x.csv', 'x'.repeat(maxBytes + 1)) + formEnding, {}, 413],
    ] as const) {
      const { status: said, text } = await send(browser, body, headers)
      assert.equal(said, status, `${name}: ${text}`)
      assert.match(text, /<h1>/, name)
      assert.deepEqual(left(), [], name)
    }
    const large = await send(browser, good + formFile('x.csv', 'x'.repeat(3 << 20)) + formEnding).catch(() => null)
    if (large !== null) assert.equal(large.status, 413)
    assert.equal((await intakes()).length, before)
    assert.deepEqual(left(), [])
  })

  test('is taken apart in no time, however nasty', async () => {
    const browser = await at('ben-desk')
    const token = nastyToken(await browser.token(path))
    for (const { name, headers, body } of nastyForms) {
      const sent = Buffer.concat([token, body?.() ?? Buffer.alloc(0)])
      const answer = await send(browser, sent, headers).catch(() => null)
      assert.ok(answer === null || (answer.status < 500 && answer.status !== 403), `${name}: ${answer?.status}`)
    }
    await discardAll()
    await eventually(async () => left().length === 0)
  })

  test('whose sender goes away on the way is gone too', async () => {
    const browser = await at('ben-desk')
    const good = formFields({ form_token: await browser.token(path), customer: '' })
    const before = (await intakes()).length
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: marquee.test',
      `content-type: ${formType}`,
      `cookie: ${browser.cookie}`,
      'sec-fetch-site: same-origin',
    ]
    socket.write(
      `${head.join('\r\n')}\r\ncontent-length: 50000\r\n\r\n${good}${formFile('x.csv', csv('chicago.harbor.example', 200)).slice(0, 9_000)}`,
    )
    await eventually(async () => left().length === 1)
    socket.destroy()
    await eventually(async () => left().length === 0)
    assert.equal((await intakes()).length, before)
  })

  test('is not even received from anybody else', async () => {
    const owner = await at('dana-owner')
    const form_token = await owner.token('/password')
    assert.equal((await send(owner, formFields({ form_token, customer: '' }) + formFile('x.csv', 'x') + formEnding)).status, 404)
    const nobody = new PlainBrowser(service.stranger)
    const token = await nobody.token()
    const asked = await send(nobody, formFields({ form_token: token, customer: '' }) + formFile('x.csv', 'x') + formEnding)
    assert.match(asked.headers.location ?? '', /^\/login/)
    assert.deepEqual(left(), [])
  })
})
