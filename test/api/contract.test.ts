/** The contract: for each operation of OpenAPI a good request and each refusal it documents; status, headers and body are as the document says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { contentOf } from '../../src/api/reference/named-records.ts'
import { refusalsOf } from '../../src/api/reference/possible-errors.ts'
import { schemaName, xmlSchemas } from '../../src/api/reference/schemas.ts'
import { memo } from '../../src/lib/memo.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { libxml2 } from '../support/libxml2.ts'
import { withMail } from '../support/people-service.ts'
import { type Asking, goodRequest, notByAsking, provoking, withQuery } from '../support/provoke.ts'
import { type SampleWorld, sampleWorld } from '../support/sample-world.ts'
import { type Reply, serviceOn } from '../support/service.ts'

interface Answer {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

interface Description {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Answer> }>>
  readonly components: { readonly responses: Record<string, Answer>; readonly schemas: object }
}

const description: Description = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'openapi.json'), 'utf8'))
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema({ $id: 'openapi', components: description.components })

/** Most refusals share one schema, and to compile one takes longer than to ask. */
const validatorOf = memo({ most: 1_000, longest: 1_000_000 }, (schema) =>
  ajv.compile(JSON.parse(schema.replaceAll('"#/components', '"openapi#/components'))),
)

const used = { headers: { 'idempotency-key': 'used' } } as const

describe('the contract', () => {
  const place = {} as Place
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place, withMail)
  after(() => place.remove())
  const ask = ({ method, path, ...question }: Asking) => house.stranger.ask(method, path, question)
  let worlds = 0
  /** What only reads is asked in one world for all, and in another that has no requests left. */
  let [readable, exhausted] = [] as unknown as [SampleWorld, SampleWorld]
  before(async () => {
    readable = await newWorld()
    exhausted = await newWorld()
    await limit(exhausted, 1)
  })

  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`

    test(`${name} answers as it is described, and refuses as it is described`, async () => {
      const isChange = endpoint.changes === true
      const world = isChange ? await newWorld() : readable
      const good = goodIn(world, endpoint)
      const inXml = isChange ? { ...goodIn(await newWorld(), endpoint), ...used } : good
      await checkXml(endpoint, inXml)
      for (const [status, codes] of refusalsOf(endpoint)) {
        for (const code of codes.filter((candidate) => !notByAsking.has(candidate) && candidate !== 'too_many_requests')) {
          const reply = await refused(code, endpoint, code === 'idempotency_mismatch' ? inXml : good, world)
          assert.equal(reply.status, status, `${name} ${code}: ${reply.text}`)
          checkAnswer(endpoint, reply, `${name} ${code}`)
          if (reply.text !== '') assert.equal(codeIn(reply), code, `${name}: ${reply.text}`)
        }
      }
      const answer = await ask(good)
      assert.ok(answer.status < 300, `${name}: ${answer.text}`)
      checkAnswer(endpoint, answer, name)
      if ('preview' in endpoint) checkAnswer(endpoint, await ask({ ...good, path: withQuery(good.path, 'dry_run=1') }), `${name} dry_run`)
      if (isChange) await limit(world, 1)
      const more = isChange ? good : goodIn(exhausted, endpoint)
      const rated = [await ask(more), await ask(more)].at(-1) as Reply
      assert.equal(rated.status, 429, `${name}: ${rated.text}`)
      checkAnswer(endpoint, rated, `${name} too_many_requests`)
    })
  }

  async function refused(code: Parameters<typeof provoking>[0], endpoint: Endpoint, good: Asking, world: SampleWorld): Promise<Reply> {
    if (code === 'forbidden') {
      const other = await issueKey(house.operator, world.partnerId, { scopes: [endpoint.access === 'provision' ? 'report' : 'provision'] })
      return ask({ ...good, credentials: `${other.key}:${other.password}` })
    }
    // The same key was used for XML, which is other content.
    if (code === 'idempotency_mismatch') return ask(good)
    const asking = provoking(code, endpoint, good)
    return asking === 'elsewhere' ? assert.fail(`nothing provokes ${code}: give it a recipe in test/support/provoke.ts`) : ask(asking)
  }

  async function newWorld(): Promise<SampleWorld> {
    const world = await sampleWorld(house, `Partner ${worlds++}`)
    await limit(world, 10_000)
    return world
  }

  function limit({ partnerId }: SampleWorld, a_minute: number): Promise<unknown> {
    return setPartner(house.operator, partnerId, { reads_per_minute: a_minute, writes_per_minute: a_minute })
  }

  function goodIn({ values, env }: SampleWorld, endpoint: Endpoint): Asking {
    return goodRequest(endpoint, values, `${env['KEY']}:${env['PASSWORD']}`)
  }

  async function checkXml(endpoint: Endpoint, good: Asking): Promise<void> {
    const { status, text } = await ask({ ...good, path: good.path.replace('.json', '.xml') })
    const content = contentOf(endpoint)
    if (content === undefined) return
    assert.ok(status < 300, text)
    const { XmlDocument, XsdValidator } = libxml2()
    const schema = XmlDocument.fromString(xmlSchemas().get(schemaName(content))?.() ?? assert.fail())
    const [validator, document] = [XsdValidator.fromDoc(schema), XmlDocument.fromString(text)]
    validator.validate(document)
    for (const each of [validator, document, schema]) each.dispose()
  }
})

function codeIn({ headers, text }: Reply): string {
  return String(headers['content-type']).includes('json') ? JSON.parse(text).code : (/code="(\w+)"/.exec(text)?.[1] ?? '')
}

/** Headers that come only sometimes: the last page of a list has no link, and only a request with a key can be a repetition. */
const optional = new Set(['link', 'idempotency-replayed', 'retry-after', 'dry-run'])

/** An answer whose status is not described fails, and so does one without a header or with a body that the description does not know. */
function checkAnswer(endpoint: Endpoint, { status, headers, text }: Reply, where: string): void {
  const { responses } = description.paths[`/api/${endpoint.path}.json`]?.[endpoint.method.toLowerCase()] ?? assert.fail(where)
  const stated = responses[status] ?? assert.fail(`${where} answered ${status}, which is not described`)
  const answer = stated.$ref === undefined ? stated : (description.components.responses[stated.$ref.split('/').at(-1) ?? ''] as Answer)
  for (const header of Object.keys(answer.headers ?? {})) {
    // What was only tried has created nothing that has an address.
    const isOptional = optional.has(header.toLowerCase()) || (header === 'Location' && headers['dry-run'] === 'true')
    if (!isOptional) assert.ok(headers[header.toLowerCase()] !== undefined, `${where} has no ${header}`)
  }
  const type = String(headers['content-type']).split(';')[0] ?? ''
  const schema = answer.content?.[type]?.schema
  // Where the extension asks for what there is not, the refusal is in XML.
  if (status === 406 || text === '') return
  assert.ok(schema !== undefined, `${where} answered ${type}, which is not described`)
  const validate = validatorOf(JSON.stringify(schema))
  assert.ok(
    validate(endpoint.areLines && status === 200 ? text : JSON.parse(text)),
    `${where}: ${ajv.errorsText(validate.errors)}\n${text}`,
  )
}
