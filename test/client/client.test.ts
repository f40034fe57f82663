/** The TypeScript client against the real service: records, lists, reports and errors. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  Marquee,
  NotFoundError,
  PermissionError,
} from '../../src/client/client.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { installClient } from '../support/client-package.ts'
import { freshPlace, onEachEngine, type Place } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
const examples = join(root, 'docs', 'examples')
const dana = { email: 'dana@acme.example', login: 'dana-acme', password: 'correct horse' }

onEachEngine('the TypeScript client', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let client: Marquee

  before(async () => {
    acme = await house.partner('Acme')
    client = new Marquee({ url: `${house.url}/`, key: acme.key, password: acme.password })
  })

  test('creates a user, says what she may see, and shows her', async () => {
    const user = await client.createUser({ ...dana, account_id: acme.accountId })
    assert.equal(user.state, 'passive')
    const ability = { key: 'show', scope_type: 'Account', scope_id: acme.accountId } as const
    assert.deepEqual(await client.updateUserAbilities(user.id, [ability], { merge: true }), [ability])
    assert.deepEqual(await client.viewUserAbilities(user.id), [ability])
    assert.deepEqual(await client.showUser(user.id), user)
    assert.deepEqual(await client.listUsers({ login: dana.login }).first(), user)
    assert.equal(await client.listUsers({ login: 'nobody' }).first(), undefined)
  })

  test('knows its operations by their former names, too', async () => {
    const business = await client.createBusiness({ name: 'Former' })
    assert.deepEqual(
      await client.setYourOwnIdBusiness(business.id, { external_id: 'former-1' }),
      await client.showBusinessExternalId(business.id),
    )
  })

  test('creates once what is asked for twice with the same Idempotency-Key', async () => {
    const [first, second] = [1, 2].map(() => client.createBusiness({ name: 'Once' }, { idempotencyKey: 'once' }))
    assert.deepEqual(await first, await second)
  })

  test('creates under an own id, puts by it, previews abilities and explains access', async () => {
    const created = await client.createBusiness({ name: 'Own' }, { externalId: 'crm-1' })
    const put = await client.createOrUpdateBusiness({ name: 'Renamed' }, { external_id: 'crm-1' })
    assert.deepEqual([put.id, put.name], [created.id, 'Renamed'])
    const user = await client.createUser({
      email: 'kim@client.example',
      login: 'kim-client',
      password: 'secret9',
      account_id: acme.accountId,
    })
    const ability = { key: 'show', scope_type: 'Business', scope_id: created.id } as const
    const preview = await client.previewUpdateUserAbilities(user.id, [ability])
    assert.deepEqual(preview, { abilities: [ability], added: [ability], removed: [] })
    const { allowed } = await client.explainUserAccess(user.id, { scope_type: 'Business', scope_id: created.id })
    assert.equal(allowed, false)
    await assert.rejects(client.updateUserAbilities(user.id, [ability], {}, { ifMatch: '"old"' }), ConflictError)
    let tag = ''
    const held = await client.viewUserAbilities(user.id, { onHeaders: (headers) => (tag = headers.get('etag') ?? '') })
    const changed = await client.updateUserAbilities(user.id, [...held, ability], {}, { ifMatch: tag })
    assert.deepEqual(changed, [...held, ability])
    await assert.rejects(client.updateUserAbilities(user.id, held, {}, { ifMatch: tag }), ConflictError)
  })

  test('reads a list of several pages as one', async () => {
    await Promise.all(Array.from({ length: 103 }, (_, at) => client.createBusiness({ name: `Business ${at}` })))
    const ids: number[] = []
    for await (const { id } of client.listBusinesses()) ids.push(id)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    assert.equal(ids.length, (await client.listBusinesses().toArray()).length)
    assert.ok(new Set(ids).size > 103)
    const sizes: number[] = []
    for await (const { records } of client.listBusinesses().pages()) sizes.push(records.length)
    assert.equal(sizes[0], 100)
  })

  test('pushes measured records and reads them in a report, as an object and as a stream', async () => {
    const business = await client.createBusiness({ name: 'Harbor' })
    await createSite(house.operator, business.id, 'harbor.example')
    const ingest = await issueKey(house.operator, acme.id, { scopes: ['ingest', 'report'] })
    const pusher = new Marquee({ url: house.url, key: ingest.key, password: ingest.password })
    const ranking = { type: 'ranking', site: 'harbor.example', phrase: 'dentist', search_engine: 'Google', locale: 'en-us' } as const
    const keyword = { type: 'keyword', site: ranking.site, phrase: ranking.phrase } as const
    const pushed = await pusher.pushObservations([keyword, { ...ranking, ranked_at: '2026-11-15 09:00:00', rank: 7 }])
    assert.deepEqual(pushed.refusals, [])
    assert.equal(pushed.created, 2)
    const refused = await pusher.pushObservations([{ ...ranking, ranked_at: 'yesterday', rank: 7 }])
    assert.equal(refused.refusals[0]?.field, 'ranked_at')

    const reader = new Marquee({ url: house.url, key: acme.key })
    const { accounts } = await reader.seoReport({ account_id: [acme.accountId], end_date: '2026-11-15' })
    const site = accounts[0]?.[acme.accountId]?.sites[0]
    assert.equal(Object.values(site ?? {})[0]?.keywords[0]?.['dentist']?.[0]?.rank, 7)
    assert.equal((await reader.reputationReportDetail(acme.accountId)).id, acme.accountId)

    const { body, etag, contentType } = await reader.streamSeoReport({ account_id: acme.accountId }, { format: 'xml' })
    assert.equal(contentType, 'application/xml; charset=utf-8')
    assert.match(await text(body ?? assert.fail()), /<dentist type="array" name="dentist">/)
    const again = await reader.streamSeoReport({ account_id: acme.accountId }, { format: 'xml', ifNoneMatch: etag ?? '' })
    assert.equal(again.body, null)
  })

  test('throws errors by kind, with code, fields and request id', async () => {
    const wrong = client.createUser({ email: 'nobody', login: 'no', password: 'correct horse', account_id: 999 })
    await assert.rejects(wrong, (error: unknown) => {
      assert.ok(error instanceof InvalidRequestError)
      assert.equal(error.code, 'validation_failed')
      assert.equal(error.codeOf('login'), 'too_short')
      assert.equal(error.codeOf('password'), undefined)
      assert.match(error.message, /^Email should look like an email address; Login is too short/)
      assert.match(error.requestId ?? '', /^[\w-]{8,}$/)
      return true
    })
    await assert.rejects(client.showUser(999_999), NotFoundError)
    await assert.rejects(new Marquee({ url: house.url, key: acme.key, password: 'no' }).listSites().first(), AuthenticationError)
    await assert.rejects(client.pushObservations([]), PermissionError)
    const refusedInXml = client.streamSeoReport({ start_date: 'soon' }, { format: 'xml' })
    await assert.rejects(refusedInXml, { name: 'InvalidRequestError', code: 'bad_request', status: 400 })
  })
})

describe('the examples', () => {
  const place = {} as Place
  before(async () => {
    Object.assign(place, await freshPlace('sqlite'))
  })
  const house = serviceOn(place)
  const folder = mkdtempSync(join(tmpdir(), 'marquee-examples-'))
  before(() => {
    installClient(folder)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const name of readdirSync(examples)) copyFileSync(join(examples, name), join(folder, name))
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await place.remove()
  })

  test('runs the ten lines of the README, and the other examples', async () => {
    const globex = await house.partner('Globex')
    const env = { PATH: process.env.PATH, SERVICE_URL: house.url, KEY: globex.key, PASSWORD: globex.password, FILE: '/dev/null' }
    const run = (name: string) => promisify(execFile)(process.execPath, [join(folder, name)], { env, timeout: 30_000 })
    const [first, errors, reports] = await Promise.all(['first-user.ts', 'errors.ts', 'reports.ts'].map(run))
    assert.match(first?.stdout ?? '', /^\d+ bo-harbor passive\n$/, first?.stderr)
    assert.match(errors?.stdout ?? '', /^email invalid Email should look like an email address\nlogin too_short /, errors?.stderr)
    assert.match(reports?.stdout ?? '', /^account \d+: 0 sites\nnothing has changed since\n$/, reports?.stderr)
  })

  test('the README runs its program in a folder that has nothing but the client', async () => {
    const acme = await house.partner('Acme')
    const program = readFileSync(join(examples, 'first-user.ts'), 'utf8')
    writeFileSync(join(folder, 'first-user.ts'), program.replaceAll(/bo(?=[@-]harbor)/g, 'ada'))
    const [, line = ''] = /`(KEY=.* first-user\.ts)`/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
    const own = line.replace('mq_...', acme.key).replace('mqs_...', acme.password)
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, SERVICE_URL: house.url }
    const { stdout } = await promisify(execFile)('sh', ['-c', own], { cwd: folder, env, timeout: 30_000 })
    assert.match(stdout, /^\d+ ada-harbor passive\n$/)
  })

  test('include what the README shows, in ten lines', () => {
    const example = readFileSync(join(examples, 'first-user.ts'), 'utf8')
    const shown = example.replace(/^(?=.)/gm, '    ').trimEnd()
    assert.ok(readFileSync(join(root, 'README.md'), 'utf8').includes(shown), `the README does not show:\n${shown}`)
    assert.ok(example.trimEnd().split('\n').filter(Boolean).length <= 10)
  })
})
