/** What was made of a text is made once, as long as there is room for it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Lru, memo } from '../../src/lib/memo.ts'
import { processorTime } from '../support/processor-time.ts'

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
  test('holds the half that was used last, and never more than its bound, after any number of uses', () => {
    const [most, keys] = [50, 120]
    const [lru, list] = [new Lru<number, number>(most), [] as number[]]
    let seed = 1
    for (let step = 0; step < 20_000; step++) {
      seed = (seed * 48_271) % 2_147_483_647
      const key = seed % keys
      const isKnown = lru.get(key) !== undefined
      if (list.slice(-most / 2).includes(key)) assert.ok(isKnown, `step ${step}`)
      if (!isKnown) lru.set(key, key)
      if (list.includes(key)) list.splice(list.indexOf(key), 1)
      list.push(key)
    }
    const held = Array.from({ length: keys }, (_, key) => lru.get(key)).filter((value) => value !== undefined)
    assert.ok(held.length >= most / 2 && held.length <= most, `${held.length} are held`)
  })

  test('a value that is set again is the newer one', () => {
    const lru = new Lru<string, number>(4)
    for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) lru.set(key, value)
    lru.set('a', 9)
    assert.equal(lru.get('a'), 9)
    lru.set('d', 4)
    assert.equal(lru.get('a'), 9)
  })

  test('a key that is used in turn with new ones costs as little as they do', async () => {
    const lru = new Lru<string, number>(10_000)
    const used = await processorTime(() => {
      for (let index = 0; index < 100_000; index += 1)
        for (const key of ['site.example', `rival${index}.example`]) if (lru.get(key) === undefined) lru.set(key, index)
    })
    assert.ok(used < 1_000, `${used} ms`)
  })
})
