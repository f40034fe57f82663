/** Which format answers: the extension, else Accept, else JSON to JSON, else XML. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { codes } from '../support/refusals.ts'
import { baseUrl, type Question, serviceOn, type TestPartner } from '../support/service.ts'

const xml = 'application/xml; charset=utf-8'
const json = 'application/json; charset=utf-8'

// biome-ignore format: a table reads by its columns
const negotiations = [
  // extension, Accept,                                                 answer
  ['.xml',  undefined,                                                  xml],
  ['.xml',  'application/json',                                         xml],
  ['.xml',  'text/html',                                                xml],
  ['.xml',  '*/*',                                                      xml],
  ['.json', undefined,                                                  json],
  ['.json', 'application/xml',                                          json],
  ['.json', 'image/png',                                                json],
  ['',      undefined,                                                  xml],
  ['',      '',                                                         xml],
  ['',      'nonsense',                                                 xml],
  ['',      '*/*',                                                      xml],
  ['',      'application/*',                                            xml],
  ['',      'text/*',                                                   xml],
  ['',      'application/xml',                                          xml],
  ['',      'text/xml',                                                 xml],
  ['',      'Application/XML; charset=utf-8',                           xml],
  ['',      'application/json',                                         json],
  ['',      'application/json, text/plain, */*',                        json],
  ['',      'application/xml;q=0.5, application/json;q=0.9',            json],
  ['',      'application/json;q=0.5, text/xml',                         xml],
  ['',      'application/xml;q=0, */*',                                 json],
  ['',      'application/json;q=0, */*;q=0.1',                          xml],
  ['',      'application/xml;q=0.5, */*;q=0.8',                         json],
  ['',      'application/*;q=0.2, application/json;q=0.1',              xml],
  ['',      'application/xml, text/xml;q=0',                            xml],
  ['',      'application/xml;q=0, application/json;q=0, */*',           406],
  ['',      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', xml],
  ['',      'text/html, application/json;q=0.1',                        json],
  ['',      'text/html',                                                406],
  ['',      'image/*',                                                  406],
  ['',      'application/pdf, text/csv',                                406],
  ['',      'application/xml;q=0',                                      406],
  ['.html', 'application/json',                                         406],
  ['.csv',  '*/*',                                                      406],
] as const

onEachEngine('the format of an answer', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
  })

  for (const [extension, accept, expected] of negotiations) {
    test(`${extension || 'no extension'}, Accept ${accept ?? 'not sent'}: ${expected}`, async () => {
      const headers = accept === undefined ? {} : { accept }
      const paths = [`/api/annotations${extension}`, `/api/locations${extension}`]
      const replies = [...(await Promise.all(paths.map((path) => acme.get(path, { headers })))), await created(extension, headers)]
      for (const reply of replies) {
        if (expected === 406) assert.deepEqual(codes(reply, 406), ['not_acceptable'])
        else assert.equal(reply.headers['content-type'], expected)
      }
    })
  }

  function created(extension: string, headers: Record<string, string>) {
    return acme.post(`/businesses${extension}`, '<business><name>Bob</name></business>', { headers })
  }

  test('an error comes in what was asked for', async () => {
    const typeOf = async (path: string, accept?: string) =>
      (await acme.get(path, { headers: accept === undefined ? {} : { accept } })).headers['content-type']
    assert.equal(await typeOf('/api/users/999.json', 'application/xml'), 'application/problem+json; charset=utf-8')
    assert.equal(await typeOf('/api/users/999', 'application/json'), 'application/problem+json; charset=utf-8')
    assert.equal(await typeOf('/api/users/999', 'application/problem+json'), 'application/problem+json; charset=utf-8')
    assert.equal(await typeOf('/api/users/999.xml', 'application/json'), xml)
    assert.equal(await typeOf('/api/users/999'), xml)
    assert.equal(await typeOf('/api/users.html', 'application/json'), 'application/problem+json; charset=utf-8')
    assert.equal(await typeOf('/api/users.html', 'text/html'), xml)
  })

  test('answers vary by Accept and Authorization and are not stored', async () => {
    const { headers } = await acme.get('/api/users')
    assert.equal(headers.vary, 'Accept, Authorization')
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('JSON without a wish is answered in JSON where the address leaves it open, refusals too', async () => {
    const typeOf = async (question: Question, path = '/api/businesses') =>
      (await acme.ask('POST', path, question)).headers['content-type']?.split(';')[0]
    const json = { body: '{"name":"Bob"}', type: 'application/json' }
    assert.equal(await typeOf(json), 'application/json')
    assert.equal(await typeOf({ ...json, headers: { accept: '*/*' } }), 'application/json')
    assert.equal(await typeOf({ ...json, type: 'application/x-www-form-urlencoded' }), 'application/json')
    assert.equal(await typeOf({ ...json, body: '{"name":""}' }), 'application/problem+json')
    assert.equal(await typeOf({ ...json, body: '{"name":""}', type: 'application/x-www-form-urlencoded' }), 'application/problem+json')
    assert.equal(await typeOf({ ...json, body: '{' }), 'application/problem+json')
    assert.equal(await typeOf({ ...json, headers: { accept: 'application/xml' } }), 'application/xml')
    assert.equal(await typeOf(json, '/api/businesses.xml'), 'application/xml')
    assert.equal(await typeOf({ body: 'name=Bob', type: 'application/x-www-form-urlencoded' }), 'application/xml')
    const asking = { headers: { 'content-type': 'application/json' } }
    assert.equal((await acme.get('/api/businesses', asking)).headers['content-type'], 'application/xml; charset=utf-8')
  })

  test('Location carries the extension of the request, and answers', async () => {
    for (const extension of ['', '.xml', '.json']) {
      const { headers } = await acme.post(`/businesses${extension}`, { name: 'Bob' })
      assert.match(String(headers.location), new RegExp(`/api/businesses/\\d+${extension}$`))
      assert.equal((await acme.get(String(headers.location).slice(baseUrl.length))).status, 200)
    }
  })

  test('a small multipart form is read, and another type is told with what is taken', async () => {
    const form = new FormData()
    form.set('business[name]', 'Bob & Söhne')
    const sent = new Response(form)
    const multipart = { body: Buffer.from(await sent.clone().arrayBuffer()), type: String(sent.headers.get('content-type')) }
    const { status, text } = await acme.ask('POST', '/api/businesses.json', multipart)
    assert.equal(status, 201, text)
    assert.match(text, /"name":"Bob & Söhne"/)
    const refused = await acme.ask('POST', '/api/businesses.json', { body: 'x', type: 'image/png<' })
    assert.deepEqual(codes(refused, 415), ['unsupported_media_type'])
    assert.match(refused.text, /The body is image\/png<; this address takes application\/xml, application\/json,/)
  })
})
