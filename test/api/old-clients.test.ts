/** The oldest clients of the interface still work: what they send, and how they send it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { form, formOf, newPerson, xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { basic, type Reply, serviceOn, type TestPartner } from '../support/service.ts'
import { xmlTexts } from '../support/xml.ts'

onEachEngine('an old client', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
  })

  const bytes = (text: string) => Buffer.from(text)
  const userXml = () => xmlOf('user', newPerson(acme.accountId))
  const isCreated = ({ status, text }: Reply) => assert.equal(status, 201, text)

  test('posts XML without a Content-Type', async () => {
    isCreated(await acme.ask('POST', '/api/users.xml', { body: userXml() }))
  })

  test('posts XML that is labelled a form, with blanks before the declaration', async () => {
    isCreated(await acme.ask('POST', '/api/users.xml', { body: ` \r\n\t ${userXml()}`, type: form }))
  })

  test('posts XML with a byte order mark', async () => {
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes(userXml())])
    isCreated(await acme.post('/api/users.xml', body))
    isCreated(await acme.ask('POST', '/api/businesses.xml', { body: `\ufeff ${xmlOf('business', { name: 'Mark' })}`, type: form }))
  })

  test('posts JSON that is labelled a form or nothing', async () => {
    const body = () => `\n ${JSON.stringify({ user: newPerson(acme.accountId) })}`
    isCreated(await acme.ask('POST', '/api/users.xml', { body: body(), type: form }))
    isCreated(await acme.ask('POST', '/api/users.xml', { body: body() }))
  })

  for (const type of ['application/xml', 'text/xml', 'application/x-xml', 'application/xml; charset=utf-8', 'TEXT/XML;charset=UTF-8']) {
    test(`posts XML as ${type}`, async () => {
      isCreated(await acme.post('/api/users.xml', userXml(), { type }))
    })
  }

  test('writes account_id with a hyphen or an underscore, in XML, forms and JSON', async () => {
    const { account_id, ...person } = newPerson(acme.accountId)
    const underscored = `<user><email>${person.email}</email><password>correct horse</password><login>${person.login}</login><account_id>${account_id}</account_id></user>`
    isCreated(await acme.post('/api/users.xml', underscored))
    isCreated(await acme.post('/api/users.xml', userXml()))
    for (const name of ['account_id', 'account-id']) {
      const { account_id: id, ...rest } = newPerson(acme.accountId)
      isCreated(await acme.ask('POST', '/api/users.xml', { body: formOf({ ...rest, [name]: id }), type: form }))
      const { account_id: other, ...another } = newPerson(acme.accountId)
      isCreated(await acme.post('/api/users.json', { user: { ...another, [name]: other } }))
    }
  })

  test('posts a form, flat or nested under the root', async () => {
    isCreated(await acme.ask('POST', '/api/users.xml', { body: formOf(newPerson(acme.accountId)), type: form }))
    isCreated(await acme.ask('POST', '/api/users.xml', { body: formOf(newPerson(acme.accountId), 'user'), type: form }))
    isCreated(await acme.ask('POST', '/businesses.xml', { body: 'business[name]=Bob+%26+Co', type: form }))
  })

  test('posts JSON, flat or nested under the root', async () => {
    isCreated(await acme.post('/api/users.json', newPerson(acme.accountId)))
    isCreated(await acme.post('/api/users.json', { user: newPerson(acme.accountId) }))
  })

  test('sends types the way its library does', async () => {
    const { email, login } = newPerson(acme.accountId)
    const body = `<user><email type="string">${email}</email><password type="yaml">--- secret</password><login type="symbol">${login}</login><name nil="true"/><account-id type="integer"> ${acme.accountId} </account-id></user>`
    const created = await acme.post('/api/users.xml', body)
    isCreated(created)
    assert.deepEqual(xmlTexts(created.text, '/user/login'), [login])
  })

  test('sends CDATA, comments and character references', async () => {
    const body = '<business><!-- ours --><name><![CDATA[Bob & ]]>&lt;Co&gt; &#169;</name></business>'
    const created = await acme.post('/businesses.xml', body)
    assert.deepEqual(xmlTexts(created.text, '/business/name'), ['Bob & <Co> ©'])
  })

  test('names its key with a colon and no password, or without a colon: both are the key alone', async () => {
    for (const authorization of [basic(`${acme.key}:`), basic(acme.key)]) {
      const reply = await house.stranger.get('/api/users.xml', { headers: { authorization } })
      assert.equal(reply.status, 401)
    }
  })

  test('writes the scheme in any case', async () => {
    for (const scheme of ['Basic', 'basic', 'BASIC']) {
      const authorization = basic(acme.credentials).replace('Basic', scheme)
      assert.equal((await house.stranger.get('/api/users.xml', { headers: { authorization } })).status, 200)
    }
  })

  test('asks for merge and remove with and without a value', async () => {
    const { id } = ((await acme.post('/api/users.json', newPerson(acme.accountId))).json() as { user: { id: number } }).user
    const path = `/api/users/${id}/abilities.json`
    const show = [{ key: 'show', scope_type: 'Account', scope_id: acme.accountId }]
    for (const query of ['?merge', '?merge=1', '?merge=', '?merge=true', '?merge=YES', '?merge=on']) {
      assert.deepEqual((await acme.put(path + query, { abilities: show })).json(), { abilities: show }, query)
      assert.deepEqual((await acme.put(path + query, { abilities: [] })).json(), { abilities: show }, query)
    }
    for (const query of ['?remove', '?remove=true', '?remove=', '?remove=1', '?remove=Yes', '?remove=ON']) {
      await acme.put(`${path}?merge`, { abilities: show })
      assert.deepEqual((await acme.put(path + query, { abilities: show })).json(), { abilities: [] }, query)
    }
    for (const word of ['0', 'false', 'no', 'OFF']) {
      assert.deepEqual((await acme.put(`${path}?merge=${word}&remove=${word}`, { abilities: show })).json(), { abilities: show }, word)
      assert.deepEqual((await acme.put(`${path}?remove=${word}`, { abilities: [] })).json(), { abilities: [] }, word)
    }
  })

  test('sends abilities in XML and as a form, with and without indexes', async () => {
    const { id } = ((await acme.post('/api/users.json', newPerson(acme.accountId))).json() as { user: { id: number } }).user
    const { business } = (await acme.post('/api/businesses.json', { name: 'Bob' })).json() as { business: { id: number } }
    const account = { key: 'show', scope_type: 'Account', scope_id: acme.accountId }
    const both = [account, { key: 'show', scope_type: 'Business', scope_id: business.id }]
    const items = both.map((ability) => xmlOf('ability', ability).split('\n').slice(1).join('\n')).join('')
    const path = `/api/users/${id}/abilities.json`
    const set = async (body: string, type: string) => (await acme.put(path, body, { type })).json()
    assert.deepEqual(await set(`<abilities type="array">${items}</abilities>`, 'application/xml'), { abilities: both })
    assert.deepEqual(await set('<abilities type="array"/>', 'application/xml'), { abilities: [] })
    const indexed = both.flatMap((ability, index) =>
      Object.entries(ability).map(([name, value]) => `abilities[${index}][${name}]=${value}`),
    )
    assert.deepEqual(await set(indexed.join('&'), form), { abilities: both })
    const unindexed = both.flatMap((ability) => Object.entries(ability).map(([name, value]) => `abilities[][${name}]=${value}`))
    assert.deepEqual(await set(unindexed.join('&'), form), { abilities: both })
  })
})
