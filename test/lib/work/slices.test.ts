/** Long work leaves the event loop to others once its slice is used up, and not before. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atEndOfTurn, endOfSlice, sliceMilliseconds } from '../../../src/lib/work/slices.ts'

function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

describe('slices of the event loop', () => {
  test('work of many small pieces lets others have their turn', async () => {
    let turns = 0
    const others = setInterval(() => turns++, 1)
    for (let piece = 0; piece < 30; piece++) {
      work(2)
      await endOfSlice()
    }
    clearInterval(others)
    assert.ok(turns >= 3, `${turns} turns`)
  })

  test('work shorter than a slice waits for nothing, and the next turn begins a new slice', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(endOfSlice(), undefined)
    work(sliceMilliseconds + 1)
    const pause = endOfSlice()
    assert.ok(pause instanceof Promise)
    await pause
    assert.equal(endOfSlice(), undefined)
  })

  test('those who wait for the same turn do not all work in it', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    let [turn, running] = [0, true]
    const count = () => {
      turn += 1
      if (running) setImmediate(count)
    }
    setImmediate(count)
    const turns: number[] = []
    const worker = async () => {
      for (let piece = 0; piece < 3; piece += 1) {
        work(sliceMilliseconds + 1)
        await endOfSlice()
        turns.push(turn)
      }
    }
    await Promise.all(Array.from({ length: 4 }, worker))
    running = false
    assert.equal(new Set(turns).size, 12, `went on in the turns ${turns}`)
  })

  test('what ends a turn comes before those who wait go on', async () => {
    const order: string[] = []
    work(sliceMilliseconds + 1)
    endOfSlice()
    work(sliceMilliseconds + 1)
    const waiting = [1, 2].map(async (index) => {
      await endOfSlice()
      order.push(`waiter ${index}`)
    })
    atEndOfTurn(() => order.push('answer'))
    await Promise.all(waiting)
    assert.deepEqual(order, ['answer', 'waiter 1', 'waiter 2'])
  })
})
