/** The body of a push is read in short slices, and reading ends early where it is pointless. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as otherWork } from 'node:timers/promises'
import { maxRecords, maxUnreadable, pushedRecords } from '../../src/api/push-body.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import type { Upload } from '../../src/http/upload.ts'
import { Failure } from '../../src/lib/failures.ts'
import { nastyPushes } from '../hard/support/nasty-pushes.ts'

/** Making these bodies takes longer than reading them; the hard goal sends all, and measures the time of a slice. */
const everySoMany = 5
const mostRecords = 250
const mostMembers = 1_001

const listening = { response: { destroyed: false } } as Exchange

describe('the body of a push', () => {
  for (const { name, headers, body } of nastyPushes().filter((_, index) => index % everySoMany === 0)) {
    test(`${name}: no slice holds much`, async () => {
      const upload = uploadOf(body?.() ?? Buffer.alloc(0))
      await lookAtSlices(upload, headers?.['content-encoding'] === 'gzip' ? 'gzip' : 'identity')
    })
  }

  test('a slice ends after so many lines, be they blank', async () => {
    const lines = 10_000
    let slices = 0
    for await (const _slice of pushedRecords(uploadOf(Buffer.from('\n'.repeat(lines))), 'identity', listening)) slices += 1
    assert.equal(slices, lines / mostRecords)
  })

  test('a slice ends with the long record that fills it', async () => {
    const record = `{"detail":"${'x'.repeat(70_000)}"}\n`
    for await (const slice of pushedRecords(uploadOf(Buffer.from(record.repeat(9))), 'identity', listening)) assert.equal(slice.length, 1)
  })

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

async function lookAtSlices(upload: Upload, encoding: 'gzip' | 'identity'): Promise<void> {
  try {
    for await (const slice of pushedRecords(upload, encoding, listening)) {
      assert.ok(slice.length <= mostRecords, `${slice.length} records in a slice`)
      for (const { record } of slice)
        assert.ok(Object.keys(Object(record)).length <= mostMembers, 'a record of very many members was parsed')
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}
