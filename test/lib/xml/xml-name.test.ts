/** Names made of data: the published vectors, and for any text a name every parser accepts and that reads back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeName, encodeName, legacyName } from '../../../src/lib/xml/xml-name.ts'
import { processorTime } from '../../support/processor-time.ts'
import { fc } from '../../support/properties.ts'
import { unicodeNameDocuments } from '../../support/unicode-names.ts'
import { readWithLibxml, readWithSaxes } from '../../support/xml-parsers.ts'

const encoded: Record<string, string> = {
  '123': '_x0031_23',
  '7': '_x0037_',
  'plumber chicago': 'plumber_x0020_chicago',
  '24 hour plumber': '_x0032_4_x0020_hour_x0020_plumber',
  'example.com': 'example.com',
  '1800flowers.com': '_x0031_800flowers.com',
  'a.b-c_d': 'a.b-c_d',
  'a:b': 'a_x003A_b',
  a_xyz: 'a_x005F_xyz',
  _x0020_: '_x005F_x0020_',
  a_x005F_b: 'a_x005F_x005F_b',
  A_X0020_b: 'A_x005F_X0020_b',
  A_X0001F4A9_b: 'A_x005F_X0001F4A9_b',
  A_X002_b: 'A_X002_b',
  'xml sitemaps': '_x0078_ml_x0020_sitemaps',
  XMLfoo: '_x0058_MLfoo',
  xmas: 'xmas',
  a_: 'a_',
  _: '_',
  'a&b': 'a_x0026_b',
  'a<b': 'a_x003C_b',
  'c++': 'c_x002B__x002B_',
  '24/7': '_x0032_4_x002F_7',
  '$5 pizza': '_x0024_5_x0020_pizza',
  '-a': '_x002D_a',
  '.a': '_x002E_a',
  "bob's": 'bob_x0027_s',
  'a\u2019b': 'a_x2019_b',
  'a\u00a0b': 'a_x00A0_b',
  café: 'café',
  日本: '日本',
  '\u3007': '\u3007',
  '\u{1f4a9}': '_x0001F4A9_',
  'a\u2160': 'a_x2160_',
  '\u0301x': '_x0301_x',
  'a\u00b7b': 'a_x00B7_b',
  col·legi: 'col_x00B7_legi',
  हिन्दी: 'हिन_x094D_दी',
  น้ำ: 'น_x0E49_ำ',
  'cafe\u0301': 'cafe_x0301_',
  '\u212ea': '_x212E_a',
  'a\tb': 'a_x0009_b',
}

const legacy: Record<string, string> = {
  '123': '123',
  'plumber chicago': 'plumber-chicago',
  ' a b ': 'a-b',
  a_b: 'a-b',
  a__b: 'a--b',
  _lead: '_lead',
  trail_: 'trail_',
  __both_sides__: '__both-sides__',
  __: '__',
  'example.com': 'example.com',
  'Foo Bar': 'Foo-Bar',
  café: 'café',
  'a:b': 'a:b',
  'a&b': 'a_x0026_b',
  'a<b>"c"': 'a_x003C_b_x003E__x0022_c_x0022_',
  "bob's=1": 'bob_x0027_s_x003D_1',
  '24/7': '24_x002F_7',
  'a\tb\u0085c\u00a0d': 'a_x0009_b_x0085_c_x00A0_d',
  '!-- gone': '_x0021_---gone',
  '?php!': '_x003F_php!',
  '  ': '_x0020__x0020_',
  _x0020_: '_x005F_x0020_',
  __x0026_: '__x005F_x0026_',
  '_x0026&': '_x005F_x0026_x0026_',
  _X0020_: '_X0020_',
}

const anyName = fc.string({ unit: 'binary', minLength: 1 })

describe('encoded names', () => {
  for (const [raw, name] of Object.entries(encoded)) {
    test(`${JSON.stringify(raw)} is written ${name}`, () => {
      assert.equal(encodeName(raw), name)
      assert.equal(decodeName(name), raw)
    })
  }

  test('an empty text is no name', () => {
    assert.throws(() => encodeName(''), RangeError)
  })

  test('of all characters of the basic plane, 34,942 stand for themselves after the first: 179 fewer than the standard allows', () => {
    const allowed = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((c) => encodeName(`a${c}`) === `a${c}`)
    assert.equal(allowed.length, 35_121 - 179)
  })

  test('what is no escape is left alone when read back', () => {
    assert.equal(decodeName('_x12_ _xFFFFFFFF_ _x005F_x0020_'), '_x12_ _xFFFFFFFF_ _x0020_')
  })

  test('any text reads back from its name', () => {
    const tricky = fc.string({ unit: fc.constantFrom('_', 'x', 'X', '0', '2', 'F', ' ', 'm', 'l', ':'), minLength: 1, maxLength: 24 })
    fc.assert(fc.property(fc.oneof(anyName, tricky), (raw) => decodeName(encodeName(raw)) === raw))
  })

  test('any name is accepted by parsers', () => {
    fc.assert(
      fc.property(anyName, (raw) => {
        const name = encodeName(raw)
        return readWithLibxml(`<${name}/>`).name === name && readWithSaxes(`<${name}/>`).name === name
      }),
    )
  })
})

describe('names from all of Unicode', () => {
  test('are read by libxml2', () => {
    const documents = [...unicodeNameDocuments(16)]
    for (const document of documents) assert.equal(readWithLibxml(document).name, 'names')
    assert.equal(documents.join('').match(/\/>/g)?.length, 2 * (0x10000 - 0x800 + 0x100000 / 16))
  })

  test('hold nothing but what REXML takes: letters, digits, and the marks that Ruby calls alphabetic', () => {
    const taken = /^[\p{Alphabetic}_][\p{Alphabetic}\p{Nd}_.-]*$/u
    for (const document of unicodeNameDocuments(64)) {
      for (const [, name = ''] of document.matchAll(/<([^>]+)\/>/g)) assert.match(name, taken)
    }
  })
})

describe('legacy names', () => {
  for (const [raw, name] of Object.entries(legacy)) {
    test(`${JSON.stringify(raw)} is written ${name}`, () => assert.equal(legacyName(raw), name))
  }

  test('no text breaks out of its tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', minLength: 1 }), (raw) => /^[^\s<>&"'=/!?][^\s<>&"'=/]*$/.test(legacyName(raw))),
    )
  })

  test('a long row of underscores takes no longer than its length', async () => {
    const took = await processorTime(() => {
      legacyName(`a${'_'.repeat(200_000)}b`)
      legacyName(`a${' '.repeat(200_000)}b`)
    })
    assert.ok(took < 1_000)
  })
})
