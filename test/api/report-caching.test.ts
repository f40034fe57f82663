/** Asking again: nothing is sent that the client has, nobody gets what is another's, and every coding says the same. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { setPartner } from '../../src/model/partners/partners.ts'
import { onEachEngine } from '../support/engines.ts'
import { parse, readReport } from '../support/read-report.ts'
import { makeReportWorld, observe, type ReportWorld, ranking } from '../support/report-world.ts'
import { basic, ofOneProcess, serviceOn, type TestPartner } from '../support/service.ts'

const path = '/api/seo_report.xml'
const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const

onEachEngine('asking for a report again', (place) => {
  const service = serviceOn(place)
  const world = {} as ReportWorld
  before(async () => void Object.assign(world, await makeReportWorld(service)))

  const bytes = (partner: TestPartner, headers: Record<string, string>): Promise<{ body: Buffer; headers: Record<string, unknown> }> =>
    new Promise((resolve, reject) => {
      const asked = request(`${service.url}${path}`, { headers: { authorization: basic(partner.credentials), ...headers } }, (response) => {
        response.toArray().then((chunks) => resolve({ body: Buffer.concat(chunks as Buffer[]), headers: response.headers }), reject)
      })
      asked.on('error', reject).end()
    })

  const limited = () => world.acme.get(`${path}?end_date=2026-03-01`)

  test('the XML and the JSON of a report are the same tree', async () => {
    for (const [xml, json] of [
      [path, '/api/seo_report.json'],
      [
        `/api/accounts/${world.acme.accountId}/reputation_report/detail.xml`,
        `/api/accounts/${world.acme.accountId}/reputation_report/detail.json`,
      ],
      [
        `/api/accounts/${world.acme.accountId}/reputation_report/counts`,
        `/api/accounts/${world.acme.accountId}/reputation_report/counts.json`,
      ],
    ] as const) {
      assert.deepEqual(readReport((await world.acme.get(xml)).text), (await world.acme.get(json)).json())
    }
  })

  test('with names as of old it parses once names that begin with a digit are rewritten', async () => {
    const { text } = await world.acme.get(`${path}?names=legacy`, { mayBeIllFormed: true })
    assert.throws(() => parse(text))
    assert.equal(
      parse(text.replace(/(<\/?)(\d[^ >]*)/g, (_, open: string, name: string) => `${open}n${name.replace(/[;💩]/gu, '')}`)).name,
      'hash',
    )
  })

  test('the head says how the answer may be kept', async () => {
    const { headers } = await world.acme.get(path)
    assert.match(String(headers.etag), /^"[0-9a-f]{64}"$/)
    assert.equal(headers['cache-control'], 'private, no-cache')
    assert.equal(headers.vary, 'Accept, Accept-Encoding, Authorization')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8')
  })

  test('an unchanged report is not sent again; a changed one is', async () => {
    const first = await world.acme.get(path)
    const etag = String(first.headers.etag)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await world.acme.get(path, { headers: { 'if-none-match': known } })
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag])
    }
    assert.equal((await world.acme.get(path, { headers: { 'if-none-match': '"other"' } })).status, 200)
    const news = [ranking({ phrase: 'freshly tracked', rank: 12 })]
    await observe(service, world.acme, news)
    const changed = await world.acme.get(path, { headers: { 'if-none-match': etag } })
    assert.equal(changed.status, 200)
    assert.match(changed.text, /freshly tracked/)
    assert.notEqual(changed.headers.etag, etag)
    await observe(service, world.acme, news)
    assert.equal((await world.acme.get(path, { headers: { 'if-none-match': String(changed.headers.etag) } })).status, 304)
  })

  test('what was asked for twice comes from memory, byte for byte the same', ofOneProcess, async () => {
    const [first, second, third] = [await limited(), await limited(), await limited()]
    assert.deepEqual([first.headers['content-length'], second.headers['content-length']], [undefined, undefined])
    assert.equal(third.headers['content-length'], String(Buffer.byteLength(first.text)))
    assert.deepEqual([second.text, third.text], [first.text, first.text])
    assert.equal(third.headers.etag, first.headers.etag)
  })

  test('every coding has its own tag and decodes to the same bytes', async () => {
    const plain = await bytes(world.acme, {})
    const tags = new Set([plain.headers['etag']])
    for (const [coding, decode] of Object.entries(decoders)) {
      for (const turn of ['made', 'made and kept', 'kept']) {
        const { body, headers } = await bytes(world.acme, { 'accept-encoding': coding })
        assert.equal(headers['content-encoding'], coding, turn)
        assert.deepEqual(decode(body), plain.body)
        tags.add(headers['etag'])
      }
    }
    assert.equal(tags.size, 4)
    assert.equal(
      (await bytes(world.acme, { 'accept-encoding': 'gzip;q=1.0,deflate;q=0.6,identity;q=0.3' })).headers['content-encoding'],
      'gzip',
    )
    assert.equal((await bytes(world.acme, { 'accept-encoding': 'gzip;q=0, identity' })).headers['content-encoding'], undefined)
    assert.equal((await bytes(world.acme, { 'accept-encoding': 'gzip, br, zstd' })).headers['content-encoding'], 'zstd')
    assert.equal((await bytes(world.acme, { 'accept-encoding': '*' })).headers['content-encoding'], 'gzip')
    assert.equal((await bytes(world.acme, { 'accept-encoding': 'br;q=0.5, *;q=0.1' })).headers['content-encoding'], 'br')
  })

  test('HEAD answers like GET, without a body', async () => {
    for (const address of [`${path}?start_date=2026-03-01`, `/api/accounts/${world.acme.accountId}/reputation_report/detail`]) {
      const head = await world.acme.ask('HEAD', address)
      const got = await world.acme.get(address)
      assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', got.headers.etag])
      assert.equal((await world.acme.ask('HEAD', address, { headers: { 'if-none-match': String(got.headers.etag) } })).status, 304)
    }
    assert.equal((await world.acme.ask('HEAD', `${path}?account_id=999999`)).status, 404)
  })

  test('two partners with the same versions and the same address get different tags, and never each other`s bytes', async () => {
    const [acme, globex] = [await service.partner('Twin one'), await service.partner('Twin two')]
    const [one, other] = [await acme.get(path), await globex.get(path)]
    assert.notEqual(one.headers.etag, other.headers.etag)
    assert.match(one.text, new RegExp(`name="${acme.accountId}"`))
    assert.doesNotMatch(other.text, new RegExp(`name="${acme.accountId}"`))
    const stolen = await globex.get(path, { headers: { 'if-none-match': String(one.headers.etag) } })
    assert.equal(stolen.status, 200)
    assert.equal(stolen.text, other.text)
  })

  test("the query's names beat the partner's, which beat the service's", async () => {
    const partner = await service.partner('Old client')
    const isLegacy = async (query: string) =>
      (await partner.get(`${path}${query}`, { mayBeIllFormed: true })).text.includes(`<${partner.accountId}>`)
    assert.deepEqual([await isLegacy(''), await isLegacy('?names=legacy')], [false, true])
    await setPartner(service.operator, partner.id, { names: 'legacy' })
    assert.deepEqual([await isLegacy(''), await isLegacy('?names=encoded')], [true, false])
  })

  test('the key alone reads reports, unless the partner has switched that off; a wrong password does not', async () => {
    const partner = await service.partner('Key alone')
    const status = async (credentials: string) => (await partner.get(path, { credentials })).status
    assert.deepEqual([await status(partner.key), await status(`${partner.key}:`), await status(`${partner.key}:wrong`)], [200, 200, 401])
    await setPartner(service.operator, partner.id, { key_alone: 0 })
    assert.deepEqual([await status(partner.key), await status(partner.credentials)], [401, 200])
  })

  test('the extension decides, then Accept, then XML; others are refused', async () => {
    const detail = `/api/accounts/${world.acme.accountId}/reputation_report/detail`
    const typeOf = async (address: string, accept?: string) =>
      (await world.acme.get(address, accept === undefined ? {} : { headers: { accept } })).headers['content-type']
    assert.match(String(await typeOf(detail)), /^application\/xml/)
    assert.match(String(await typeOf(detail, 'application/json')), /^application\/json/)
    assert.match(String(await typeOf(`${detail}.xml`, 'application/json')), /^application\/xml/)
    assert.match(String(await typeOf(`${detail}.csv`)), /^text\/csv/)
    assert.equal((await world.acme.get(`${detail}.html`)).status, 406)
  })
})
