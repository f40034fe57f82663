/** Chunks are filled with texts and bytes in any mixture, and none of it is lost where one chunk ends and the next begins. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BufferPool, ChunkWriter, chunkBytes } from '../../../src/lib/streams/chunks.ts'

function gathering() {
  const written: Buffer[] = []
  const pages = new ChunkWriter((page) => written.push(Buffer.from(page)), new BufferPool())
  return { pages, written }
}

function put(pages: ChunkWriter, bytes: Uint8Array): void {
  pages.roomFor(bytes.length).set(bytes, pages.filled)
  pages.fillTo(pages.filled + bytes.length)
}

describe('pages', () => {
  test('hold what was put in by hand between what was added', () => {
    const { pages, written } = gathering()
    const expected: Buffer[] = []
    for (let index = 0; index < 20_000; index++) {
      const [text, bytes] = [`text ${index} é💩`, Buffer.from(`bytes of any length ${'x'.repeat(index % 50)}`)]
      pages.addText(text)
      put(pages, bytes)
      pages.addBytes(bytes)
      expected.push(Buffer.from(text), bytes, bytes)
    }
    pages.flush()
    assert.ok(written.length > 3)
    assert.ok(Buffer.concat(expected).equals(Buffer.concat(written)))
  })

  test('are turned when too little room is left in a row, and not before', () => {
    const { pages, written } = gathering()
    put(pages, new Uint8Array(chunkBytes - 10))
    assert.equal(pages.roomFor(10).length - pages.filled, 10)
    assert.equal(written.length, 0)
    pages.roomFor(11)
    assert.deepEqual([written.length, written[0]?.length, pages.filled], [1, chunkBytes - 10, 0])
  })
})
