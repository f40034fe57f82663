/** Requests in XML: what partners' clients have always sent is read, and nothing else. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { branch, member, scalar } from '../../../src/lib/body/tree.ts'
import { readXml } from '../../../src/lib/body/xml-reader.ts'
import { escapeText } from '../../../src/lib/xml/xml.ts'
import { processorTime } from '../../support/processor-time.ts'
import { fc } from '../../support/properties.ts'
import { neverBreaks, refusal } from '../../support/readers.ts'
import { letsOthersWork } from '../../support/turns.ts'

const limits = { depth: 8, elements: 100 }
const read = (xml: string | Uint8Array) => readXml(typeof xml === 'string' ? new TextEncoder().encode(xml) : xml, limits)
const email = scalar('email', 'text', 'dana@acme.example')

describe('XML as clients send it', () => {
  test('a user with hyphens or underscores in the names', async () => {
    const node = await read(
      '<?xml version="1.0" encoding="UTF-8"?>\n<user>\n  <account-id type="integer">5</account-id><a_b>x</a_b>\n</user>\n',
    )
    assert.deepEqual(node, branch('user', 'map', [scalar('account_id', 'text', '5'), scalar('a_b', 'text', 'x')]))
  })

  test('a byte order mark and blanks before the declaration', async () => {
    assert.deepEqual(await read('\ufeff \r\n\t<?xml version="1.0"?><email>dana@acme.example</email>'), email)
    assert.deepEqual(await read('\n\ufeff<email>dana@acme.example</email>'), email)
  })

  test('nulls, lists and everything else', async () => {
    const node = await read(
      '<a><b nil="true"/><c nil="1">x</c><d type="array"> <e>1</e><f/> </d><g type="array"/><h type="yaml">--- x</h><i/></a>',
    )
    assert.deepEqual(node.children, [
      scalar('b', 'null', ''),
      scalar('c', 'text', 'x'),
      branch('d', 'list', [scalar('e', 'text', '1'), scalar('f', 'text', '')]),
      branch('g', 'list', []),
      scalar('h', 'text', '--- x'),
      scalar('i', 'text', ''),
    ])
  })

  test('text is kept as it is: blanks, CDATA, references, comments left out', async () => {
    assert.equal((await read('<a>  x&amp;<!-- & --><![CDATA[<&constructor;>]]>&#65;&#x42;&quot; </a>')).text, '  x&<&constructor;>AB" ')
  })

  test('a long text is the same, wherever the pieces in which it is parsed end', async () => {
    for (let before = 0; before < 24; before += 1) {
      const text = `${'x'.repeat(4_080 + before)}\u{1f4a9}&\r\n<]]>${'y'.repeat(9_000)}`
      const parsed = await read(
        `<a><b>${escapeText(text)}</b><!-- ${'-'.repeat(5_000).replaceAll('--', '- ')} --><![CDATA[${' '.repeat(5_000)}]]></a>`,
      )
      assert.equal(member(parsed, 'b')?.text, text)
    }
  })

  test('a name of the language itself is a name like any other', async () => {
    assert.equal(member(await read('<a><__proto__>x</__proto__></a>'), '__proto__')?.text, 'x')
  })

  test('encodings that are UTF-8, in any case', async () => {
    for (const encoding of ['utf-8', 'UTF-8', 'us-ascii']) await read(`<?xml version="1.0" encoding="${encoding}"?><a/>`)
  })

  test('any text written by us is read back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => (await read(`<a>${escapeText(text)}</a>`)).text === text),
    )
  })
})

describe('XML that is refused', () => {
  const refused: Record<string, [xml: string | Uint8Array, sentence: RegExp]> = {
    'an end tag that is missing': ['<a>\n  <b>x\n</a>', /^The XML is not well-formed: unexpected close tag \(line 3, column 4\)\.$/],
    'a bare ampersand, where it stands': ['<a>\n <b>AT&T</b></a>', /an & that begins none .*\(line 2, column 7\)\.$/],
    'an ampersand after blanks before the declaration': ['\n\n<a>&</a>', /\(line 3, column 4\)\.$/],
    'an entity of its own': ['<a>&euro;</a>', /line 1, column 4/],
    'a name every object has': ['<a>&constructor;</a>', /line 1, column 4/],
    'an empty body': ['', /must contain a root element \(line 1, column 1\)/],
    'two roots': ['<a/><b/>', /one root/],
    'a DOCTYPE': ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /a DOCTYPE is not accepted/],
    'entities of a DOCTYPE': ['<!DOCTYPE a [<!ENTITY b "c">]><a>x</a>', /a DOCTYPE is not accepted/],
    'a processing instruction': ['<?xml-stylesheet href="x"?><a/>', /processing instructions are not accepted/],
    'another encoding': ['<?xml version="1.0" encoding="ISO-8859-1"?><a/>', /the encoding must be UTF-8/],
    'bytes that are not UTF-8': [Uint8Array.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]), /^The body is not valid UTF-8\.$/],
    'UTF-16': [new Uint8Array(Buffer.from('\ufeff<a/>', 'utf16le')), /not valid UTF-8/],
    'an undeclared prefix': ['<x:a/>', /unbound namespace prefix/],
    'a control character, in version 1.1 too': ['<?xml version="1.1"?><a>&#1;</a>', /malformed character entity/],
    'text beside elements': ['<a>x<b/></a>', /text beside elements \(line 1, column 12\)/],
    'text in a list': ['<a type="array">x</a>', /text beside elements/],
    'nine attributes': [`<a ${[...'bcdefghij'].map((name) => `${name}="1"`).join(' ')}/>`, /8 attributes at most/],
    'nine levels': ['<a>'.repeat(9) + '</a>'.repeat(9), /nested deeper than 8 levels \(line 1, column 27\)/],
    'a hundred thousand levels': ['<a>'.repeat(100_000), /nested deeper/],
    'a hundred and one elements': [`<a>${'<b/>'.repeat(100)}</a>`, /more than 100 elements/],
  }
  for (const [title, [xml, sentence]] of Object.entries(refused)) {
    test(title, async () => assert.match(await refusal(() => read(xml)), sentence))
  }

  test('eight levels, eight attributes and a hundred elements are not', async () => {
    await read('<a>'.repeat(8) + '</a>'.repeat(8))
    await read(`<a>${'<b/>'.repeat(99)}</a>`)
    await read(`<a>${`<b ${[...'bcdefghi'].map((name) => `${name}="1"`).join(' ')}/>`.repeat(2)}</a>`)
  })

  test('a long name is not sent back whole', async () => {
    assert.ok((await refusal(() => read(`<${'a'.repeat(60_000)}>`))).length < 300)
  })
})

describe('whatever comes', () => {
  test('is a tree or malformed', async () => {
    const pieces = [
      '<a>',
      '</a>',
      '<b c="d">',
      '</b>',
      '&amp;',
      '&',
      ';',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!DOCTYPE',
      '<?xml ?>',
      '>',
      '"',
      '\ud83d',
      ' ',
    ]
    await neverBreaks(read, pieces)
  })

  test('lets others work while it is read', async () => {
    await letsOthersWork(() => readXml(Buffer.from(`<a>${'<b>1</b>'.repeat(100_000)}</a>`), { depth: 8, elements: 400_000 }))
  })

  test('takes time in proportion to its length', async () => {
    const took = await processorTime(async () => {
      for (const piece of ['<!--', '<![CDATA[', '&#', '<a ', ']]', '<!DOCTYPE ', '<?']) {
        await refusal(() => read(`<a>${piece.repeat(256_000 / piece.length)}`))
      }
    })
    assert.ok(took < 2_000)
  })
})
