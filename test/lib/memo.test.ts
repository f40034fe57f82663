/** What was made of a text is made once, as long as there is room for it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Lru, memo } from '../../src/lib/memo.ts'

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

describe('a map of the least recently used', () => {
  test('holds what a plain list of last uses would hold, after any number of uses', () => {
    const [lru, list] = [new Lru<number, number>(50), [] as number[]]
    let seed = 1
    for (let step = 0; step < 20_000; step++) {
      seed = (seed * 48_271) % 2_147_483_647
      const key = seed % 120
      const isKnown = list.includes(key)
      assert.equal(lru.get(key) !== undefined, isKnown)
      if (isKnown) list.splice(list.indexOf(key), 1)
      else lru.set(key, key)
      list.push(key)
      if (list.length > 50) list.shift()
    }
  })
})
