/** Built from the endpoint table: every field that a request may set is stored, and can be read again at the record's own address. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { isList, type Scalar, type Shape } from '../../src/fields/shape.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { onEachEngine } from '../support/engines.ts'
import { withMail } from '../support/people-service.ts'
import { inRunnableOrder, type SampleWorld, sampleWorld, valuesFor } from '../support/sample-world.ts'
import { type Reply, serviceOn } from '../support/service.ts'

type Values = Readonly<Record<string, unknown>>

/** Where a field is read under another name: the value that stands there. */
const readAs: Readonly<Record<string, (read: Values, sent: Values) => unknown>> = {
  recipients: ({ recipients }) => namesIn(recipients, 'email'),
  site_ids: ({ sites }) => namesIn(sites, 'id'),
  user_id: ({ owner_id }) => owner_id,
  days: ({ expires_at, created_at }) => daysBetween(created_at, expires_at),
  minutes: ({ expires_at, created_at }) => (Date.parse(String(expires_at)) - Date.parse(String(created_at))) / 60_000,
}

/** Fields that no answer shows, with the reason and the test that sees their effect. */
const unread: Readonly<Record<string, string>> = {
  password: 'is a secret: test/api/users.test.ts logs in with it',
  seconds: 'is how long a link lives: test/api/user-access.test.ts',
  logo: 'is read as an address: test/api/brand.test.ts',
  dark_logo: 'is read as an address: test/api/brand.test.ts',
  favicon: 'is read as an address: test/api/brand.test.ts',
  grace_days: 'is how long another key lives: test/api/keys.test.ts',
}

/** Where the record is shown if not at an address below its own, by the root of the request. */
const elsewhere: Readonly<Record<string, string>> = {
  owner: 'accounts/{account_id}',
  staff_invitation: 'staff_invitations/{invitation_id}',
}

/** Whose fields are those of other endpoints. */
const madeOfOthers = ['bulk', 'customers']
/** What has another address once it is changed; test/api/mappings.test.ts reads it there. */
const renamed = ['mappings']

const rows = inRunnableOrder(endpoints).filter(({ body, path }) => body !== undefined && ![...madeOfOthers, ...renamed].includes(path))

onEachEngine('the fields of requests', (place) => {
  const house = serviceOn(place, withMail)
  let world: SampleWorld
  /** A site with a location keeps it as it is, so locations are added to another one. */
  let bareSiteId: number
  before(async () => {
    world = await sampleWorld(house)
    bareSiteId = (await createSite(house.operator, Number(world.values['business_id']), 'kept.example')).id
  })

  for (const endpoint of rows) {
    test(`${endpoint.method} ${endpoint.path} keeps them all`, async () => {
      const values = { ...valuesFor(world, 'kept', endpoint), ...(endpoint.path === 'locations' && { site_id: bareSiteId }) }
      const sent = Object.fromEntries(
        Object.entries(shapeOf(endpoint)).map(([name, field]) => [name, sample(name, field as Scalar, values)]),
      )
      const read = await readBack(endpoint, values, await ask(endpoint.method, endpoint.path, values, bodyOf(endpoint, sent)))
      for (const name of Object.keys(sent).filter((name) => unread[name] === undefined))
        assert.deepEqual(readAs[name]?.(read, sent) ?? read[name], sent[name], name)
    })
  }

  const ask = (method: string, path: string, values: Values, body?: object): Promise<Reply> => {
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
    const { KEY, PASSWORD } = world.env
    const question = { credentials: `${KEY}:${PASSWORD}`, ...(body && { body: JSON.stringify(body), type: 'application/json' }) }
    return house.stranger.ask(method, `/api/${address}.json${address === 'businesses' ? '?external_id=kept' : ''}`, question)
  }

  /** The record as its own address shows it, or the address at which it was set, or else its account. */
  const readBack = async ({ path, body }: Endpoint, values: Values, reply: Reply): Promise<Values> => {
    assert.ok(reply.status < 300, reply.text)
    const answered = recordIn(reply)
    const gets = endpoints.filter(({ method }) => method === 'GET').map((row) => row.path)
    const own = gets.find((one) => one.startsWith(`${path}/{`) && one.endsWith('}')) ?? gets.find((one) => one === path)
    const shown = elsewhere[body?.root ?? ''] ?? own
    if (shown === undefined) return answered
    const [, id = ''] = /\{(\w+)\}$/.exec(shown) ?? []
    const isNew = !path.includes(`{${id}}`)
    return recordIn(await ask('GET', shown, isNew ? { ...values, [id]: answered['id'] } : values))
  }
})

test('no field is told to be unread that no request has', () => {
  const known = new Set(rows.flatMap((endpoint) => Object.keys(shapeOf(endpoint))))
  for (const name of [...Object.keys(unread), ...Object.keys(readAs)]) assert.ok(known.has(name), name)
})

function shapeOf({ body }: Endpoint): Shape {
  const of = body?.of ?? assert.fail()
  return isList(of) ? (of.of as Shape) : of
}

function bodyOf({ body }: Endpoint, sent: Values): object {
  return body !== undefined && isList(body.of) ? { [body.root]: [sent] } : sent
}

const texts: Values = {
  text: 'A note that is kept',
  day: '2026-11-13',
  phrase: 'a phrase that is kept',
  accent: '#0a7d5b',
  support: 'kept@acme.example',
  ...Object.fromEntries(['logo', 'dark_logo', 'favicon'].map((name) => [name, 'iVBORw0KGgo='])),
  time_zone: 'Europe/Berlin',
  region: 'CH',
  page_url: 'https://maps.example/kept',
  competitor_id: null,
  scopes: 'report',
  days: 30,
  recipients: 'kept@acme.example',
  seconds: 3600,
}

/** A value that no default has: an id of the world, the word of a list, or a text of its own. */
function sample(name: string, { kind, oneOf }: Scalar, values: Values): unknown {
  return texts[name] ?? values[name] ?? oneOf?.[0] ?? (kind === 'integer' ? 7 : `kept ${name}`)
}

/** The record of an answer, or the first of a list that has the id of what was sent. */
function recordIn(reply: Reply): Values {
  const [record] = Object.values(reply.json() as Record<string, Values | Values[]>)
  return (Array.isArray(record) ? record.at(-1) : record) ?? {}
}

function namesIn(list: unknown, name: string): string {
  return (list as Values[]).map((one) => one[name]).join(', ')
}

function daysBetween(from: unknown, to: unknown): number {
  return Math.round((Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000)
}
