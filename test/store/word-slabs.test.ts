/** Lists cut from slabs: as long as asked for, all zeros, and none shares a word with another. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newWords } from '../../src/store/word-slabs.ts'

describe('lists of words', () => {
  test('are zeros, and never share a word, short or long', () => {
    const lengths = Array.from({ length: 2_000 }, (_, index) => (index % 100 === 0 ? 1_000 + index : index % 40))
    const lists = lengths.map((length, index) => {
      const words = newWords(length)
      assert.ok(
        words.every((word) => word === 0),
        `the list ${index} was written to before`,
      )
      return words.fill(index)
    })
    for (const [index, words] of lists.entries()) {
      assert.equal(words.length, lengths[index])
      assert.ok(
        words.every((word) => word === index),
        `the list ${index} was overwritten`,
      )
    }
  })
})
