/** Bad input that the tables cannot tell of, one sentence a case, in XML, JSON and forms; bad-requests.test.ts has what they tell. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { form, formOf, newPerson, type Person, xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { codes, refusal, refusedInBoth } from '../support/refusals.ts'
import { type Question, serviceOn, type TestPartner } from '../support/service.ts'

const json = 'application/json'
const xml = 'application/xml'

onEachEngine('bad input', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  let dana: { id: number; email: string; login: string }
  let ours: number
  let theirs: number

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
    const created = await acme.post('/api/users.json', newPerson(acme.accountId, { email: 'Dana@Example.com', login: 'dana.scully' }))
    dana = (created.json() as { user: typeof dana }).user
    ours = await newBusiness(acme)
    theirs = await newBusiness(globex)
  })

  async function newBusiness(partner: TestPartner): Promise<number> {
    const { business } = (await partner.post('/api/businesses.json', { name: 'Some' })).json() as { business: { id: number } }
    return business.id
  }

  const refused = (method: string, path: string, status: number, expected: string[], question?: Question) =>
    refusedInBoth(acme, method, path, status, expected, question)

  const creating = (changes: Person, expected: string[], says?: RegExp) => async () => {
    const person = newPerson(acme.accountId, changes)
    for (const [body, type] of [
      [xmlOf('user', person), xml],
      [JSON.stringify(person), json],
      [formOf(Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined)), 'user'), form],
    ] as const) {
      const reply = await refused('POST', '/api/users', 422, expected, { body, type })
      if (says !== undefined) assert.match(reply.text, says)
    }
  }

  test('no body at all', async () => {
    const blanks = ['email blank', 'password blank', 'login blank', 'account_id blank']
    await refused('POST', '/api/users', 422, blanks)
    await refused('POST', '/api/users', 422, blanks, { body: '  \n', type: xml })
    await refused('POST', '/api/users', 422, blanks, { body: '<user/>', type: xml })
    await refused('POST', '/api/users', 422, blanks, { body: '{}', type: json })
    await refused('POST', '/api/businesses', 422, ['name blank'], { body: '<business/>', type: xml })
  })
  test('a blank email and login', creating({ email: '  ', login: '' }, ['email blank', 'login blank']))
  test('a login of four characters', creating({ login: 'four' }, ['login too_short'], /Login is too short \(minimum is 5 characters\)/))
  test('a password of five characters', creating({ password: '12345' }, ['password too_short'], /minimum is 6 characters/))
  test(
    'a password of five emoji, which are more bytes and code units',
    creating({ password: '\u{1f4a9}'.repeat(5) }, ['password too_short']),
  )
  test('a password of 1025 bytes', creating({ password: `x${'é'.repeat(512)}` }, ['password too_long'], /maximum is 1024 bytes/))
  test('an email that does not look like one', creating({ email: 'bob' }, ['email invalid'], /Email should look like an email address/))
  test('an email of 255 characters', creating({ email: `${'x'.repeat(243)}@example.com` }, ['email too_long']))
  test('a login with a blank', creating({ login: 'dana scully' }, ['login invalid'], /Login is invalid/))
  test('a login with blanks around it', creating({ login: ' danascully ' }, ['login invalid']))
  test('an account nobody has', creating({ account_id: 999_999 }, ['account_id does_not_exist']))
  test("another partner's account", async () => {
    await creating({ account_id: globex.accountId }, ['account_id does_not_exist'])()
    const body = JSON.stringify({ name: 'Ours', account_id: globex.accountId })
    await refused('POST', '/api/businesses', 422, ['account_id does_not_exist'], { body, type: json })
  })

  test('XML elements inside a field', async () => {
    const body = xmlOf('user', newPerson(acme.accountId)).replace(/<login>.*<\/login>/, '<login><b>dana</b></login>')
    await refused('POST', '/api/users', 422, ['login invalid'], { body, type: xml })
  })
  test('U+FFFF in a form value', async () => {
    await refused('POST', '/api/businesses', 422, ['name invalid'], { body: 'name=a%EF%BF%BFb', type: form })
  })
  test('a business name that is blank or longer than 255', async () => {
    await refused('POST', '/api/businesses', 422, ['name blank'], { body: JSON.stringify({ name: ' \t ' }), type: json })
    await refused('POST', '/api/businesses', 422, ['name too_long'], { body: JSON.stringify({ name: 'x'.repeat(256) }), type: json })
  })

  test('an email that is taken', creating({ email: 'Dana@Example.com' }, ['email taken'], /Email has already been taken/))
  test('an email that is taken, in another case', creating({ email: 'DANA@EXAMPLE.COM' }, ['email taken']))
  test('an email that is taken, with blanks around it', creating({ email: '  dana@example.com\t' }, ['email taken']))
  test('an email that is taken, in full-width letters', creating({ email: 'ｄａｎａ@ｅｘａｍｐｌｅ.com' }, ['email taken']))
  test('a login that is taken, in another case and in full-width letters', async () => {
    await creating({ login: 'DANA.Scully' }, ['login taken'], /Login has already been taken/)()
    await creating({ login: 'ｄａｎａ.ｓｃｕｌｌｙ' }, ['login taken'])()
  })
  test("a login that is another's email", creating({ login: 'dana@example.com' }, ['login invalid']))
  test('a login with an @ in full width', creating({ login: 'dana＠example.com' }, ['login invalid']))
  test(
    'a login and an email that are both taken',
    creating({ email: 'dana@example.com', login: 'dana.scully' }, ['email taken', 'login taken']),
  )

  const setting = (abilities: unknown, expected: string[]) => async () => {
    await refused('PUT', `/api/users/${dana.id}/abilities`, 422, expected, { body: JSON.stringify({ abilities }), type: json })
    assert.deepEqual((await acme.get(`/api/users/${dana.id}/abilities.json`)).json(), { abilities: [] })
  }
  const show = (scope_type: unknown, scope_id: unknown) => ({ key: 'show', scope_type, scope_id })

  test('an ability with a foreign scope among good ones changes nothing', async () => {
    const mixed = [show('Account', acme.accountId), show('Business', theirs), show('Business', ours)]
    await setting(mixed, ['abilities does_not_exist'])()
    const reply = await acme.put(`/api/users/${dana.id}/abilities.json?merge`, { abilities: mixed })
    assert.deepEqual(
      refusal(reply, 422).map(({ pointer }) => pointer),
      ['/abilities/1/scope_id'],
    )
  })
  test('an ability with another key', setting([{ ...show('Account', 1), key: 'edit' }], ['abilities inclusion']))
  test('an ability with another scope type', setting([show('User', 1)], ['abilities inclusion']))
  test('an ability on nothing', setting([show('Site', 1)], ['abilities does_not_exist']))
  for (const id of [0, -1, '9223372036854775808', 2 ** 53]) {
    test(`an ability on the id ${id}`, setting([show('Account', id)], ['abilities does_not_exist']))
  }
  test('an ability without its fields', setting([{}], ['abilities blank', 'abilities blank', 'abilities blank']))
  test('an ability that is no object', setting(['show', null, 1], ['abilities invalid', 'abilities invalid', 'abilities invalid']))
  test('abilities that are no list', async () => {
    for (const abilities of ['show', 1, { 0: show('Account', 1) }, { abilities: [] }]) await setting(abilities, ['abilities invalid'])()
    await setting(null, ['abilities blank'])()
    await setting(undefined, ['abilities blank'])()
  })
  test('merge and remove together', async () => {
    await refused('PUT', `/api/users/${dana.id}/abilities?merge&remove=1`, 400, ['bad_request'], { body: '{"abilities":[]}', type: json })
  })
  test('an address that does not exist', async () => {
    for (const path of ['/api/nothing', '/api/users/1/nothing', '/api/', '/api/users/', '/api//users', '/api/Users', '/businesses/1']) {
      assert.deepEqual(codes(await acme.get(path), 404), ['not_found'], path)
    }
  })
  const wrongMethods = [
    ['DELETE', '/api/users', 'GET, HEAD, POST'],
    ['PATCH', '/api/users/1', 'DELETE, GET, HEAD, PUT'],
    ['DELETE', '/api/businesses/1/deactivate', 'GET, POST'],
    ['GET', '/businesses', 'POST'],
  ] as const
  for (const [method, path, allow] of wrongMethods) {
    test(`${method} ${path} is told what may be done there`, async () => {
      assert.equal((await refused(method, path, 405, ['method_not_allowed'])).headers.allow, allow)
    })
  }

  for (const extension of ['html', 'csv', 'yaml', 'XML', 'xmlx', 'json5']) {
    test(`the extension .${extension}`, async () => {
      assert.deepEqual(codes(await acme.get(`/api/users/1.${extension}`), 406), ['not_acceptable'])
    })
  }

  test('a wrong password on a GET', async () => {
    const reply = await refused('GET', '/api/users', 401, ['unauthorized'], { credentials: `${acme.key}:wrong` })
    assert.equal(reply.headers['www-authenticate'], 'Basic realm="Marquee", charset="UTF-8"')
  })
  test('a form posted from a page of another site with credentials', async () => {
    const body = formOf(newPerson(acme.accountId))
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ]) {
      await refused('POST', '/api/users', 403, ['forbidden'], { body, type: form, headers })
    }
  })
})
