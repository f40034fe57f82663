/** A thread gives memory back once it is idle, after its start and after each busy time. */
import assert from 'node:assert/strict'
import { on } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

test('the garbage of each busy time is collected when it is over', async () => {
  const thread = new Worker(new URL('../support/threads/busy-times.ts', import.meta.url))
  const collected: number[] = []
  for await (const [time] of on(thread, 'message')) if (collected.push(time) === 2) break
  await thread.terminate()
  assert.deepEqual(collected, [1, 2])
})
