/** Turns of writing: the thread for whose writes somebody waits goes before one that stores much, and a dead one holds nothing. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { giveWriteTurn, givingBackTurns, takeWriteTurn } from '../../../src/lib/work/write-turns.ts'

const address = new URL('../../support/threads/writing.ts', import.meta.url)

describe('turns of writing', () => {
  let worker: Worker | undefined
  afterEach(async () => void (await worker?.terminate()))

  const started = async (message: 'hold' | 'repeat') => {
    worker = givingBackTurns(new Worker(address))
    worker.postMessage(message)
    await once(worker, 'message')
    return worker
  }

  test('the main thread waits for the turn of another thread, which gives it back when it dies', async () => {
    const holding = await started('hold')
    let isTaken = false
    const taking = takeWriteTurn().then(() => {
      isTaken = true
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(isTaken, false)
    holding.postMessage('die')
    await taking
    giveWriteTurn()
  })

  test('a thread that writes all the time lets the main thread in after each of its turns', async () => {
    const repeating = await started('repeat')
    const done = once(repeating, 'message')
    for (let turn = 0; turn < 20; turn++) {
      await takeWriteTurn()
      giveWriteTurn()
    }
    const isOver = await Promise.race([done.then(() => true), Promise.resolve(false)])
    assert.equal(isOver, false, 'the main thread was let in only when the other had done all')
    await done
  })
})
