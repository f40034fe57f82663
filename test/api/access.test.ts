/** Who may do what at the API: keys, passwords, scopes, and keys that are no longer good. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { AuthenticationError } from '../../src/client/client.ts'
import { issueKey, revokeKey, rotateKey } from '../../src/model/partners/keys/keys.ts'
import { resumePartner, setPartner, suspendPartner } from '../../src/model/partners/partners.ts'
import { newPerson } from '../support/bodies.ts'
import { marquee } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { withoutChance } from '../support/golden.ts'
import { codes } from '../support/refusals.ts'
import { basic, type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('a key', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
  })

  const publicPart = (key: string) => key.split('_')[1] ?? ''
  const ask = (credentials: string, path = '/api/users.xml') => house.stranger.get(path, { credentials })
  const users = (by: { key: string; password: string }) => house.client(by).listUsers().toArray()
  const withoutRequest = ({ status, headers, text }: Reply) => {
    const { date: _date, 'x-request-id': _id, ...rest } = headers
    return { status, headers: rest, text: withoutChance(text) }
  }

  test('that is unknown, revoked, expired, suspended or sent with a wrong password is refused in the same bytes', async () => {
    const [revoked, expired] = [
      await issueKey(house.operator, acme.id),
      await issueKey(house.operator, acme.id, { expires_at: '2026-01-01T00:00:00Z' }),
    ]
    await revokeKey(house.operator, publicPart(revoked.key))
    const initech = await house.partner('Initech')
    assert.equal((await ask(initech.credentials)).status, 200)
    await suspendPartner(house.operator, initech.id)
    const unknown = `${acme.key.slice(0, -1)}${acme.key.endsWith('0') ? '1' : '0'}`
    for (const extension of ['.xml', '.json']) {
      const refused = await Promise.all(
        [
          `${unknown}:${acme.password}`,
          `${revoked.key}:${revoked.password}`,
          `${expired.key}:${expired.password}`,
          initech.credentials,
          `${acme.key}:wrong`,
          `${acme.key}:${revoked.password}`,
          acme.key,
          `${acme.key}:`,
          ':',
          'nonsense',
        ].map(async (credentials) => withoutRequest(await ask(credentials, `/api/users${extension}`))),
      )
      for (const reply of refused) assert.deepEqual(reply, refused[0])
      assert.equal(refused[0]?.status, 401)
      assert.equal(refused[0]?.headers['www-authenticate'], 'Basic realm="Marquee", charset="UTF-8"')
    }
    await resumePartner(house.operator, initech.id)
    assert.equal((await ask(initech.credentials)).status, 200)
  })

  test('is read from the Authorization header only', async () => {
    for (const path of [`/api/users.xml?key=${acme.key}&password=${acme.password}`, `/api/users.xml?api_key=${acme.key}`]) {
      assert.deepEqual(codes(await house.stranger.get(path), 401), ['unauthorized'])
    }
    for (const authorization of [
      '',
      'Basic',
      'Basic !!!',
      `Bearer ${acme.key}`,
      `Digest ${acme.key}`,
      basic(acme.credentials).slice(6),
      `Basic ${'a'.repeat(5000)}`,
    ]) {
      assert.deepEqual(
        codes(await house.stranger.get('/api/users.xml', { headers: { authorization } }), 401),
        ['unauthorized'],
        authorization,
      )
    }
    const cookie = `session=${acme.key}; __Host-session=${acme.key}`
    assert.deepEqual(codes(await house.stranger.get('/api/users.xml', { headers: { cookie } }), 401), ['unauthorized'])
  })

  test('with a colon in its password is split at the first one', async () => {
    assert.deepEqual(codes(await ask(`${acme.credentials}:more`), 401), ['unauthorized'])
  })

  test('alone provisions nothing', async () => {
    for (const credentials of [acme.key, `${acme.key}:`]) {
      assert.equal((await acme.post('/api/users.json', newPerson(acme.accountId), { credentials })).status, 401)
      assert.equal((await acme.post('/businesses.json', { name: 'Bob' }, { credentials })).status, 401)
      assert.equal((await acme.put('/api/users/1/abilities.json', { abilities: [] }, { credentials })).status, 401)
      assert.equal((await acme.get('/api/businesses/1/deactivate.xml', { credentials })).status, 401)
    }
  })

  test('alone reads reports, unless the partner has switched that off', async () => {
    const reports = [
      '/api/seo_report.xml',
      `/api/accounts/${acme.accountId}/reputation_report/detail`,
      `/api/accounts/${acme.accountId}/reputation_report/counts.json`,
    ]
    const statuses = (credentials: string) => Promise.all(reports.map(async (path) => (await ask(credentials, path)).status))
    for (const credentials of [acme.key, `${acme.key}:`, acme.credentials]) assert.deepEqual(await statuses(credentials), [200, 200, 200])
    assert.deepEqual(await statuses(`${acme.key}:wrong`), [401, 401, 401])
    await setPartner(house.operator, acme.id, { key_alone: 0 })
    for (const credentials of [acme.key, `${acme.key}:`]) assert.deepEqual(await statuses(credentials), [401, 401, 401])
    assert.deepEqual(await statuses(acme.credentials), [200, 200, 200])
    await setPartner(house.operator, acme.id, { key_alone: 1 })
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['provision'] })
    for (const credentials of [key, `${key}:${password}`]) assert.deepEqual(await statuses(credentials), [403, 403, 403])
  })

  test('does only what its scopes say', async () => {
    for (const scopes of [['report'], ['ingest'], ['report', 'ingest']] as const) {
      const { key, password } = await issueKey(house.operator, acme.id, { scopes })
      assert.deepEqual(codes(await ask(`${key}:${password}`), 403), ['forbidden'], scopes.join())
    }
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['provision'] })
    assert.equal((await ask(`${key}:${password}`)).status, 200)
  })

  test('may live beside another, and lives on for a while after it was rotated', async () => {
    const first = await issueKey(house.operator, acme.id)
    const second = await rotateKey(house.operator, first.record.public_part)
    for (const key of [first, second]) await assert.doesNotReject(users(key))
    const third = await rotateKey(house.operator, second.record.public_part, 0)
    await assert.rejects(users(second), AuthenticationError)
    await assert.doesNotReject(users(third))
  })

  test('revoked by the command line, in a process of its own, is refused by the very next request', async () => {
    for (let round = 0; round < 3; round++) {
      const issued = await issueKey(house.operator, acme.id)
      for (let again = 0; again < 5; again++) await assert.doesNotReject(users(issued))
      const { code, stderr } = await marquee(place, 'key revoke', publicPart(issued.key))
      assert.equal(code, 0, stderr)
      await assert.rejects(users(issued), AuthenticationError)
    }
  })

  test('of a partner suspended by the command line is refused by the very next request', async () => {
    const initech = await house.partner('Initech')
    await assert.doesNotReject(users(initech))
    assert.equal((await marquee(place, `partner suspend ${initech.id}`)).code, 0)
    await assert.rejects(users(initech), AuthenticationError)
    assert.equal((await marquee(place, `partner resume ${initech.id}`)).code, 0)
    await assert.doesNotReject(users(initech))
  })
})
