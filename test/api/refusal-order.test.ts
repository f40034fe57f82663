/** When a request has two faults, the documented order decides which one is told. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

interface Draft {
  method: string
  path: string
  extension: string
  query: string
  credentials: string | null
  type: string
  body: string
  headers: Record<string, string>
}

type Spoil = (draft: Draft) => void

/** Each spoils a good request in one way; they stand in the order in which they must be told. */
const faults: readonly (readonly [status: number, name: string, spoil: Spoil])[] = [
  [404, 'an unknown address', (draft) => (draft.path += '/nothing')],
  [405, 'a wrong method', (draft) => (draft.method = 'DELETE')],
  [401, 'no credentials', (draft) => (draft.credentials = null)],
  [403, 'a page of another site', (draft) => (draft.headers['sec-fetch-site'] = 'cross-site')],
  [406, 'an unknown extension', (draft) => (draft.extension = '.html')],
  [413, 'a body that is too large', (draft) => (draft.body += ' '.repeat(300_000))],
  [415, 'a body of an unknown type', (draft) => (draft.type = 'text/plain')],
  [400, 'a body that cannot be read', (draft) => (draft.body = `{${draft.body}`)],
  [400, 'a flag that cannot be read', (draft) => (draft.query = '?merge=maybe')],
  [404, 'an unknown id', (draft) => (draft.path = draft.path.replace(/\d+/, '999999'))],
  [404, 'an id that is none', (draft) => (draft.path = draft.path.replace(/\d+/, 'abc'))],
  [422, 'a value that breaks a rule', (draft) => (draft.body = draft.body.replace('Account', 'Planet'))],
]

onEachEngine('of two faults in one request', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let userId: number

  before(async () => {
    acme = await house.partner('Acme')
    const { user } = (await acme.post('/api/users.json', newPerson(acme.accountId))).json() as { user: { id: number } }
    userId = user.id
  })

  function good(): Draft {
    const body = JSON.stringify({ abilities: [{ key: 'show', scope_type: 'Account', scope_id: acme.accountId }] })
    const path = `/api/users/${userId}/abilities`
    return {
      method: 'PUT',
      path,
      extension: '.json',
      query: '',
      credentials: acme.credentials,
      type: 'application/json',
      body,
      headers: {},
    }
  }

  async function statusOf(spoils: readonly Spoil[]): Promise<number> {
    const draft = good()
    for (const spoil of spoils) spoil(draft)
    const { method, path, extension, query, ...question } = draft
    return (await acme.ask(method, path + extension + query, question)).status
  }

  test('none is told when there is none', async () => {
    assert.equal(await statusOf([]), 200)
  })

  for (const [index, [status, name, spoil]] of faults.entries()) {
    test(`${name} is told before what comes after it`, async () => {
      assert.equal(await statusOf([spoil]), status)
      for (const [, later, other] of faults.slice(index + 1)) {
        assert.equal(await statusOf([spoil, other]), status, `${name} and ${later}`)
        assert.equal(await statusOf([other, spoil]), status, `${later} and ${name}`)
      }
    })
  }

  test('a missing scope is told after the credentials and before the format', async () => {
    const reporting = await issueKey(house.operator, acme.id, { scopes: ['report'] })
    const credentials = `${reporting.key}:${reporting.password}`
    assert.equal((await acme.get('/api/users.json', { credentials })).status, 403)
    assert.equal((await acme.get('/api/users.html', { credentials })).status, 403)
    assert.equal((await acme.get('/api/users.json', { credentials: `${reporting.key}:wrong` })).status, 401)
    assert.equal((await acme.get('/api/users.json', { credentials: reporting.key })).status, 401)
  })

  test('a body is not read before it is known who sends it', async () => {
    const endless = { credentials: null, headers: { 'content-length': '50000', expect: '100-continue' } }
    assert.equal((await acme.ask('POST', '/api/users.xml', endless)).status, 401)
  })
})
