/** Text that is made for long is sent as it comes, and never holds up anyone else for long. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { ChunkSource } from '../../../src/lib/streams/chunks.ts'
import { textSource } from '../../../src/lib/streams/text-source.ts'

async function* lines(count: number, milliseconds = 0): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) {
    for (const until = performance.now() + milliseconds; performance.now() < until; );
    yield `${index},Zürich\r\n`
  }
}

async function all(source: ChunkSource): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('text in chunks', () => {
  const whole = Array.from({ length: 20_000 }, (_, index) => `${index},Zürich\r\n`).join('')

  test('is the same text, plain and compressed', async () => {
    assert.equal((await all(textSource(lines(20_000), 'identity'))).toString(), whole)
    assert.equal(gunzipSync(await all(textSource(lines(20_000), 'gzip'))).toString(), whole)
  })

  test('lets others work every few milliseconds', async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 1)
    await all(textSource(lines(100, 2), 'identity'))
    clearInterval(counting)
    assert.ok(turns >= 15, `others worked ${turns} times in 200 ms`)
  })

  test('tells of a failure, and ends when nobody wants the rest', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'x'.repeat(100_000)
      throw new Error('the database is gone')
    }
    for (const coding of ['identity', 'gzip'] as const) await assert.rejects(all(textSource(broken(), coding)), /the database is gone/)
    let made = 0
    const source = textSource(
      (async function* () {
        for (; ; made++) yield 'x'.repeat(100_000)
      })(),
      'identity',
    )
    await source.next()
    source.stop()
    const before = made
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.ok(made - before <= 2)
  })
})
