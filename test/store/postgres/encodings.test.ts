/** A database in another encoding than UTF-8 is not made any more; one that is there goes on, is told of, refuses what it cannot hold, and can be left. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Intake } from '../../../src/client/client.ts'
import { readSettings } from '../../../src/config.ts'
import { secretPath } from '../../../src/model/core/secrets/secret-file.ts'
import { keyScopes } from '../../../src/model/partners/keys/keys.ts'
import { logIn } from '../../../src/model/people/logins.ts'
import { marquee, marqueeEach, serving } from '../../support/command.ts'
import { ask, createdb, emptyIn, existingIn } from '../../support/encodings.ts'
import { emptyPlace, freshPlace, type Place } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { contentOf, look, makeMovingWorld, moveTo } from '../../support/moving.ts'
import { serviceOn, type TestPartner } from '../../support/service.ts'

const japanese = '日本'
const french = 'Café Zoë'

for (const encoding of ['LATIN1', 'SQL_ASCII']) {
  const holdsAll = encoding === 'SQL_ASCII'

  describe(`a new database in ${encoding}`, () => {
    let place: Place
    before(async () => {
      place = await emptyIn(encoding)
    })
    after(() => place.remove())

    test('is refused, and the printed command makes one that is taken', async () => {
      const { code, stderr } = await marquee(place, 'migrate --init')
      const [, command = ''] =
        /is in (?:LATIN1|SQL_ASCII), and Marquee keeps its texts in UTF8\. Run (createdb .*) and name/.exec(stderr) ?? []
      assert.equal(code, 1, stderr)
      const url = await createdb(command)
      try {
        const made = await marquee(place, 'migrate --init', { env: { DATABASE_URL: url } })
        assert.equal(made.code, 0, made.stderr)
      } finally {
        await ask(`drop database "${new URL(url).pathname.slice(1)}"`)
      }
    })

    test('is no place to move to, and the source goes on', async () => {
      const source = await freshPlace('sqlite')
      const { code, stderr } = await moveTo(source, place)
      assert.match(stderr, /is in (LATIN1|SQL_ASCII), and Marquee keeps its texts in UTF8/)
      const [created] = await marqueeEach(source, ['partner create --name Meanwhile'])
      assert.deepEqual([code, created?.code], [1, 0])
      await source.remove()
    })
  })

  describe(`an existing database in ${encoding}`, () => {
    const place = {} as Place
    before(async () => {
      Object.assign(place, await existingIn(encoding))
    })
    const house = serviceOn(place)
    let acme: TestPartner
    before(async () => {
      acme = await house.partner('Acme')
      const all = { scopes: keyScopes.join(' ') }
      await house.operator.app.store.write((tx) => tx.updateTable('keys').set(all).execute())
    })
    after(() => place.remove?.())

    const refusal = (field: string) => ({
      code: 'invalid',
      field,
      pointer: `/business/${field}`,
      message: `Name has the character 日 (U+65E5), which the database cannot hold`,
    })
    const business = async (name: string) => acme.post('/api/businesses.json', { business: { name } })

    test('is warned of at the start and told by the doctor, with a command that runs', async () => {
      const running = await serving(place, 'serve', { LOG_LEVEL: 'warn' })
      await running.stop()
      assert.match(running.printed(), new RegExp(`"encoding":"${encoding}".*the texts of the database are not in UTF8`))
      const { code, stdout } = await marquee(place, 'doctor')
      assert.equal(code, 1)
      const [, command = ''] =
        /The texts of the database are in .*\n {2}Why: .*\n {2}Do: {2}Run (createdb .*?), write the address/.exec(stdout) ?? []
      await ask(`drop database "${new URL(await createdb(command)).pathname.slice(1)}"`)
    })

    test('holds what it can, and of the rest each field is named with 422', async () => {
      const [held, other] = [await business(french), await business(japanese)]
      assert.deepEqual([held.status, (held.json() as { business: { name: string } }).business.name], [201, french])
      if (holdsAll) {
        assert.deepEqual([other.status, (other.json() as { business: { name: string } }).business.name], [201, japanese])
        assert.ok((await acme.get('/api/businesses.xml')).text.includes(`<name>${japanese}</name>`))
        return
      }
      const problem = other.json() as { code: string; details: unknown[] }
      assert.deepEqual([other.status, problem.code, problem.details], [422, 'validation_failed', [refusal('name')]])
      const xml = await acme.post('/api/businesses.xml', `<business><name>${japanese}</name></business>`, { type: 'application/xml' })
      assert.match(xml.text, /<error code="invalid" field="name">Name has the character 日/)
      const named = await acme.get(`/api/businesses.json?external_id=${encodeURIComponent(japanese)}`)
      assert.deepEqual([named.status, /external_id has the character 日/.test(named.text)], [400, true], named.text)
      const many = await acme.post('/api/bulk.json', {
        operations: [french, japanese].map((name) => ({ kind: 'business', name: `${name} 2` })),
      })
      const { results } = (many.json() as { bulk: { results: { status: number; errors: { field: string }[] }[] } }).bulk
      assert.deepEqual(
        results.map(({ status, errors }) => [status, ...errors.map(({ field }) => field)]),
        [[201], [422, 'name']],
      )
    })

    test('stores the records that it can hold and refuses the others, one by one', async () => {
      const { id } = (await business('Harbor')).json() as never as { id: number } & { business: { id: number } }
      const businessId = id ?? ((await acme.client.listBusinesses().first()) ?? assert.fail()).id
      const site = await acme.client.createSite({ business_id: businessId, domain: 'harbor.example' })
      const keyword = (phrase: string) => ({ type: 'keyword', site: 'harbor.example', phrase })
      const pushed = await acme.post('/api/observations.json?create_missing=1', [keyword('a'), keyword(japanese), keyword(french)])
      const { observations } = pushed.json() as { observations: { created: number; refused: number; refusals: object[] } }
      const refusals = holdsAll
        ? []
        : [{ index: 1, field: 'phrase', code: 'unheld', message: 'phrase has the character 日 (U+65E5), which the database cannot hold' }]
      assert.deepEqual(
        [pushed.status, observations.refused, observations.refusals],
        [holdsAll ? 200 : 207, refusals.length, refusals],
        pushed.text,
      )
      const lines = [keyword('b'), keyword(`${japanese}2`)].map((one) => JSON.stringify(one)).join('\n')
      const sent = await acme.ask('POST', '/api/intakes.json?create_missing=1', { body: lines, type: 'application/x-ndjson' })
      const intake = await ended((sent.json() as { intake: Intake }).intake.id)
      assert.deepEqual(
        [intake.state, intake.faults?.map(({ line, code }) => [line, code])],
        holdsAll ? ['stored', []] : ['refused', [[2, 'unheld']]],
      )
      const phrases = (await acme.client.listKeywords(site.id).toArray()).map(({ phrase }) => phrase).toSorted()
      assert.deepEqual(phrases, holdsAll ? ['a', 'b', french, japanese, `${japanese}2`].toSorted() : ['a', french].toSorted())
    })

    const ended = async (id: number): Promise<Intake> => {
      await eventually(async () => ['stored', 'refused'].includes((await acme.client.showIntake(id)).state))
      return acme.client.showIntake(id)
    }

    test('knows nobody by a name that it cannot hold, and fails at nothing', async () => {
      const visitor = { app: house.operator.app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null }
      const known = logIn(visitor, { name: japanese, password: 'correct horse battery', isRemembered: false })
      await assert.rejects(known, { code: holdsAll ? 'unauthorized' : 'validation_failed' })
    })

    test('can be read whole: all accounts are exported', async () => {
      const { code, stdout, stderr } = await marquee(place, 'export --all --partner 1')
      assert.equal(code, 0, stderr)
      assert.ok(stdout.includes(french))
    })
  })

  test(`a database in ${encoding} moves to one in UTF-8, and to a file, with everything in it`, async () => {
    const places = [await existingIn(encoding), await emptyPlace('postgres'), await emptyPlace('sqlite')] as const
    const [source, server, file] = places
    const legs = holdsAll ? [file] : [server, file]
    const world = await makeMovingWorld(source, (line) => holdsAll || /^[\0-\xff]*$/.test(line))
    const names = [french, ...(holdsAll ? [japanese] : [])]
    const created = await marqueeEach(
      source,
      names.map((name) => `partner create --name ${name.replaceAll(' ', '_')}`),
    )
    assert.deepEqual(
      created.map(({ code }) => code),
      names.map(() => 0),
    )
    const seen = await look(source, world)
    const secret = { MARQUEE_SECRET_FILE: secretPath(readSettings(source.env)) }
    let from: Place = source
    for (const to of legs.map((place) => ({ ...place, env: { ...place.env, ...secret } }))) {
      const moved = await moveTo(from, to)
      assert.equal(moved.code, 0, moved.stderr)
      assert.deepEqual(await contentOf(to), await contentOf(from))
      assert.deepEqual(await look(to, world), seen)
      from = to
    }
    const listed = await marquee(from, 'partner list')
    for (const name of names) assert.ok(listed.stdout.includes(name.replaceAll(' ', '_')))
    assert.equal((await marqueeEach(from, [`partner create --name ${japanese}2`]))[0]?.code, 0)
    for (const place of places) await place.remove()
  })
}
