/** Bodies that cannot be read, one sentence a case: refused in both formats with the place of the mistake. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { form, xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusedInBoth } from '../support/refusals.ts'
import { type Question, serviceOn, type TestPartner } from '../support/service.ts'

const json = 'application/json'
const xml = 'application/xml'

onEachEngine('a bad body', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
  })

  const refused = (method: string, path: string, status: number, expected: string[], question?: Question) =>
    refusedInBoth(acme, method, path, status, expected, question)

  const rejectsXml = (body: string | Uint8Array, says: RegExp) => async () => {
    const reply = await refused('POST', '/api/users', 400, ['malformed_body'], { body, type: xml })
    assert.match(reply.text, says)
  }
  const rejectsJson = (body: string | Uint8Array, says: RegExp) => async () => {
    const reply = await refused('POST', '/api/users', 400, ['malformed_body'], { body, type: json })
    assert.match(reply.text, says)
  }

  test('ill-formed XML, with line and column', rejectsXml('<user>\n  <email>x</mail>\n</user>', /line 2, column 1\d/))
  test('XML that ends too soon', rejectsXml('<user><email>x', /line 1, column \d/))
  test('two roots', rejectsXml('<user/><user/>', /well-formed/))
  test('text after the root', rejectsXml('<user/>more', /well-formed/))
  test('a DOCTYPE', rejectsXml('<!DOCTYPE user><user/>', /DOCTYPE/))
  test('an entity of its own', rejectsXml('<!DOCTYPE user [<!ENTITY a "b">]><user><email>&a;</email></user>', /well-formed/))
  test('an entity nobody declared', rejectsXml('<user><email>&nbsp;</email></user>', /&amp;amp;/))
  test('a processing instruction', rejectsXml('<?php ?><user/>', /processing instructions/))
  test('a wrong root', rejectsXml('<person><email>x</email></person>', /&lt;user&gt;/))
  test('a repeated element', rejectsXml('<user><email>a@b.example</email><email>c@d.example</email></user>', /email is given twice/))
  test(
    'a field once with hyphen, once with underscore',
    rejectsXml('<user><account-id>1</account-id><account_id>1</account_id></user>', /account_id is given twice/),
  )
  test('depth 9 in XML', rejectsXml(`<user>${'<a>'.repeat(8)}${'</a>'.repeat(8)}</user>`, /deeper than 8/))
  test('NUL in XML', rejectsXml('<user><email>a\0b</email></user>', /well-formed/))
  test('NUL as a reference', rejectsXml('<user><email>&#0;</email></user>', /well-formed/))
  test('a lone surrogate as a reference', rejectsXml('<user><email>&#xD800;</email></user>', /well-formed/))
  test('latin-1 bytes in XML', rejectsXml(Buffer.from('<user><email>café</email></user>', 'latin1'), /UTF-8/))
  test('XML that says it is latin-1', rejectsXml('<?xml version="1.0" encoding="ISO-8859-1"?><user/>', /UTF-8/))
  test(
    'a lone surrogate in UTF-8 bytes',
    rejectsXml(Buffer.concat([Buffer.from('<user>'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('</user>')]), /UTF-8/),
  )
  test('more elements than a user has', rejectsXml(`<user>${'<a/>'.repeat(70)}</user>`, /elements/))

  test('ill-formed JSON, with line and column', rejectsJson('{"user":\n  {"email":}}', /line 2, column 1\d/))
  test('a JSON member given twice', rejectsJson('{"user":{"email":"a@b.example","email":"c@d.example"}}', /email is given twice/))
  test('a JSON list in place of an object', rejectsJson('[]', /object/))
  test('depth 9 in JSON', rejectsJson(`${'{"user":'.repeat(9)}1${'}'.repeat(9)}`, /deeper than 8/))
  test('latin-1 bytes in JSON', rejectsJson(Buffer.from('{"email":"café"}', 'latin1'), /UTF-8/))
  test('a raw NUL in JSON', rejectsJson('{"email":"a\0b"}', /control character/))

  test('a form field given twice', async () => {
    await refused('POST', '/api/users', 400, ['malformed_body'], { body: 'email=a&email=b', type: form })
    await refused('POST', '/api/users', 400, ['malformed_body'], { body: 'user[account-id]=1&user[account_id]=1', type: form })
  })
  test('a form with a broken percent escape', async () => {
    await refused('POST', '/api/users', 400, ['malformed_body'], { body: 'email=%E9', type: form })
  })

  test('a body of 65 KiB', async () => {
    await refused('POST', '/api/users', 413, ['too_large'], { body: xmlOf('user', { email: 'x'.repeat(65 * 1024) }), type: xml })
    await refused('POST', '/api/businesses', 413, ['too_large'], { body: `name=${'x'.repeat(65 * 1024)}`, type: form })
  })
  test('a body of 65 KiB in chunks that does not say how long it is', async () => {
    const headers = { 'transfer-encoding': 'chunked' }
    await refused('POST', '/api/users', 413, ['too_large'], { body: 'x'.repeat(65 * 1024), type: xml, headers })
  })
  test('abilities of 257 KiB', async () => {
    await refused('PUT', '/api/users/1/abilities', 413, ['too_large'], { body: ' '.repeat(257 * 1024), type: json })
  })
  for (const type of ['text/plain', 'application/octet-stream', 'foo', 'text/html']) {
    test(`a body of type ${type}`, async () => {
      await refused('POST', '/api/users', 415, ['unsupported_media_type'], { body: '<user/>', type })
    })
  }
  test('a compressed body', async () => {
    const headers = { 'content-encoding': 'gzip' }
    await refused('POST', '/api/users', 415, ['unsupported_media_type'], { body: '<user/>', type: xml, headers })
  })
})
