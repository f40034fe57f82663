/** What was made of a text is made once, as long as there is room for it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memo } from '../../src/lib/memo.ts'

function counting(bounds: { most: number; longest: number }) {
  const made: string[] = []
  const ask = memo(bounds, (text) => {
    made.push(text)
    return text.toUpperCase()
  })
  return { made, ask }
}

describe('a memory of texts', () => {
  test('gives again what it made, and makes nothing twice', () => {
    const { made, ask } = counting({ most: 2, longest: 5 })
    assert.deepEqual([ask('a'), ask('a'), ask('b'), ask('a')], ['A', 'A', 'B', 'A'])
    assert.deepEqual(made, ['a', 'b'])
  })

  test('forgets the oldest when it is full', () => {
    const { made, ask } = counting({ most: 2, longest: 5 })
    for (const text of ['a', 'b', 'c', 'b', 'a']) ask(text)
    assert.deepEqual(made, ['a', 'b', 'c', 'a'])
  })

  test('does not hold on to long texts', () => {
    const { made, ask } = counting({ most: 2, longest: 5 })
    for (const text of ['abcdef', 'abcde', 'abcdef', 'abcde']) ask(text)
    assert.deepEqual(made, ['abcdef', 'abcde', 'abcdef'])
  })
})
