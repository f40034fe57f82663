/** Built from the endpoint table: wherever a request can name an id, another partner's answers exactly like one that nobody has. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { isKeyed, isList } from '../../src/fields/shape.ts'
import { textKinds } from '../../src/lib/text-kinds.ts'
import { endTask } from '../../src/model/intakes/tasks.ts'
import { keyScopes } from '../../src/model/partners/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { waitingIntake } from '../support/sample-world.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

/** What a partner has, by the names under which ids stand in the table. */
interface World extends TestPartner {
  readonly has: Readonly<Record<string, string>>
  /** The same kinds of thing once more, to be deleted. */
  readonly spare: Readonly<Record<string, string>>
}

/** One place of a request where an id can stand: which thing it names, and the request with that id in it. */
interface Position {
  readonly at: string
  readonly names: string
  request(own: World, id: string): { path: string; query?: Record<string, string>; body?: object }
}

const absent = {
  account_id: '999999999',
  user_id: '999999999',
  business_id: '999999999',
  site_id: '999999999',
  keyword_id: '999999999',
  competitor_id: '999999999',
  page_id: '999999999',
  location_id: '999999999',
  review_id: '999999999',
  intake_id: '999999999',
  annotation_id: '999999999',
  schedule_id: '999999999',
  key_id: '999999999',
  scope_id: '999999999',
  domain: 'absent.example',
}

/** How a body is filled, for each endpoint that takes ids in one; the id under test comes last. */
const bodies: Record<string, (own: World) => Record<string, (id: string) => object>> = {
  'POST users': ({ has }) => ({ account_id: (id) => newPerson(Number(has.account_id), { account_id: id }) }),
  'PUT users/{user_id}': () => ({ account_id: (id) => ({ account_id: id }) }),
  'PUT accounts/{account_id}/owner': () => ({ user_id: (id) => ({ user_id: id }) }),
  'POST annotations': () => ({ site_id: (id) => ({ site_id: id, day: '2026-11-14', text: 'A new page' }) }),
  'POST sites/{site_id}/pages': () => ({
    competitor_id: (id) => ({ pages: [{ competitor_id: id, source: 'google', page_url: 'https://maps.example/new' }] }),
  }),
  'POST locations': () => ({ site_id: (id) => ({ locations: [{ site_id: id }] }) }),
  'POST sites': () => ({ business_id: (id) => ({ business_id: id, domain: 'new.example' }) }),
  'PUT sites/{site_id}': () => ({ business_id: (id) => ({ business_id: id }) }),
  'POST businesses': () => ({ account_id: (id) => ({ name: 'Bob', account_id: id }) }),
  'PUT businesses': () => ({ account_id: (id) => ({ name: 'Bob', account_id: id }) }),
  'POST bulk': () => ({
    account_id: (id) => ({ operations: [{ kind: 'business', name: 'Bob', account_id: id }] }),
    business_id: (id) => ({ operations: [{ kind: 'site', business_id: id, domain: 'bulk.example' }] }),
    user_id: (id) => ({ operations: [{ kind: 'user', id, name: 'Dana' }] }),
    site_id: (id) => ({ operations: [{ kind: 'site', id }] }),
  }),
  'PUT users/{user_id}/abilities': () => ({
    account_id: (id) => ({ abilities: [{ key: 'show', scope_type: 'Account', scope_id: id }] }),
    business_id: (id) => ({ abilities: [{ key: 'show', scope_type: 'Business', scope_id: id }] }),
    site_id: (id) => ({ abilities: [{ key: 'show', scope_type: 'Site', scope_id: id }] }),
  }),
  'POST observations': ({ has }) => ({
    account_id: (id) => [{ type: 'keyword', account: Number(id), site: has.domain, phrase: 'plumber' }],
    domain: (id) => [{ type: 'keyword', site: id, phrase: 'plumber' }],
  }),
}

