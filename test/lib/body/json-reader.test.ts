/** Requests in JSON: read as the standard says, and a member sent twice stays visible. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readJson } from '../../../src/lib/body/json-reader.ts'
import { branch, member, type Node, scalar } from '../../../src/lib/body/tree.ts'
import { processorTime } from '../../support/processor-time.ts'
import { fc } from '../../support/properties.ts'
import { neverBreaks, refusal } from '../../support/readers.ts'
import { letsOthersWork } from '../../support/turns.ts'

const limits = { depth: 8, elements: 100 }
const read = (json: string | Uint8Array) => readJson(typeof json === 'string' ? new TextEncoder().encode(json) : json, limits)

const unfolded = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((character) => character !== '-')

describe('JSON as clients send it', () => {
  test('every kind of value', async () => {
    const node = await read(
      ' {"user": {"account-id": 5, "name": "Dana", "owner": true, "x": false, "y": null, "z": [], "a": [1, {"b": ""}]}}\r\n',
    )
    assert.deepEqual(
      node,
      branch('', 'map', [
        branch('user', 'map', [
          scalar('account_id', 'number', '5'),
          scalar('name', 'text', 'Dana'),
          scalar('owner', 'boolean', 'true'),
          scalar('x', 'boolean', 'false'),
          scalar('y', 'null', ''),
          branch('z', 'list', []),
          branch('a', 'list', [scalar('', 'number', '1'), branch('', 'map', [scalar('b', 'text', '')])]),
        ]),
      ]),
    )
  })

  test('a byte order mark before it', async () => {
    assert.deepEqual(await read('\ufeff{}'), branch('', 'map', []))
  })

  test('numbers keep their digits', async () => {
    for (const number of ['0', '-0', '12345678901234567890', '1.50', '1e5', '1E+05', '-2.5e-3']) {
      assert.deepEqual(await read(number), scalar('', 'number', number))
    }
  })

  test('escapes, halves of surrogate pairs as they are', async () => {
    assert.equal((await read(String.raw`"\"\\\/\b\f\n\r\t\u00e9\ud83d\udca9"`)).text, '"\\/\b\f\n\r\té\u{1f4a9}')
    assert.equal((await read(String.raw`"a\ud83d"`)).text, 'a\ud83d')
    assert.equal((await read(String.raw`"\u0000"`)).text, '\0')
  })

  test('any value reads as JSON.parse reads it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4, stringUnit: unfolded }), fc.constantFrom(0, 2), async (value, indent) => {
        const json = JSON.stringify(value, null, indent)
        assert.deepEqual(plain(await readJson(new TextEncoder().encode(json), { depth: 9, elements: 10_000 })), JSON.parse(json))
      }),
    )
  })
})

describe('a member given twice', () => {
  test('is refused when it is asked for', async () => {
    assert.equal(await refusal(async () => member(await read('{"email": "a", "email": "a"}'), 'email')), 'The field email is given twice.')
  })

  test('is refused with a hyphen and an underscore, too', async () => {
    assert.equal(
      await refusal(async () => member(await read('{"account-id": 1, "account_id": 2}'), 'account_id')),
      'The field account_id is given twice.',
    )
  })

  test('hurts nobody when it is not asked for', async () => {
    assert.equal(member(await read('{"x": 1, "x": 2, "email": "a"}'), 'email')?.text, 'a')
    assert.equal(member(await read('{"__proto__": 1}'), 'constructor'), undefined)
  })
})

describe('JSON that is refused', () => {
  const refused: Record<string, RegExp> = {
    '': /^The JSON is not well-formed: a value was expected \(line 1, column 1\)\.$/,
    '{\n  "a": 1,\n  "b" 2\n}': /a colon was expected \(line 3, column 7\)/,
    '{"a": 1,}': /a name in double quotes was expected \(line 1, column 9\)/,
    '[1,]': /a value was expected \(line 1, column 4\)/,
    '[1 2]': /a comma or \] was expected/,
    '{"a":1 "b":2}': /a comma or \} was expected/,
    "{'a': 1}": /a name in double quotes/,
    '{a: 1}': /a name in double quotes/,
    '01': /nothing may follow the value \(line 1, column 2\)/,
    '+1': /a value was expected/,
    '.5': /a value was expected/,
    NaN: /a value was expected/,
    nul: /a value was expected/,
    '{} {}': /nothing may follow/,
    '// a\n{}': /a value was expected/,
    '"abc': /a string has no end \(line 1, column 5\)/,
    '"a\nb"': /a control character in a string/,
    '"\\x41"': /an unknown escape/,
    '"\\u12"': /an unknown escape/,
    '\u00a0{}': /a value was expected/,
    [`${'['.repeat(9)}${']'.repeat(9)}`]: /nested deeper than 8 levels \(line 1, column 9\)/,
    ['['.repeat(100_000)]: /nested deeper/,
    [`[${Array(100).fill('1')}]`]: /more than 100 values/,
  }
  for (const [json, sentence] of Object.entries(refused)) {
    test(JSON.stringify(json.slice(0, 30)), async () => assert.match(await refusal(() => read(json)), sentence))
  }

  test('bytes that are not UTF-8', async () => {
    assert.equal(await refusal(() => read(Uint8Array.from([0x22, 0xc3, 0x22]))), 'The body is not valid UTF-8.')
  })

  test('eight levels and a hundred values are not', async () => {
    await read(`${'['.repeat(8)}${']'.repeat(8)}`)
    await read(`[${Array(99).fill('1')}]`)
    await read(`[${Array(20).fill('[]')}]`)
  })
})

describe('whatever comes', () => {
  test('is a tree or malformed', async () => {
    await neverBreaks(read, ['{', '}', '[', ']', ',', ':', '"', '"a"', '1', '-', 'e5', 'true', 'null', '\\', '\\u', 'd83d', ' ', '\n'])
  })

  test('lets others work while it is read', async () => {
    await letsOthersWork(() => readJson(Buffer.from(`[${Array(100_000).fill('{"a":[1]}')}]`), { depth: 8, elements: 400_000 }))
  })

  test('takes time in proportion to its length', async () => {
    const took = await processorTime(async () => {
      await readJson(new TextEncoder().encode(`"${'\\n'.repeat(500_000)}"`), limits)
      await refusal(() => read(`"${'\\n'.repeat(500_000)}`))
      await refusal(() => read(' '.repeat(1_000_000)))
    })
    assert.ok(took < 2_000)
  })
})

function plain(node: Node): unknown {
  if (node.kind === 'list') return node.children.map(plain)
  if (node.kind === 'map')
    return JSON.parse(`{${node.children.map((child) => `${JSON.stringify(child.name)}:${JSON.stringify(plain(child))}`)}}`)
  return node.kind === 'text' ? node.text : JSON.parse(node.kind === 'null' ? 'null' : node.text)
}
