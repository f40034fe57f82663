/** Bad input, one sentence a case: refused with the right status and code, in both formats, and nothing is changed by it. */
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
  test('no email', creating({ email: undefined }, ['email blank'], /Email can't be blank/))
  test('no password', creating({ password: undefined }, ['password blank']))
  test('no login', creating({ login: undefined }, ['login blank']))
  test('no account', creating({ account_id: undefined }, ['account_id blank'], /Account can't be blank/))
  test('a blank email and login', creating({ email: '  ', login: '' }, ['email blank', 'login blank']))
  test('a login of four characters', creating({ login: 'four' }, ['login too_short'], /Login is too short \(minimum is 5 characters\)/))
  test('a login of 101 characters', creating({ login: 'x'.repeat(101) }, ['login too_long']))
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
  test('an account that is not a number', creating({ account_id: 'abc' }, ['account_id not_an_integer'], /Account must be an integer/))
  test('an account of one and a half', creating({ account_id: '1.5' }, ['account_id not_an_integer']))
  for (const id of ['0', '-1', '9223372036854775808', '9007199254740992', '123456789012345678901234567890']) {
    test(`an account with the id ${id}`, creating({ account_id: id }, ['account_id does_not_exist'], /Account does not exist/))
  }
  test('an account nobody has', creating({ account_id: 999_999 }, ['account_id does_not_exist']))
  test("another partner's account", async () => {
    await creating({ account_id: globex.accountId }, ['account_id does_not_exist'])()
    const body = JSON.stringify({ name: 'Ours', account_id: globex.accountId })
    await refused('POST', '/api/businesses', 422, ['account_id does_not_exist'], { body, type: json })
  })

  test('JSON values of the wrong type', async () => {
    const body = JSON.stringify({ email: 5, password: true, login: ['dana'], account_id: { id: 1 } })
    const expected = ['email invalid', 'password invalid', 'login invalid', 'account_id not_an_integer']
    await refused('POST', '/api/users', 422, expected, { body, type: json })
  })
  test('XML elements inside a field', async () => {
    const body = xmlOf('user', newPerson(acme.accountId)).replace(/<login>.*<\/login>/, '<login><b>dana</b></login>')
    await refused('POST', '/api/users', 422, ['login invalid'], { body, type: xml })
  })
  for (const [what, sent] of Object.entries({ NUL: '\0', 'a bell': '\u0007', 'a lone surrogate': '\ud800', 'U+FFFF': '\uffff' })) {
    test(`${what} in a JSON value`, async () => {
      const body = JSON.stringify(
        newPerson(acme.accountId, { email: `da${sent}na@example.com`, password: `secret${sent}`, login: `danas${sent}` }),
      )
      await refused('POST', '/api/users', 422, ['email invalid', 'password invalid', 'login invalid'], { body, type: json })
      await refused('POST', '/api/businesses', 422, ['name invalid'], { body: JSON.stringify({ name: `a${sent}` }), type: json })
    })
  }
  test('NUL in a form value', async () => {
    await refused('POST', '/api/businesses', 422, ['name invalid'], { body: 'name=a%00b', type: form })
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
  for (const id of [1.5, 'abc', true, [1]]) {
    test(`an ability on the id ${JSON.stringify(id)}`, setting([show('Account', id)], ['abilities not_an_integer']))
  }
  test('an ability without its fields', setting([{}], ['abilities blank', 'abilities blank', 'abilities blank']))
  test('an ability that is no object', setting(['show', null, 1], ['abilities invalid', 'abilities invalid', 'abilities invalid']))
  test('abilities that are no list', async () => {
    for (const abilities of ['show', 1, { 0: show('Account', 1) }, { abilities: [] }]) await setting(abilities, ['abilities invalid'])()
    await setting(null, ['abilities blank'])()
    await setting(undefined, ['abilities blank'])()
  })
  test('1,001 abilities', async () => {
    await setting(Array(1001).fill(show('Account', acme.accountId)), ['abilities too_many'])()
  })
  test('merge and remove together', async () => {
    await refused('PUT', `/api/users/${dana.id}/abilities?merge&remove=1`, 400, ['bad_request'], { body: '{"abilities":[]}', type: json })
  })
  test('a flag that is neither yes nor no, or given twice', async () => {
    for (const query of ['merge=maybe', 'remove=2', 'merge=%20', 'merge=1&merge=1']) {
      await refused('PUT', `/api/users/${dana.id}/abilities?${query}`, 400, ['bad_request'], { body: '{"abilities":[]}', type: json })
    }
  })

  for (const id of [
    '999999',
    '0',
    '-1',
    '1.5',
    '9223372036854775808',
    '9007199254740991',
    '9007199254740992',
    'abc',
    '1e3',
    '007',
    '+1',
    '%31',
    '%00',
    '１',
  ]) {
    test(`the id ${id} in a path`, async () => {
      const path = encodeURI(id).replaceAll('%25', '%')
      for (const [method, address, noun] of [
        ['GET', `/api/users/${path}`, 'User'],
        ['GET', `/api/users/${path}/abilities`, 'User'],
        ['PUT', `/api/users/${path}/abilities`, 'User'],
        ['GET', `/api/businesses/${path}`, 'Business'],
        ['GET', `/api/businesses/${path}/deactivate`, 'Business'],
        ['POST', `/api/businesses/${path}/reactivate`, 'Business'],
      ] as const) {
        const question = method === 'PUT' ? { body: '{"abilities":[]}', type: json } : {}
        const reply = await refused(method, address, 404, ['not_found'], question)
        assert.match(reply.text, new RegExp(`${noun} not found`))
      }
    })
  }
  test('an address that does not exist', async () => {
    for (const path of ['/api/nothing', '/api/users/1/nothing', '/api/', '/api/users/', '/api//users', '/api/Users', '/businesses/1']) {
      assert.deepEqual(codes(await acme.get(path), 404), ['not_found'], path)
    }
  })
  test('a cursor that this service did not give out', async () => {
    for (const after of ['abc', '', 'after:1', Buffer.from('after:x').toString('base64url')]) {
      await refused('GET', `/api/users?after=${after}`, 400, ['bad_request'])
    }
    await refused('GET', '/api/users?login=a&login=b', 400, ['bad_request'])
  })

  const wrongMethods = [
    ['DELETE', '/api/users', 'GET, HEAD, POST'],
    ['PUT', '/api/users', 'GET, HEAD, POST'],
    ['PATCH', '/api/users/1', 'DELETE, GET, HEAD, PUT'],
    ['POST', '/api/users/1/abilities', 'GET, HEAD, PUT'],
    ['DELETE', '/api/businesses/1/deactivate', 'GET, POST'],
    ['PUT', '/api/businesses/1/reactivate', 'GET, POST'],
    ['GET', '/businesses', 'POST'],
    ['PROPFIND', '/api/accounts', 'GET, HEAD, POST'],
  ] as const
  for (const [method, path, allow] of wrongMethods) {
    test(`${method} ${path}`, async () => {
      const reply = await refused(method, path, 405, ['method_not_allowed'])
      assert.equal(reply.headers.allow, allow)
    })
  }

  for (const extension of ['html', 'csv', 'yaml', 'XML', 'xmlx', 'json5']) {
    test(`the extension .${extension}`, async () => {
      assert.deepEqual(codes(await acme.get(`/api/users.${extension}`), 406), ['not_acceptable'])
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