/** What an endpoint needs besides the id under test. */
const otherwise: Record<string, (own: World) => object> = {
  'POST intakes': ({ has }) => [{ type: 'keyword', site: has.domain, phrase: 'plumber' }],
  'PUT users/{user_id}/abilities': () => ({ abilities: [] }),
  'PUT accounts/{account_id}': () => ({ name: 'Acme' }),
  'PUT accounts/{account_id}/owner': ({ has }) => ({ user_id: has.user_id }),
  'PUT businesses/{business_id}': () => ({ name: 'Acme' }),
  'POST accounts/{account_id}/schedules': () => ({ rhythm: 'monthly', recipients: 'dana@acme.example' }),
  'PUT accounts/{account_id}/schedules/{schedule_id}': () => ({ rhythm: 'monthly' }),
  'POST keys/{key_id}/rotate': () => ({ grace_days: 7 }),
  'POST sites/{site_id}/keywords': () => ({ keywords: [{ phrase: 'roofer' }] }),
  'POST sites/{site_id}/pages': () => ({ pages: [{ source: 'google', page_url: 'https://maps.example/new' }] }),
  'PUT locations/{location_id}': () => ({ twitter_page: 'https://twitter.example/acme' }),
  'POST sites/{site_id}/competitors': () => ({ competitors: [{ domain: 'rival.example' }] }),
}

/** What the query of an endpoint must hold besides the id under test. */
const needed: Record<string, (own: World) => Record<string, string>> = {
  'PUT businesses': () => ({ external_id: 'crm-7' }),
  'GET users/{user_id}/access': ({ has }) => ({ scope_type: 'Site', scope_id: has.site_id ?? '' }),
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}

function positionsOf(endpoint: Endpoint): Position[] {
  return [...inPath(endpoint), ...inQuery(endpoint), ...inBody(endpoint)]
}

function inPath(endpoint: Endpoint): Position[] {
  return namesIn(endpoint.path).map((name) => ({
    at: `{${name}} in the path`,
    names: name,
    request: (own, id) => ({ path: pathOf(endpoint, own, { [name]: id }), ...withBody(otherwise[nameOf(endpoint)]?.(own)) }),
  }))
}

function inQuery(endpoint: Endpoint): Position[] {
  const ids = Object.entries(endpoint.query ?? {}).filter(([name]) => isOurId(name))
  return ids.flatMap(([name, { kind }]) =>
    (kind === textKinds.id ? [''] : ['', 'own,']).map((list) => ({
      at: `${name} in the query${list && ', beside one of our own'}`,
      names: name,
      request: (own: World, id: string) => ({
        path: pathOf(endpoint, own),
        query: { [name]: `${list && `${own.has[name]},`}${id}` },
        ...withBody(otherwise[nameOf(endpoint)]?.(own)),
      }),
    })),
  )
}

function inBody(endpoint: Endpoint): Position[] {
  const fill = bodies[nameOf(endpoint)]
  const names = fill === undefined ? [] : Object.keys(fill({ has: {} } as World))
  return names.map((name) => ({
    at: `${name} in the body`,
    names: name,
    request: (own, id) => ({ path: pathOf(endpoint, own), ...withBody(fill?.(own)[name]?.(id)) }),
  }))
}

