/** Requests as forms: flat, nested and with lists, as plain HTTP libraries have always sent them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readForm } from '../../../src/lib/body/form-reader.ts'
import { branch, member, scalar } from '../../../src/lib/body/tree.ts'
import { processorTime } from '../../support/processor-time.ts'
import { fc } from '../../support/properties.ts'
import { neverBreaks, refusal } from '../../support/readers.ts'
import { letsOthersWork } from '../../support/turns.ts'

const limits = { depth: 8, elements: 32_000 }
const read = (form: string | Uint8Array) => readForm(typeof form === 'string' ? new TextEncoder().encode(form) : form, limits)
const text = (name: string, value: string) => scalar(name, 'text', value)
const show = (id: string) => branch('', 'map', [text('key', 'show'), text('scope_id', id)])

describe('a form as clients send it', () => {
  test('flat fields', async () => {
    assert.deepEqual(await read('email=dana%40acme.example&account-id=5&&name=&x'), {
      ...branch('', 'map', [text('email', 'dana@acme.example'), text('account_id', '5'), text('name', ''), text('x', '')]),
    })
  })

  test('fields under their root, its brackets escaped or not', async () => {
    const user = branch('', 'map', [branch('user', 'map', [text('email', 'a'), text('name', 'b')])])
    assert.deepEqual(await read('user[email]=a&user%5Bname%5D=b'), user)
  })

  test('plus is a space, %2B a plus, an equals sign belongs to the value', async () => {
    assert.equal((await read('a=1+2%2B3=6')).children[0]?.text, '1 2+3=6')
  })

  test('abilities by index, in whatever order', async () => {
    const node = await read('abilities[0][key]=show&abilities[1][key]=show&abilities[0][scope_id]=8&abilities[1][scope-id]=9')
    assert.deepEqual(node.children, [branch('abilities', 'list', [show('8'), show('9')])])
  })

  test('abilities without index: a new one begins when a key repeats', async () => {
    const node = await read('abilities[][key]=show&abilities[][scope_id]=8&abilities[][key]=show&abilities[][scope_id]=9')
    assert.deepEqual(node.children, [branch('abilities', 'list', [show('8'), show('9')])])
  })

  test('a repeated key deeper inside begins a new item, too', async () => {
    const item = (value: string) => branch('', 'map', [branch('b', 'map', [text('c', value)])])
    assert.deepEqual((await read('a[][b][c]=1&a[][b][c]=2')).children, [branch('a', 'list', [item('1'), item('2')])])
  })

  test('lists of plain values, and lists inside items', async () => {
    assert.deepEqual((await read('a[]=1&a[]=2')).children, [branch('a', 'list', [text('', '1'), text('', '2')])])
    const inner = branch('b', 'list', [text('', '1'), text('', '2')])
    assert.deepEqual((await read('a[][b][]=1&a[][b][]=2')).children, [branch('a', 'list', [branch('', 'map', [inner])])])
  })

  test('any text is read back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        async (value) => (await read(new URLSearchParams({ a: value }).toString())).children[0]?.text === value,
      ),
    )
  })
})

describe('a field given twice', () => {
  for (const form of ['user[a]=1&user[a]=1', 'user[a]=1&user[a][b]=2', 'user[a][b]=1&user[a]=2', 'user[a][]=1&user[a][b]=2']) {
    test(form, async () => {
      const user = member(await read(form), 'user')
      assert.equal(await refusal(() => user && member(user, 'a')), 'The field a is given twice.')
    })
  }

  test('with a hyphen and an underscore', async () => {
    assert.equal(
      await refusal(async () => member(await read('account-id=1&account_id=2'), 'account_id')),
      'The field account_id is given twice.',
    )
  })

  for (const form of ['a[0]=1&a[0]=2', 'a[0][b]=1&a[0]=2', 'a[0]=1&a[0][b]=2', 'a[0][]=1&a[0][b]=2']) {
    test(form, async () => assert.equal(await refusal(() => read(form)), 'The item 0 of the list a is given twice.'))
  }
})

describe('a form that is refused', () => {
  const refused: Record<string, RegExp> = {
    'a=%zz': /a percent escape that is not valid/,
    'a=%': /a percent escape that is not valid/,
    '%ff=1': /a percent escape that is not valid/,
    'a=%ed%a0%80': /a percent escape that is not valid/,
    '=1': /The field name {2}is not well-formed/,
    'a[b=1': /The field name a\[b is not well-formed/,
    'a]=1': /is not well-formed/,
    'a[b]c=1': /is not well-formed/,
    'a[[b]]=1': /is not well-formed/,
    'a[b][c][d][e][f][g][h][i]=1': /nested deeper than 8 levels/,
    ['a=1&'.repeat(32_001)]: /more than 32000 fields/,
  }
  test('more fields than the address takes', async () => {
    const few = { depth: 8, elements: 2 }
    assert.equal((await readForm(Buffer.from('a=1&b=2'), few)).children.length, 2)
    assert.match(await refusal(() => readForm(Buffer.from('a=1&b=2&c=3'), few)), /more than 2 fields/)
  })
  for (const [form, sentence] of Object.entries(refused)) {
    test(form.slice(0, 40), async () => assert.match(await refusal(() => read(form)), sentence))
  }

  test('bytes that are not UTF-8', async () => {
    assert.equal(await refusal(() => read(Uint8Array.from([0x61, 0x3d, 0xff]))), 'The body is not valid UTF-8.')
  })
})

describe('whatever comes', () => {
  test('is a tree or malformed', async () => {
    await neverBreaks(read, [
      'a',
      'b',
      '[',
      ']',
      '[]',
      '[0]',
      '[1]',
      '[b]',
      '=',
      '=1',
      '&',
      '&a',
      '%',
      '%5B',
      '%ff',
      '+',
      '-',
      '_',
      '__proto__',
    ])
  })

  test('lets others work while it is read', async () => {
    await letsOthersWork(() => readForm(Buffer.from('a[][b]=1&'.repeat(300_000)), { depth: 8, elements: 400_000 }))
  })

  test('takes time in proportion to its length', async () => {
    const took = await processorTime(async () => {
      await read(Array.from({ length: 32_000 }, (_, at) => `a[][k${at % 4}]=1`).join('&'))
      await read(Array.from({ length: 32_000 }, (_, at) => `a[${at}]=1`).join('&'))
      await refusal(() => read('a[b'.repeat(80_000)))
    })
    assert.ok(took < 2_000)
  })
})
