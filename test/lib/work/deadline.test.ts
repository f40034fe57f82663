/** Who waits for work that takes too long is told so, and the work is not disturbed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../src/lib/failures.ts'
import { withinDeadline } from '../../../src/lib/work/deadline.ts'

describe('a deadline', () => {
  test('gives what was made in time', async () => {
    assert.equal(await withinDeadline('page', sleep(1, 'made'), 5), 'made')
  })

  test('refuses with 503 what takes longer, while the work goes on', async () => {
    const work = sleep(60, 'made')
    await assert.rejects(withinDeadline('page', work, 0.01), (error) => error instanceof Failure && error.code === 'overloaded')
    assert.equal(await work, 'made')
  })

  test('passes a failure on', async () => {
    await assert.rejects(withinDeadline('page', Promise.reject(new Error('broken')), 5), /broken/)
  })
})
