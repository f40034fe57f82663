/** Finished answers are kept within a bound: the least recently used goes first, and what is only being gathered counts too. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CachingSource, ChunkCache } from '../../../src/lib/streams/chunk-cache.ts'
import type { ChunkSource } from '../../../src/lib/streams/chunks.ts'

/** Chunks of so many bytes each; remembers what was given back and whether it was stopped. */
function sourceOf(...lengths: number[]) {
  const left = lengths.map((length, index) => new Uint8Array(new ArrayBuffer(length)).fill(index + 1))
  const state = { givenBack: 0, kept: 0, isStopped: false }
  const source: ChunkSource = {
    next: async () => left.shift() ?? null,
    taken: (chunk) => void (chunk === null ? state.kept++ : state.givenBack++),
    stop() {
      state.isStopped = true
    },
  }
  return { source, state }
}

async function drain(source: ChunkSource): Promise<number> {
  let bytes = 0
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) {
    bytes += chunk.length
    source.taken(chunk)
  }
  return bytes
}

describe('a cache of chunks', () => {
  test('holds the least recently used no longer than there is room', () => {
    const cache = new ChunkCache(100)
    for (const key of ['a', 'b']) {
      assert.ok(cache.reserve(40))
      cache.release(40)
      cache.set(key, Buffer.alloc(40))
    }
    assert.equal(cache.get('a')?.length, 40)
    assert.ok(cache.reserve(40))
    assert.equal(cache.get('b'), undefined)
    assert.equal(cache.get('a')?.length, 40)
    assert.equal(cache.reserve(101), false)
  })

  test('finds worth keeping what was looked for twice', () => {
    const cache = new ChunkCache(100)
    assert.equal(cache.isWorthKeeping('a'), false)
    cache.get('a')
    assert.equal(cache.isWorthKeeping('a'), false)
    cache.get('a')
    assert.equal(cache.isWorthKeeping('a'), true)
    cache.giveUp('a')
    cache.get('a')
    assert.equal(cache.isWorthKeeping('a'), false)
  })

  test('keeps an answer that came to its end, byte for byte', async () => {
    const cache = new ChunkCache(1_000)
    const { source, state } = sourceOf(10, 20, 5)
    assert.equal(await drain(new CachingSource(source, cache, 'a', 500)), 35)
    assert.deepEqual(cache.get('a'), Buffer.concat([Buffer.alloc(10, 1), Buffer.alloc(20, 2), Buffer.alloc(5, 3)]))
    assert.deepEqual(state, { givenBack: 0, kept: 3, isStopped: false })
  })

  test('gives up an answer that is too large, and passes it on whole', async () => {
    const cache = new ChunkCache(1_000)
    const { source, state } = sourceOf(10, 20, 5)
    assert.equal(await drain(new CachingSource(source, cache, 'a', 25)), 35)
    assert.equal(cache.get('a'), undefined)
    assert.ok(state.givenBack >= 1)
    assert.ok(cache.reserve(1_000), 'what was gathered is still counted')
  })

  test('keeps nothing of an answer that nobody wanted to its end', async () => {
    const cache = new ChunkCache(1_000)
    const { source, state } = sourceOf(10, 20, 5)
    const caching = new CachingSource(source, cache, 'a', 500)
    caching.taken(await caching.next())
    caching.stop()
    assert.equal(state.isStopped, true)
    assert.equal(cache.get('a'), undefined)
    assert.ok(cache.reserve(1_000), 'what was gathered is still counted')
  })
})
