/** Calls of a thread: what comes back, and what becomes of those who wait when it is stopped or dies. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { Failure } from '../../../src/lib/failures.ts'
import { ThreadCalls } from '../../../src/lib/work/thread-calls.ts'

const address = new URL('../../support/threads/answering.ts', import.meta.url)
const never = new AbortController().signal

describe('a thread that is called', () => {
  const thread = new ThreadCalls<string, string>(() => new Worker(address))
  after(() => thread.close())

  test('answers several at once', async () => {
    const answers = await Promise.all(['one', 'two', 'three'].map((question) => thread.ask(question, never)))
    assert.deepEqual(
      answers.map((answer) => answer.split(' ')[0]),
      ['one', 'two', 'three'],
    )
  })

  test('refuses with the same code, sentence and headers, and tells where else it failed', async () => {
    await assert.rejects(thread.ask('refuse', never), (error: unknown) => {
      assert.ok(error instanceof Failure)
      assert.deepEqual([error.code, error.details.sentence, error.details.headers], ['conflict', 'No, thank you', { 'retry-after': '7' }])
      return true
    })
    await assert.rejects(thread.ask('fail', never), (error: Error) => !(error instanceof Failure) && /out of order/.test(error.stack ?? ''))
  })

  test('is told when nobody waits any more, before or after it was asked', async () => {
    const gone = new AbortController()
    const asked = thread.ask('wait', gone.signal)
    gone.abort()
    assert.match(await asked, /^wait/)
    assert.match(await thread.ask('wait', gone.signal), /^wait/)
  })

  test('that dies fails those who wait for it, and is started again for the next', async () => {
    const before = await thread.ask('one', never)
    const waiting = thread.ask('wait', never)
    await Promise.all([assert.rejects(waiting, /ended/), assert.rejects(thread.ask('die', never), /ended/)])
    assert.notEqual(await thread.ask('one', never), before)
  })
})
