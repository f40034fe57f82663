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

/** The most milliseconds of processor time that the thread uses between two turns of its event loop during this work. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let isDone = false
  let before = used()
  const look = () => {
    const now = used()
    longest = Math.max(longest, now - before)
    before = now
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isDone = true
  // The turn in which the work ended.
  look()
  return longest
}
