/** The operations of a bulk request: many of them leave room for the work of others. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachByItself } from '../../../src/model/core/batch.ts'
import type { PartnerCaller } from '../../../src/model/core/caller.ts'
import { letsOthersWork } from '../../support/turns.ts'

describe('operations of one request', () => {
  test('have their outcomes in the order of the list, also those that failed', async () => {
    const failure = new Error('no')
    const outcomes = await eachByItself({} as PartnerCaller, [async () => 1, () => Promise.reject(failure), async () => 3])
    assert.deepEqual(outcomes, [{ value: 1 }, { error: failure }, { value: 3 }])
  })

  test('let others work in between', async () => {
    const busy = async () => {
      for (const until = performance.now() + 1; performance.now() < until; );
    }
    await letsOthersWork(() => eachByItself({} as PartnerCaller, Array(100).fill(busy)))
  })
})
