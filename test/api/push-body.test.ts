/** The body of a push is read in small batches, within its limits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Failure } from '../../src/lib/failures.ts'
import { maxRecords, maxUnreadable, type PushedBody, pushedRecords } from '../../src/model/intakes/pushes/push-body.ts'
import { nastyPushes } from '../hard/support/nasty-pushes.ts'
import { receivedOf } from '../support/received.ts'

/** Making these bodies takes longer than reading them; the hard goal sends all, and measures the time of a batch. */
const everySoMany = 5
const mostRecords = 250
const mostMembers = 1_001

describe('the body of a push', () => {
  for (const { name, headers, body } of nastyPushes().filter((_, index) => index % everySoMany === 0)) {
    test(`${name}: no batch holds much`, async () => {
      const encoding = headers?.['content-encoding'] === 'gzip' ? 'gzip' : 'identity'
      await lookAtBatches({ contents: receivedOf(body?.() ?? Buffer.alloc(0)), encoding })
    })
  }

  test('a batch ends after so many lines, be they blank', async () => {
    const lines = 10_000
    let batches = 0
    for await (const _batch of pushedRecords(bodyOf('\n'.repeat(lines)))) batches += 1
    assert.equal(batches, lines / mostRecords)
  })

  test('a batch ends with the long record that fills it', async () => {
    const record = `{"detail":"${'x'.repeat(70_000)}"}\n`
    for await (const batch of pushedRecords(bodyOf(record.repeat(9)))) assert.equal(batch.length, 1)
  })

  test('reading stops at the record after the hundredth that is not JSON, and says so', async () => {
    const broken = (count: number) => bodyOf('x\n'.repeat(count))
    assert.equal((await recordsOf(broken(maxUnreadable))).length, maxUnreadable)
    await assert.rejects(recordsOf(broken(maxUnreadable + 1)), refusal('malformed_body', 'stopped at record 101'))
  })

  test('there may be so many records and blank lines, and no more', async () => {
    assert.equal((await recordsOf(bodyOf('{}\n'.repeat(maxRecords - 1)))).length, maxRecords - 1)
    await assert.rejects(recordsOf(bodyOf('\n'.repeat(maxRecords + 1))), refusal('too_large', '250,000'))
  })
})

function bodyOf(text: string): PushedBody {
  return { contents: receivedOf(Buffer.from(text)), encoding: 'identity' }
}

async function recordsOf(body: PushedBody) {
  return (await Array.fromAsync(pushedRecords(body))).flat()
}

function refusal(code: Failure['code'], words: string) {
  return (error: unknown) => error instanceof Failure && error.code === code && error.message.includes(words)
}

async function lookAtBatches(body: PushedBody): Promise<void> {
  try {
    for await (const batch of pushedRecords(body)) {
      assert.ok(batch.length <= mostRecords, `${batch.length} records in a batch`)
      for (const { record } of batch)
        assert.ok(Object.keys(Object(record)).length <= mostMembers, 'a record of very many members was parsed')
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}
