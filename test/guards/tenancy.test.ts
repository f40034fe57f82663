/** Built from the endpoint table: wherever a request can name an id, another partner's answers exactly like one that nobody has. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { saveMapping } from '../../src/model/imports/csv/saved-mappings.ts'
import { moveIntake } from '../../src/model/imports/journal/intake-states.ts'
import { endTask } from '../../src/model/intakes/tasks.ts'
import { keyScopes } from '../../src/model/partners/keys/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { addEditor } from '../../src/model/people/staff/editors.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { type IdPosition, idPositionsOf, namesInPath, withNewNames } from '../support/id-positions.ts'
import { staffIn, waitingIntake } from '../support/sample-world.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'
import { hearStatements, type Statements } from '../support/statements.ts'
import { suppress } from '../support/suppressed.ts'

/** What a partner has, by the names under which ids stand in the table. */
interface World extends TestPartner {
  readonly has: Readonly<Record<string, string>>
  /** The same kinds of thing once more, to be deleted. */
  readonly spare: Readonly<Record<string, string>>
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
  share_link_id: '999999999',
  token_id: '999999999',
  suppression_id: '999999999',
  source_id: '999999999',
  key_id: '999999999',
  staff_id: '999999999',
  successor_id: '999999999',
  invitation_id: '999999999',
  site_domain: 'absent.example',
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}

describe('the guard of tenancy', () => {
  test('knows every record that a request can name', (context) => {
    const positions = endpoints.flatMap(idPositionsOf)
    for (const { noun } of positions) assert.ok(noun in absent, `say in this file what ${noun} is`)
    context.diagnostic(`${positions.length} places of ids in ${endpoints.length} endpoints`)
  })

  test('tries an id wherever the tables name one', () => {
    for (const endpoint of endpoints) {
      const fields = JSON.stringify(endpoint.body?.of ?? {}).match(/"(?!external_id)\w+_ids?":/g) ?? []
      const inBody = idPositionsOf(endpoint).filter(({ where }) => where === 'body')
      assert.ok(inBody.length >= fields.length, `${nameOf(endpoint)} takes ${fields} in its body`)
    }
  })
})

