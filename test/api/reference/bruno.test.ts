/** The Bruno collection: read by Bruno's own parser, and every request of it works against the real service. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { brunoFiles } from '../../../scripts/bruno.ts'
import { endpoints } from '../../../src/api/endpoints.ts'
import { isGetAction } from '../../../src/api/reference/possible-errors.ts'
import { freshPlace, type Place } from '../../support/engines.ts'
import { inRunnableOrder, sampleWorld, valuesFor } from '../../support/sample-world.ts'
import { serviceOn } from '../../support/service.ts'

interface BruRequest {
  readonly meta: { readonly name: string }
  readonly http: { readonly method: string; readonly url: string; readonly body: string; readonly auth: string }
  readonly body?: { readonly json?: string }
}

/** It comes without types. */
const require = createRequire(import.meta.url)
const {
  bruToJsonV2,
  bruToEnvJsonV2,
  collectionBruToJson,
}: Record<'bruToJsonV2' | 'bruToEnvJsonV2' | 'collectionBruToJson', (text: string) => unknown> = require('@usebruno/lang')

describe('the Bruno collection', () => {
  const place = {} as Place
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place)
  after(() => place.remove())
  const files = Object.entries(brunoFiles())

  test('keeps key and password as secrets, and sends them with every request', () => {
    const { variables } = bruToEnvJsonV2(brunoFiles()['docs/bruno/environments/local.bru'] ?? '') as {
      variables: { name: string; secret: boolean }[]
    }
    assert.deepEqual(
      variables.filter(({ secret }) => secret).map(({ name }) => name),
      ['key', 'password'],
    )
    const { auth } = collectionBruToJson(brunoFiles()['docs/bruno/collection.bru'] ?? '') as { auth: { basic: object } }
    assert.deepEqual(auth.basic, { username: '{{key}}', password: '{{password}}' })
  })

  test('has a request for each endpoint, and each is answered well', async () => {
    const world = await sampleWorld(house, 'Bruno')
    const requests = files.flatMap(([path, text]) =>
      /\/(bruno\.json|collection\.bru|local\.bru)$/.test(path) ? [] : [bruToJsonV2(text) as BruRequest],
    )
    const offered = endpoints.filter((endpoint) => !isGetAction(endpoint))
    assert.equal(requests.length, offered.length)
    for (const endpoint of inRunnableOrder(offered)) {
      const { http, body, meta } = requests[offered.indexOf(endpoint)] ?? assert.fail()
      const values: Record<string, unknown> = {
        ...valuesFor(world, 'bruno', endpoint),
        base: '',
        external_id: `own-${endpoint.path.length}`,
      }
      const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? assert.fail(name)))
      assert.equal(http.method.toUpperCase(), endpoint.method)
      const credentials = `${world.env['KEY']}:${world.env['PASSWORD']}`
      const sent = body?.json === undefined ? {} : { body: fitted(filled(body.json), values), type: 'application/json' }
      const { status, text } = await house.stranger.ask(endpoint.method, filled(http.url), { credentials, ...sent })
      assert.ok(status < 300, `${meta.name}: ${status} ${text}`)
    }
  })
})

/** What must be new or of this world is put in the place of what the collection shows. */
function fitted(json: string, values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(JSON.parse(json), (key, value) =>
    typeof value !== 'object' && key in values && !Array.isArray(value) ? values[key] : value,
  )
}
