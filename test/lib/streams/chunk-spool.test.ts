/** What a slow client has not taken yet waits in a file without a name, in order, and no half of an answer looks whole. */
import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ChunkSpool } from '../../../src/lib/streams/chunk-spool.ts'

async function all(spool: ChunkSpool): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let piece = await spool.next(); piece !== null; piece = await spool.next()) pieces.push(piece)
  return Buffer.concat(pieces)
}

describe('a spool of chunks', () => {
  const chunks = Array.from({ length: 5 }, (_, index) => Buffer.alloc(200_000 + index * 100_000, `chunk ${index} `))

  for (const areCompressed of [true, false]) {
    test(`gives back what was put in, read while it is filled (${areCompressed ? 'compressed before' : 'compressed here'})`, async () => {
      const spool = await ChunkSpool.open(areCompressed)
      const reading = all(spool)
      for (const chunk of chunks) await spool.append(chunk)
      spool.finish('full')
      assert.ok((await reading).equals(Buffer.concat(chunks)))
      await spool.close()
    })
  }

  test('fails for its reader when it will never be whole', async () => {
    const spool = await ChunkSpool.open(true)
    await spool.append(chunks[0] as Buffer)
    assert.ok((await spool.next())?.length)
    const waiting = spool.next()
    spool.finish('spoilt')
    await assert.rejects(waiting)
    await spool.close()
  })

  test('all spools together have a bound, and one that is closed makes room', async () => {
    const [first, second] = [await ChunkSpool.open(true, 500_000), await ChunkSpool.open(true, 500_000)]
    await first.append(chunks[1] as Buffer)
    await assert.rejects(second.append(chunks[1] as Buffer), /filled the room/)
    await first.close()
    await second.append(Buffer.alloc(200_000))
    await second.close()
  })

  test('has no name, so that a crash leaves nothing behind', async () => {
    const spool = await ChunkSpool.open(true)
    await spool.append(chunks[0] as Buffer)
    const open = readdirSync('/proc/self/fd').flatMap((descriptor) => targetOf(`/proc/self/fd/${descriptor}`))
    assert.deepEqual(
      open.filter((file) => file.includes('/marquee-') && !file.endsWith(' (deleted)')),
      [],
    )
    assert.ok(open.some((file) => file.includes('/marquee-')))
    await spool.close()
  })
})

/** None for the descriptor with which the folder itself was read. */
function targetOf(link: string): string[] {
  try {
    return [readlinkSync(link)]
  } catch {
    return []
  }
}
