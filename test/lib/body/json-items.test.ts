import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { JsonItemReader } from '../../../src/lib/body/json-items.ts'
import { Failure } from '../../../src/lib/failures.ts'

/** The items of the text, given in pieces of so many bytes; null stands for one that is too long. */
function itemsOf(text: string, size = 1_000, maxItemBytes = 1_000): (string | null)[] {
  const reader = new JsonItemReader(maxItemBytes)
  const bytes = Buffer.from(text)
  const found: (string | null)[] = []
  for (let at = 0; at < bytes.length; at += size) {
    for (const item of reader.items(bytes.subarray(at, at + size))) found.push(item?.toString() ?? null)
  }
  reader.end()
  return found
}

describe('items of a JSON array', () => {
  const items = ['{"a":"],[\\"}"}', ' [1,[2]] ', 'null', '"\\\\"', '{"é":"日本"}', '']

  test('are told apart whatever they hold, in pieces of any size', () => {
    for (const size of [1, 2, 3, 5, 1_000]) assert.deepEqual(itemsOf(` [${items.join(',')}]\n`, size), items)
    assert.deepEqual(itemsOf('\ufeff[ ]'), [])
    assert.deepEqual(itemsOf('[,]'), ['', ''])
  })

  test('that are too long are left out, and those beside them stay', () => {
    const long = `"${'x'.repeat(50)}"`
    for (const size of [1, 7, 1_000]) assert.deepEqual(itemsOf(`[1,${long},2]`, size, 20), ['1', null, '2'])
  })

  test('are none where there is no array', () => {
    for (const text of ['', '{}', '[', ']', '[]]', '[[]', '[{]', '[}', '[1] 2', '["a]']) {
      assert.throws(
        () => itemsOf(text),
        (error) => error instanceof Failure && error.code === 'malformed_body',
        text,
      )
    }
  })
})
