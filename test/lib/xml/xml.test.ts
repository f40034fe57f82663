/** Text inside XML: whatever the text, parsers that had no part in writing it read it back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { escapeAttribute, escapeText, hasForbiddenCharacters, scrub } from '../../../src/lib/xml/xml.ts'
import { fc } from '../../support/properties.ts'
import { readWithLibxml, readWithSaxes } from '../../support/xml-parsers.ts'

const nasty = fc.constantFrom(...'\0\b\t\n\v\r\x1f\x7f\x85\ufffe\uffff&<>"', '\ud83d', '\udca9', ']]>')
const anyText = fc.string({ unit: fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 3 })) })

describe('text in an element', () => {
  test('markup characters are escaped, quotes stay', () => {
    assert.equal(escapeText(`a & b < c > d "e" 'f'`), `a &amp; b &lt; c &gt; d "e" 'f'`)
    assert.equal(escapeText('&amp; ]]>'), '&amp;amp; ]]&gt;')
  })

  test('white space stays, a carriage return survives as a reference', () => {
    assert.equal(escapeText('  a\t\n\r\n '), '  a\t\n&#13;\n ')
  })

  test('characters beyond ASCII stay, those of Windows-1252 too', () => {
    assert.equal(escapeText('café \u{1f4a9} \x80\x85\x9f\x7f'), 'café \u{1f4a9} \x80\x85\x9f\x7f')
  })

  test('forbidden characters and halves of surrogate pairs become U+FFFD', () => {
    assert.equal(escapeText('\0\x08\x0b\x0c\x0e\x1f\ufffe\uffff'), '\ufffd'.repeat(8))
    assert.equal(escapeText('\ud83d & \udca9 \u{1f4a9}'), '\ufffd &amp; \ufffd \u{1f4a9}')
  })

  test('any text reads back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const xml = `<a>${escapeText(text)}</a>`
        assert.equal(readWithLibxml(xml).text, scrub(text))
        assert.equal(readWithSaxes(xml).text, scrub(text))
      }),
      { numRuns: 500 },
    )
  })
})

describe('text in an attribute', () => {
  test('the quote and white space are escaped too', () => {
    assert.equal(escapeAttribute(`a"b'c\td\ne\rf<g>&`), `a&quot;b'c&#9;d&#10;e&#13;f&lt;g&gt;&amp;`)
  })

  test('any text reads back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const xml = `<a b="${escapeAttribute(text)}"/>`
        assert.equal(readWithLibxml(xml).attributes.b, scrub(text))
        assert.equal(readWithSaxes(xml).attributes.b, scrub(text))
      }),
      { numRuns: 500 },
    )
  })
})

describe('forbidden characters', () => {
  test('are exactly those XML 1.0 leaves out', () => {
    const allowed = (code: number) =>
      [0x9, 0xa, 0xd].includes(code) || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000
    for (let code = 0; code <= 0x10ffff; code += code > 0x10000 ? 0x1fff : 1) {
      assert.equal(hasForbiddenCharacters(`a${String.fromCodePoint(code)}b`), !allowed(code), `U+${code.toString(16)}`)
    }
  })

  test('a scrubbed text has none left, and a text without any is not changed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(hasForbiddenCharacters(scrub(text)), false)
        assert.equal(scrub(text).length, text.length)
        if (!hasForbiddenCharacters(text)) assert.equal(scrub(text), text)
      }),
    )
  })
})
