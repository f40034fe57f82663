/** Built from the endpoint table: every bad path, parameter, body, method and header of every endpoint is refused as it should be, and changes nothing. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { endpoints } from '../../src/api/endpoints.ts'
import { type BadRequest, badRequestsOf } from '../support/bad-requests.ts'
import { badTextsOf, isFreeText } from '../support/bad-values.ts'
import { onEachEngine } from '../support/engines.ts'
import { withMail } from '../support/people-service.ts'
import { goodRequest } from '../support/provoke.ts'
import { codes, refusal } from '../support/refusals.ts'
import { type SampleWorld, sampleWorld } from '../support/sample-world.ts'
import { serviceOn } from '../support/service.ts'

onEachEngine('a bad request', (place) => {
  const house = serviceOn(place, withMail)
  let world: SampleWorld
  let tried = 0

  before(async () => {
    world = await sampleWorld(house)
  })

  /** Whatever is done leaves an entry. */
  const changes = async () => {
    const { count } = house.app.store.db.fn
    const rows = await house.app.store.db.selectFrom('audit_entries').select(count('id').as('entries')).executeTakeFirstOrThrow()
    return Number(rows.entries)
  }

  /** In both formats where there are two, with the same sentences. */
  const faultOf = async ({ says, asking, xml, status, codes: expected }: BadRequest, areLines = false): Promise<string | null> => {
    const { method, path, ...question } = asking
    const told: unknown[] = []
    for (const format of areLines ? ['json'] : ['xml', 'json']) {
      const sent = format === 'xml' && xml !== undefined ? { ...question, body: xml, type: 'application/xml' } : question
      const reply = await house.stranger.ask(method, path.replace(/\.json(?=\?|$)/, `.${format}`), sent)
      tried += 1
      if (reply.status !== status) return `${says}: ${reply.status} in place of ${status}: ${reply.text}`
      if (expected === null) continue
      told.push(refusal(reply, status).map(({ message }) => message))
      if (!isDeepStrictEqual(codes(reply, status), expected)) return `${says}: ${reply.text} in place of ${expected}`
    }
    return isDeepStrictEqual(told[0], told.at(-1)) ? null : `${says}: ${told.join(' differs from ')}`
  }

  /** What is refused at the door is the same on both engines. */
  const reachesModel = ({ status }: BadRequest) => status === 404 || status === 422

  for (const endpoint of endpoints) {
    test(`to ${endpoint.method} ${endpoint.path}`, async () => {
      const good = goodRequest(endpoint, world.values, `${world.env['KEY']}:${world.env['PASSWORD']}`)
      const before = await changes()
      const faults: (string | null)[] = []
      for (const bad of badRequestsOf(endpoint, good))
        if (place.engine === 'sqlite' || reachesModel(bad)) faults.push(await faultOf(bad, endpoint.areLines))
      assert.deepEqual(
        faults.filter((fault) => fault !== null),
        [],
      )
      assert.equal(await changes(), before, 'a refused request changed something')
    })
  }

  test('is made for every parameter that is not free text', (context) => {
    for (const { query = {} } of endpoints)
      for (const [name, parameter] of Object.entries(query))
        assert.ok(isFreeText(name, parameter) || badTextsOf(name, parameter).length > 0, name)
    context.diagnostic(`${tried} bad requests`)
  })
})
