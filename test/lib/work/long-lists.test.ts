/** Long lists, in small steps and in batches: others get their turn meanwhile. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inBatches } from '../../../src/lib/work/batches.ts'
import { eachInSlices, endOfSlice } from '../../../src/lib/work/slices.ts'

const items = Array.from({ length: 3_000 }, (_, index) => index)

const works: readonly (readonly [says: string, work: () => Promise<unknown>])[] = [
  ['visited in small steps', () => eachInSlices(items, burn)],
  [
    'that are many short ones',
    async () => {
      for (const item of items) await eachInSlices([item], burn)
    },
  ],
  [
    'worked on in batches',
    () =>
      inBatches(items, 100, async (some) => {
        some.forEach(burn)
        return []
      }),
  ],
]

describe('long lists', () => {
  for (const [says, work] of works)
    test(`${says} let others have a turn`, async () => {
      let turns = 0
      const beside = setInterval(() => (turns += 1), 0)
      await endOfSlice()
      await work()
      clearInterval(beside)
      assert.ok(turns >= 3, `${turns} turns`)
    })

  test('in batches give all their results, in order', async () => {
    assert.deepEqual(
      await inBatches(items, 700, async (some) => some.map((item) => item * 2)),
      items.map((item) => item * 2),
    )
  })
})

/** At least a hundredth of a millisecond. */
function burn(): void {
  for (const until = performance.now() + 0.01; performance.now() < until; );
}
