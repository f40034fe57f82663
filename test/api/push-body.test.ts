/** The body of a push is read in short slices, and reading ends early where it is pointless. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as otherWork } from 'node:timers/promises'
import { maxRecords, maxUnreadable, pushedRecords } from '../../src/api/push-body.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import type { Upload } from '../../src/http/upload.ts'
import { Failure } from '../../src/lib/failures.ts'
import { nastyPushes } from '../hard/support/nasty-pushes.ts'

/** Ten are promised, of which the collector of garbage and the compiler know nothing. */
const mostMillisecondsHeld = 25
/** Making these bodies takes longer than reading them; the hard goal sends all. */
const everySoMany = 5
const mostMilliseconds = 3_000

const listening = { response: { destroyed: false } } as Exchange

describe('the body of a push', () => {
  for (const { name, headers, body } of nastyPushes().filter((_, index) => index % everySoMany === 0)) {
    test(`${name}: no slice is long`, async () => {
      const bytes = body?.() ?? Buffer.alloc(0)
      const { longest, total } = await readInSlices(uploadOf(bytes), headers?.['content-encoding'] === 'gzip' ? 'gzip' : 'identity')
      assert.ok(longest < mostMillisecondsHeld, `a slice took ${longest} ms`)
      assert.ok(total < mostMilliseconds, `all took ${total} ms`)
    })
  }

  test('reading stops at the record after the hundredth that is not JSON, and says so', async () => {
    const broken = (count: number) => uploadOf(Buffer.from('x\n'.repeat(count)))
    assert.equal((await recordsOf(broken(maxUnreadable))).length, maxUnreadable)
    await assert.rejects(recordsOf(broken(maxUnreadable + 1)), refusal('malformed_body', 'stopped at record 101'))
  })

  test('there may be so many records and blank lines, and no more', async () => {
    assert.equal((await recordsOf(uploadOf(Buffer.from('{}\n'.repeat(maxRecords - 1))))).length, maxRecords - 1)
    await assert.rejects(recordsOf(uploadOf(Buffer.from('\n'.repeat(maxRecords + 1)))), refusal('too_large', '250,000'))
  })

  test('reading stops when the client has gone', async () => {
    const gone = { response: { destroyed: true } } as Exchange
    await assert.rejects(recordsOf(uploadOf(Buffer.from('{}\n'.repeat(10))), gone), refusal('malformed_body', 'went away'))
  })
})

function uploadOf(body: Buffer): Upload {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += 32_768) {
      await otherWork()
      yield body.subarray(at, at + 32_768)
    }
  }
  return { bytes: body.length, chunks, close: async () => {} }
}

async function recordsOf(upload: Upload, exchange = listening) {
  return (await Array.fromAsync(pushedRecords(upload, 'identity', exchange))).flat()
}

function refusal(code: Failure['code'], words: string) {
  return (error: unknown) => error instanceof Failure && error.code === code && error.message.includes(words)
}

/** The longest of a hundred slices, and all, in time of the processor, which a busy machine does not change. */
async function readInSlices(upload: Upload, encoding: 'gzip' | 'identity'): Promise<{ longest: number; total: number }> {
  const slices: number[] = []
  const state = { last: threadMilliseconds(), isOver: false }
  const startedAt = state.last
  const look = () => {
    const now = threadMilliseconds()
    slices.push(now - state.last)
    state.last = now
    if (!state.isOver) setImmediate(look)
  }
  look()
  try {
    for await (const _batch of pushedRecords(upload, encoding, listening)) await otherWork()
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
  }
  state.isOver = true
  const longest = slices.toSorted((a, b) => a - b)[Math.floor(slices.length * 0.99)] ?? 0
  return { longest, total: threadMilliseconds() - startedAt }
}

function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
