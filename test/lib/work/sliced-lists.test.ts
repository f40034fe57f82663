/** Long lists in slices: the same as at once, and others get their turn meanwhile. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachInSlices, filterInSlices, mapInSlices, sortInSlices } from '../../../src/lib/work/sliced-lists.ts'
import { endOfSlice } from '../../../src/lib/work/slices.ts'
import { fc } from '../../support/properties.ts'

describe('a long list in slices', () => {
  test('is mapped and filtered as at once', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => index)
    assert.deepEqual(
      await mapInSlices(items, (item) => item * 2),
      items.map((item) => item * 2),
    )
    assert.deepEqual(
      await filterInSlices(items, (item) => item % 3 === 0),
      items.filter((item) => item % 3 === 0),
    )
  })

  test('is sorted as at once, and equal items keep their order', async () => {
    const item = fc.record({ key: fc.integer({ min: 0, max: 20 }), place: fc.nat() })
    const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 2_500, size: 'max' }), async (items) => {
        assert.deepEqual(await sortInSlices(items, byKey), items.toSorted(byKey))
      }),
      { numRuns: 50 },
    )
  })

  test('lets others have a turn while it is worked on', async () => {
    const items = Array.from({ length: 3_000 }, (_, index) => (index * 7_919) % 3_000)
    const slowly = (a: number, b: number) => {
      burn()
      return a - b
    }
    const inShortLists = async () => {
      for (const item of items) await eachInSlices([item], burn)
    }
    const works = [() => eachInSlices(items, burn), inShortLists, () => sortInSlices(items, slowly)]
    for (const work of works) {
      let turns = 0
      const beside = setInterval(() => (turns += 1), 0)
      await endOfSlice()
      await work()
      clearInterval(beside)
      assert.ok(turns >= 3, `${turns} turns`)
    }
  })
})

/** At least a hundredth of a millisecond. */
function burn(): void {
  for (const until = performance.now() + 0.01; performance.now() < until; );
}