onEachEngine("another partner's id", (place) => {
  let statements: Statements
  before(() => {
    statements = hearStatements()
  })
  after(() => statements.close())
  // The log of requests is written whenever enough has gathered, among the statements of any request.
  const house = serviceOn(place, { MARQUEE_REQUEST_LOG: 'off' })
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
    await saveMapping(house.operator, partner.id, `of ${name}`, {})
    const has = { account_id: partner.accountId, user_id: user.id, business_id: business.id, site_id: site.id, site_domain: site.domain }
    const keyId = async () =>
      ((await partner.post('/api/keys.json', { scopes: 'report', label: name })).json() as { fresh_key: { id: number } }).fresh_key.id
    Object.assign(has, { key_id: await keyId() })
    const [first, next] = [await contentsOf(name, partner, site), await contentsOf(`${name}2`, partner, site)]
    Object.assign(has, first, { location_id: await locationOf(partner, site.id, name) })
    const bare = await createSite(house.operator, business.id, `bare-${name.toLowerCase()}.example`)
    for (const { id } of [user, other.user]) await addEditor(house.operator, partner.accountId, id)
    const work = { ...(await staffIn(house, partner.id, partner.accountId, name.toLowerCase())) }
    Object.assign(has, work)
    const [intakes, waiting] = [await uploadedIntake(name, partner), await waitingIntake(house, partner.id)]
    Object.assign(has, { intake_id: intakes })
    const { account } = (await partner.post('/api/accounts.json', { name: 'Spare' })).json() as { account: { id: number } }
    const spare = {
      ...has,
      ...next,
      account_id: account.id,
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
    await house.operator.app.store.write(async (tx) => {
      await moveIntake(tx, intake.id, 'checking')
      await endTask(tx, intake.id, 'stored', { ended_at: '2026-11-14T00:00:00Z' })
    })
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
    const share_link_id = await made('fresh_share_link', 'share_links', { site_id: site.id, label: name })
    const token_id = await made('fresh_token', 'tokens', { site_id: site.id })
    // There is one of the partner, and one of an account of its own.
    const ofAccount = async () => ({ kind: 'site', account_id: await made('account', 'accounts', { name }) })
    const source_id = (await made('source', 'sources', { kind: 'site' })) ?? (await made('source', 'sources', await ofAccount()))
    await partner.client.changeBrand({ name })
    const schedule_id = await made('schedule', `accounts/${partner.accountId}/schedules`, weekly)
    const suppression_id = await suppress(house.operator, partner.id, `gone@${name.toLowerCase()}.example`)
    const page_id = await last('pages')
    return {
      annotation_id,
      schedule_id,
      share_link_id,
      token_id,
      suppression_id,
      source_id,
      keyword_id: await last('keywords'),
      competitor_id: await last('competitors'),
      page_id,
      review_id: await last(`pages/${page_id}/reviews`),
    }
  }

  const ask = (endpoint: Endpoint, position: IdPosition, id: string, format: string, more = {}): Promise<Reply> => {
    const { path, query, body } = position.request(withNewNames(acme.has), id)
    const search = new URLSearchParams({ ...query, ...more })
    const address = `${path}.${format}${search.size === 0 ? '' : `?${search}`}`
    return acme.ask(endpoint.method, address, body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' })
  }

  /** A filter of a list that meets nothing. */
  const isEmptyList = ({ status, text }: Reply) =>
    status === 200 &&
    /^\{"\w+":\[\]\}$|"events":\[\]\}\}$|<events type="array"\/>\n<\/feed>\n$|<[\w-]+ type="array">\s*<\/[\w-]+>\n$|<[\w-]+ type="array"\/>\n$/.test(
      text,
    )

  /** All that a client can see, but for what names the request itself and the domain that it quotes. */
  const seen = ({ status, headers, text }: Reply, id: string) => {
    const { date: _date, 'x-request-id': requestId = '', 'content-length': _length, ...rest } = headers
    // A list of ids is answered with those that were not found, as they were given.
    const unnamed = text.replaceAll(String(requestId), '').replaceAll(` not found: ${id}`, ' not found: {id}')
    // What is told of meanwhile moves the end of the feed.
    const still = unnamed.replaceAll(/after-\d+-[\w-]{8}/g, '{cursor}')
    return { status, headers: rest, text: still.replaceAll(id.includes('.') ? id : '\0', '{domain}') }
  }

  /** Jobs have statements of their own now and then, so one pair that is equal is enough; a difference is there each time. */
  const sameStatements = async (asked: (id: string) => Promise<Reply>, nobodys: string, theirs: string) => {
    const heardFor = async (id: string) => {
      statements.take()
      await asked(id)
      return statements.take().toSorted()
    }
    for (let tries = 1; ; tries++) {
      const [absent, foreign] = [await heardFor(nobodys), await heardFor(theirs)]
      if (tries < 25 && absent.join() !== foreign.join()) continue
      return assert.deepEqual(foreign, absent, 'a foreign id is read by the statements of an absent one')
    }
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
    for (const position of idPositionsOf(endpoint)) {
      test(`${nameOf(endpoint)}: ${position.at}`, async () => {
        const isDeleted = endpoint.method === 'DELETE' && namesInPath(endpoint).at(-1) === position.noun
        // One that waits already is released again.
        const ours = isDeleted || endpoint.path.endsWith('/release') ? acme.spare : acme.has
        const [own, nobodys, theirs] = [ours, absent, globex.has].map((has) => has[position.noun as keyof typeof absent] ?? '')
        const before = await everythingOf(globex)
        for (const format of (['xml', 'json'] as const).filter((one) => endpoint.formats?.includes(one) !== false)) {
          const reply = await ask(endpoint, position, nobodys as string, format)
          assert.ok([404, 422].includes(reply.status) || isEmptyList(reply), reply.text)
          assert.deepEqual(seen(await ask(endpoint, position, theirs as string, format), theirs as string), seen(reply, nobodys as string))
          await sameStatements((id) => ask(endpoint, position, id, format), nobodys as string, theirs as string)
        }
        assert.deepEqual(await everythingOf(globex), before)
        // What is changed at one place must be as it was for the next.
        const isTried = 'takesDryRun' in endpoint && endpoint.takesDryRun
        const good = await ask(endpoint, position, own as string, 'json', isTried ? { dry_run: '1' } : {})
        assert.ok(good.status < 300, `our own must work, or this shows nothing: ${good.text}`)
      })
    }
  }

  test('is in no list and no report', async () => {
    for (const endpoint of endpoints.filter((row) => row.method === 'GET' && namesInPath(row).length === 0)) {
      const { status, text } = await acme.get(`/api/${endpoint.path}.json`)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /globex/i, endpoint.path)
      // Figures and ids without a name: the tests of usage, events, tokens and sources show whose they are.
      if (['usage', 'events', 'tokens', 'sources'].includes(endpoint.path)) continue
      assert.match((await globex.get(`/api/${endpoint.path}.json`)).text, /globex/i, endpoint.path)
    }
  })
})
