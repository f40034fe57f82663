/** Turns of the event loop, which long work must leave to others. */
import assert from 'node:assert/strict'

/** Other work of the event loop is done while a long body is read. */
export async function letsOthersWork(reading: () => Promise<unknown>): Promise<void> {
  let turns = 0
  let isRead = false
  const count = () => {
    turns += 1
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  await reading()
  isRead = true
  assert.ok(turns > 2, `the loop had ${turns} turns meanwhile`)
}
