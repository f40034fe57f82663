/** Long work stays small: the space for young objects does not grow with the memory of the machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as otherWork } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { withBoundedYoungGeneration } from '../../src/lib/process-memory.ts'

test('work that leaves much garbage keeps little space for it', async () => {
  const megabytes = await withBoundedYoungGeneration(makeGarbage)
  assert.ok(megabytes <= 32, `${megabytes} MiB are kept for the young`)
})

/** Holds a part of what it makes for a while, as an import does, and tells how many MiB the young have then. */
async function makeGarbage(): Promise<number> {
  const held: object[] = []
  for (let round = 0; round < 400; round++) {
    for (let i = 0; i < 100_000; i++) held[i] = { i }
    await otherWork()
  }
  return (getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0) / (1 << 20)
}