function pathOf({ path }: Endpoint, { has }: World, given: Record<string, string> = {}): string {
  return `/api/${path.replace(/\{(\w+)\}/g, (_, name) => given[name] ?? has[name] ?? '')}`
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function withBody(body: object | undefined): { body?: object } {
  return body === undefined ? {} : { body }
}

/** What a partner calls a record is no id of ours. */
function isOurId(name: string): boolean {
  return name.endsWith('_id') && name !== 'external_id'
}

/** Whether the table says that this endpoint takes an id in its body, or reads a body of its own. */
function takesIdsInBody(endpoint: Endpoint): boolean {
  if ('stream' in endpoint && endpoint.method !== 'GET') return true
  const of = endpoint.body?.of
  const fields = of === undefined || !isList(of) ? of : isKeyed(of.of) ? undefined : of.of
  return Object.keys(fields ?? {}).some(isOurId)
}

describe('the guard of tenancy', () => {
  for (const endpoint of endpoints) {
    test(`knows how to ask ${nameOf(endpoint)}`, () => {
      if (takesIdsInBody(endpoint)) assert.ok(nameOf(endpoint) in bodies, `say in this file how the body of ${nameOf(endpoint)} is filled`)
      for (const { names } of positionsOf(endpoint)) assert.ok(names in absent, `say in this file what ${names} is`)
    })
  }

  test('knows nothing that is not in the table', () => {
    const known = endpoints.map(nameOf)
    for (const name of [...Object.keys(bodies), ...Object.keys(otherwise), ...Object.keys(needed)]) assert.ok(known.includes(name), name)
  })
})

onEachEngine("another partner's id", (place) => {
  const house = serviceOn(place)
  let acme: World
  let globex: World

  before(async () => {
    acme = await worldOf('Acme')
    globex = await worldOf('Globex')
  })

  async function worldOf(name: string): Promise<World> {
    const partner = await house.partner(name)
    const { user } = (await partner.post('/api/users.json', newPerson(partner.accountId, { login: `${name}-person` }))).json() as {
      user: { id: number }
    }
    const { business } = (await partner.post('/api/businesses.json', { name })).json() as { business: { id: number } }
    const site = await createSite(house.operator, business.id, `${name.toLowerCase()}.example`)
    const other = (await partner.post('/api/users.json', newPerson(partner.accountId, { login: `${name}-other` }))).json() as {
      user: { id: number }
    }
    const second = await createSite(house.operator, business.id, `second-${name.toLowerCase()}.example`)
    await house.operator.app.store.write((tx) =>
      tx
        .updateTable('keys')
        .set({ scopes: keyScopes.join(' ') })
        .execute(),
    )
    await partner.post('/api/observations.json', [{ type: 'keyword', site: site.domain, phrase: `${name} plumber` }])
    const has = { account_id: partner.accountId, user_id: user.id, business_id: business.id, site_id: site.id, domain: site.domain }
    Object.assign(has, { scope_id: site.id })
    const keyId = async () =>
      ((await partner.post('/api/keys.json', { scopes: 'report', label: name })).json() as { fresh_key: { id: number } }).fresh_key.id
    Object.assign(has, { key_id: await keyId() })
    const [first, next] = [await contentsOf(name, partner, site), await contentsOf(`${name}2`, partner, site)]
    Object.assign(has, first, { location_id: await locationOf(partner, site.id, name) })
    const bare = await createSite(house.operator, business.id, `bare-${name.toLowerCase()}.example`)
    const [intakes, waiting] = [await uploadedIntake(name, partner), await waitingIntake(house, partner.id)]
    Object.assign(has, { intake_id: intakes })
    const spare = {
      ...has,
      ...next,
      location_id: await locationOf(partner, bare.id, name),
      intake_id: waiting,
      key_id: await keyId(),
      user_id: other.user.id,
      site_id: second.id,
    }
    const texts = (ids: object) => Object.fromEntries(Object.entries(ids).map(([key, value]) => [key, String(value)]))
    return { ...partner, has: texts(has), spare: texts(spare) }
  }

  /** An upload that has ended, so that it can be undone. */
  async function uploadedIntake(name: string, partner: TestPartner): Promise<number> {
    const { intake } = (await partner.post(`/api/intakes.json?file_name=${name}`, [])).json() as { intake: { id: number } }
    const ended = { state: 'stored', ended_at: '2026-11-14T00:00:00Z' } as const
    await house.operator.app.store.write((tx) => endTask(tx, intake.id, ended))
    return intake.id
  }

  async function locationOf(partner: TestPartner, siteId: number, word: string): Promise<number | undefined> {
    const reply = await partner.post('/api/locations.json', { locations: [{ site_id: siteId, twitter_page: word }] })
    return (reply.json() as { locations: { id: number }[] }).locations[0]?.id
  }

  /** A keyword, a competitor and a page of a site, with a review. */
  async function contentsOf(name: string, partner: TestPartner, site: { id: number; domain: string }) {
    const records = [
      { type: 'keyword', site: site.domain, phrase: `${name} roofer` },
      { type: 'competitor', site: site.domain, competitor: `rival-of-${name.toLowerCase()}.example` },
      { type: 'page', site: site.domain, source: 'google', page_url: `https://maps.example/${name.toLowerCase()}` },
    ]
    const { source, page_url } = records[2] as Record<string, string>
    const review = { type: 'review', site: site.domain, source, page_url, rating: 4, date: '2026-11-14', detail: name }
    await partner.post('/api/observations.json', [...records, review])
    const last = async (noun: string) => {
      const list = (await partner.get(`/api/sites/${site.id}/${noun}.json`)).json() as Record<string, { id: number }[]>
      return Object.values(list)[0]?.at(-1)?.id
    }
    const made = async (noun: string, path: string, body: object) =>
      ((await partner.post(`/api/${path}.json`, body)).json() as Record<string, { id: number }>)[noun]?.id
    const note = { site_id: site.id, day: '2026-11-14', text: `${name} moved` }
    const weekly = { rhythm: 'weekly', recipients: `${name.toLowerCase()}@mail.example` }
    const annotation_id = await made('annotation', 'annotations', note)
    const schedule_id = await made('schedule', `accounts/${partner.accountId}/schedules`, weekly)
    const page_id = await last('pages')
    return {
      annotation_id,
      schedule_id,
      keyword_id: await last('keywords'),
      competitor_id: await last('competitors'),
      page_id,
      review_id: await last(`pages/${page_id}/reviews`),
    }
  }

  const ask = (endpoint: Endpoint, position: Position, id: string, format: string, more = {}): Promise<Reply> => {
    const { path, query, body } = position.request(acme, id)
    const search = new URLSearchParams({ ...needed[nameOf(endpoint)]?.(acme), ...query, ...more })
    const address = `${path}.${format}${search.size === 0 ? '' : `?${search}`}`
    return acme.ask(endpoint.method, address, body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' })
  }

  /** A filter of a list that meets nothing. */
  const isEmptyList = ({ status, text }: Reply) =>
    status === 200 && /^\{"\w+":\[\]\}$|<\w+ type="array">\s*<\/\w+>\n$|<\w+ type="array"\/>\n$/.test(text)

  /** All that a client can see, but for what names the request itself and the domain that it quotes. */
  const seen = ({ status, headers, text }: Reply, id: string) => {
    const { date: _date, 'x-request-id': requestId = '', 'content-length': _length, ...rest } = headers
    // A list of ids is answered with those that were not found, as they were given.
    const unnamed = text.replaceAll(String(requestId), '').replaceAll(` not found: ${id}`, ' not found: {id}')
    return { status, headers: rest, text: unnamed.replaceAll(id.includes('.') ? id : '\0', '{domain}') }
  }

  const everythingOf = async (world: World) => {
    const { account_id, user_id, business_id } = world.has
    const paths = [
      `users/${user_id}`,
      `users/${user_id}/abilities`,
      `businesses/${business_id}`,
      'accounts',
      'users',
      'businesses',
      'sites',
      `accounts/${account_id}/reputation_report/detail`,
      'seo_report',
    ]
    return Promise.all(paths.map(async (path) => (await world.get(`/api/${path}.json`)).text))
  }

  for (const endpoint of endpoints) {
    for (const position of positionsOf(endpoint)) {
      test(`${nameOf(endpoint)}: ${position.at}`, async () => {
        const isDeleted = endpoint.method === 'DELETE' && namesIn(endpoint.path).at(-1) === position.names
        const ours = isDeleted ? acme.spare : acme.has
        const [own, nobodys, theirs] = [ours, absent, globex.has].map((has) => has[position.names as keyof typeof absent] ?? '')
        const before = await everythingOf(globex)
        for (const format of ['xml', 'json']) {
          const reply = await ask(endpoint, position, nobodys as string, format)
          assert.ok([404, 422].includes(reply.status) || isEmptyList(reply), reply.text)
          assert.deepEqual(seen(await ask(endpoint, position, theirs as string, format), theirs as string), seen(reply, nobodys as string))
        }
        assert.deepEqual(await everythingOf(globex), before)
        // What is deleted at one place must be there for the next.
        const isTried = endpoint.method === 'DELETE' && 'takesDryRun' in endpoint && endpoint.takesDryRun
        const good = await ask(endpoint, position, own as string, 'json', isTried ? { dry_run: '1' } : {})
        assert.ok(good.status < 300, `our own must work, or this shows nothing: ${good.text}`)
      })
    }
  }

  test('is in no list and no report', async () => {
    for (const endpoint of endpoints.filter(({ method, path }) => method === 'GET' && namesIn(path).length === 0)) {
      const { status, text } = await acme.get(`/api/${endpoint.path}.json`)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /globex/i, endpoint.path)
      // Figures without a name: test/api/usage.test.ts shows whose they are.
      if (endpoint.path === 'usage') continue
      assert.match((await globex.get(`/api/${endpoint.path}.json`)).text, /globex/i, endpoint.path)
    }
  })
})
