/** Keys that only read, and keys sent as a bearer token: every endpoint of the table is tried, and nothing changes. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { briefUser, user } from '../../src/resources/user.ts'
import { onEachEngine, onPageEngine } from '../support/engines.ts'
import { fieldsLeftOut, nothingIsOpen, tryAll } from '../support/every-endpoint.ts'
import { type SampleWorld, sampleWorld } from '../support/sample-world.ts'
import { basic, serviceOn, type TestPartner } from '../support/service.ts'

onPageEngine('a key that only reads', (place) => {
  const house = serviceOn(place, { MARQUEE_REQUEST_LOG: 'off' })
  let [acme, globex]: SampleWorld[] = []
  let credentials: string

  before(async () => {
    ;[acme, globex] = [await sampleWorld(house, 'Acme'), await sampleWorld(house, 'Globexcanary')]
    const { key, password } = await issueKey(house.operator, acme.partnerId, { scopes: ['read'] })
    credentials = `${key}:${password}`
  })

  const isOpen = ({ method, path, changes, access }: Parameters<Parameters<typeof tryAll>[2]['isOpen']>[0]) =>
    method === 'GET' &&
    !changes &&
    access !== 'keys' &&
    access !== 'staff' &&
    access !== 'events' &&
    path !== 'export' &&
    !path.startsWith('tokens')

  test('reads what changes nothing, of its own partner, and is refused everything else', async () => {
    const { opened, refused } = await tryAll(
      house,
      { credentials },
      { isOpen, own: acme as SampleWorld, foreign: globex as SampleWorld, engine: place.engine },
    )
    assert.ok(opened > 40 && refused > 60, `${opened} opened, ${refused} refused`)
  })

  test('opens nothing without its password', async () => {
    await nothingIsOpen(house, { credentials: `${credentials.split(':')[0]}:` }, acme as SampleWorld)
  })

  test('gets users without what is made of the password, and what nothing uses any more', async () => {
    const names = Object.keys(user).filter((name) => !(name in briefUser))
    assert.deepEqual(names, fieldsLeftOut)
    const { user_id } = (acme as SampleWorld).values
    for (const path of [`users/${user_id}`, 'users'])
      for (const format of ['xml', 'json', 'csv'].slice(0, path === 'users' ? 3 : 2)) {
        const { status, text } = await house.stranger.get(`/api/${path}.${format}`, { credentials })
        assert.equal(status, 200, text)
        assert.match(text, /ana@acme\.example/)
        for (const name of names) assert.doesNotMatch(text, new RegExp(`\\b${name.replaceAll('_', '[-_]')}\\b`), `${path}.${format}`)
      }
    const full = await issueKey(house.operator, (acme as SampleWorld).partnerId, { scopes: ['provision', 'read'] })
    const { text } = await house.stranger.get(`/api/users/${user_id}.json`, { credentials: `${full.key}:${full.password}` })
    assert.match(text, /"crypted_password"/, 'the scope provision opens it as ever')
  })
})

onEachEngine('a bearer token of key and password', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
  })

  const asked = (authorization: string, path = '/api/accounts.json') => house.stranger.get(path, { headers: { authorization } })

  test('opens what Basic opens, and a key alone no more than there', async () => {
    assert.equal((await asked(`Bearer ${acme.credentials}`)).status, 200)
    assert.equal((await asked(`bearer  ${acme.credentials} `)).status, 200)
    assert.equal((await asked(`Bearer ${acme.key}`)).status, 401)
    assert.equal((await asked(`Bearer ${acme.key}`, '/api/seo_report.json')).status, 200)
  })

  test('is told of its own challenge when it is refused, while Basic gets the bytes that it knows', async () => {
    const old = 'Basic realm="Marquee", charset="UTF-8"'
    const challengeTo = async (authorization: string) => {
      const { status, headers } = await asked(authorization)
      assert.equal(status, 401)
      return headers['www-authenticate']
    }
    assert.equal(await challengeTo(basic(`${acme.key}:wrong`)), old)
    assert.equal(await challengeTo('Digest x'), old)
    assert.equal((await house.stranger.get('/api/accounts.json')).headers['www-authenticate'], old)
    for (const sent of [`${acme.key}:wrong`, 'nonsense', basic(acme.credentials).slice(6)])
      assert.equal(await challengeTo(`Bearer ${sent}`), `${old}, Bearer realm="Marquee", error="invalid_token"`)
  })
})
