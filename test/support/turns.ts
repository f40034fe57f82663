/** Turns of the event loop, which long work must leave to others. */
import assert from 'node:assert/strict'

/** Other work of the event loop is done during this long work. */
export async function letsOthersWork(work: () => Promise<unknown>): Promise<void> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  assert.ok(turns > 2, `the loop had ${turns} turns meanwhile`)
}
