import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BodyRules, Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { isList, type Shape } from '../../src/fields/shape.ts'
import { issueKey, keyScopes } from '../../src/model/keys.ts'
import { createSite } from '../../src/model/sites.ts'
import { type ScopeType, scopeTypes } from '../../src/resources/ability.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

type Ids = Record<string, number>

const absentId = 987_654_321
const absent = (name: string): Ids => ({ [name]: absentId })
const scopeField: Record<ScopeType, string> = { Account: 'account_id', Business: 'business_id', Site: 'site_id' }

// Another partner's id must answer exactly like one that nobody has, wherever a request can carry an id.
onEachEngine('tenancy', (place) => {
  const service = serviceOn(place)
  let acme: TestPartner
  let credentials = ''
  let own: Ids = {}
  let foreign: Ids = {}

  before(async () => {
    acme = await service.partner('Acme')
    own = await holdingsOf(acme)
    foreign = await holdingsOf(await service.partner('Globex'))
    const { key, password } = await issueKey(service.operator, acme.id, { scopes: keyScopes })
    credentials = `${key}:${password}`
  })

  for (const endpoint of endpoints) {
    const title = `${endpoint.method} ${endpoint.path}`

    for (const name of idsInPath(endpoint)) {
      test(`${title}: a foreign ${name} in the path`, async () => {
        const [ours, theirs, nobodys] = await askWith((ids) => ask(endpoint, { ...own, ...ids }, own), name)
        assert.notEqual(ours.status, 404, 'our own is found')
        assert.equal(theirs.status, 404)
        assertAlike(theirs, nobodys)
      })
    }

    for (const name of Object.keys(endpoint.query ?? {}).filter(isIdName)) {
      test(`${title}: a foreign ${name} in the query`, async () => {
        const [ours, theirs, nobodys] = await askWith((ids) => ask(endpoint, own, own, `?${name}=${ids[name]}`), name)
        assert.equal(ours.status, 200, 'our own is found')
        assert.notEqual(theirs.text, ours.text)
        assertAlike(theirs, nobodys)
      })
    }

    for (const name of idsInBody(endpoint)) {
      test(`${title}: a foreign ${name} in the body`, async () => {
        const [ours, theirs, nobodys] = await askWith((ids) => ask(endpoint, own, { ...own, ...ids }), name)
        assert.ok(ours.status < 300, 'our own is taken')
        assert.equal(theirs.status, 422)
        assertAlike(theirs, nobodys)
      })
    }
  }

  test('globex is as it was', async () => {
    const business = await service.ground.store.db
      .selectFrom('businesses')
      .selectAll()
      .where('id', '=', id(foreign, 'business_id'))
      .executeTakeFirst()
    assert.equal(business?.aasm_state, 'active')
    const abilities = await service.ground.store.db
      .selectFrom('abilities')
      .selectAll()
      .where('user_id', '=', id(foreign, 'user_id'))
      .execute()
    assert.deepEqual(abilities, [])
  })

  async function holdingsOf(partner: TestPartner): Promise<Ids> {
    const login = `person-of-${partner.id}`
    const user = { login, email: `${login}@example.com`, password: 'correct horse', account_id: partner.accountId }
    const user_id = idIn(await partner.post('/api/users.json', user), 'user')
    const business_id = idIn(await partner.post('/api/businesses.json', { name: 'Sunrise' }), 'business')
    const { id: site_id } = await createSite(service.operator, business_id, `site-${partner.id}.example`)
    return { account_id: partner.accountId, user_id, business_id, site_id }
  }

  /** With an id of our own, one of theirs, and one of nobody's. */
  async function askWith(question: (ids: Ids) => Promise<Reply>, name: string): Promise<[Reply, Reply, Reply]> {
    const theirs = await question({ [name]: id(foreign, name) })
    const nobodys = await question(absent(name))
    return [await question({ [name]: id(own, name) }), theirs, nobodys]
  }

  function ask(endpoint: Endpoint, inPath: Ids, inBody: Ids, query = ''): Promise<Reply> {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(id(inPath, name)))
    const body = endpoint.body === undefined ? {} : { body: JSON.stringify(sampleBody(endpoint.body, inBody)), type: 'application/json' }
    return acme.ask(endpoint.method, `/api/${path}.json${query}`, { ...body, credentials })
  }
})

describe('the tenancy guard', () => {
  test('finds ids in paths, queries and bodies', () => {
    assert.ok(endpoints.some((endpoint) => idsInPath(endpoint).length > 0))
    assert.ok(endpoints.some((endpoint) => idsInBody(endpoint).length > 0))
  })
})

function idsInPath({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** In a list of abilities the id is named by the scope beside it, so each scope is tried. */
function idsInBody({ body }: Endpoint): string[] {
  if (body === undefined) return []
  const names = Object.keys(isList(body.of) ? body.of.of : body.of).filter(isIdName)
  return names.flatMap((name) => (name === 'scope_id' ? scopeTypes.map((type) => scopeField[type]) : [name]))
}

function isIdName(name: string): boolean {
  return name.endsWith('_id')
}

let visitors = 0

function sampleBody({ root, of }: BodyRules, ids: Ids): object {
  if (!isList(of)) return { [root]: Object.fromEntries(Object.keys(of as Shape).map((name) => [name, sampleValue(name, ids)])) }
  return { [root]: scopeTypes.map((scope_type) => ({ key: 'show', scope_type, scope_id: id(ids, scopeField[scope_type]) })) }
}

function sampleValue(name: string, ids: Ids): string | number {
  if (isIdName(name)) return id(ids, name)
  if (name === 'email') visitors += 1
  return name === 'email' ? `visitor-${visitors}@example.com` : `visitor-${visitors}-of-us`
}

/** A name without an id here is a new kind of thing: give both partners one of it in `holdingsOf`. */
function id(ids: Ids, name: string): number {
  return ids[name] ?? assert.fail(`the guard has no ${name}`)
}

function idIn(reply: Reply, root: string): number {
  return (reply.json() as Record<string, { id: number }>)[root]?.id ?? assert.fail(reply.text)
}

function assertAlike(theirs: Reply, nobodys: Reply) {
  assert.deepEqual(visible(theirs), visible(nobodys))
}

/** All that a caller sees, but for what differs between any two requests. */
function visible({ status, headers, text }: Reply) {
  const { date, 'x-request-id': requestId, ratelimit, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(String(requestId), '') }
}
