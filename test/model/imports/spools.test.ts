/** A spool gives back all it was given, in order, whether it stayed in memory or went to disk. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RowSpool, SeriesSpool, seriesGroups } from '../../../src/model/imports/spools.ts'

describe('spools', () => {
  for (const count of [0, 1, 10, 30_000]) {
    test(`${count} values come back in blocks, in order`, () => {
      const spool = new RowSpool<{ number: number; text: string }>()
      const values = Array.from({ length: count }, (_, number) => ({ number, text: `ü\n${'x'.repeat(number % 90)}` }))
      for (const value of values) spool.add(value)
      const blocks = [...spool.blocks(700)]
      assert.ok(blocks.every(({ length }) => length <= 700))
      assert.deepEqual(blocks.flat(), values)
      spool.close()
    })
  }

  for (const [records, series, first] of [
    [0, 1, 0],
    [5, 3, 0],
    [400_000, 1, 0],
    [400_000, 1, 7],
    [400_000, 500, 0],
    [3_000_000, 1, 0],
  ] as const) {
    test(`${records} records of ${series} series from ${first} on come back whole, each series in order`, () => {
      const spool = new SeriesSpool(3)
      const seriesOf = (number: number) => first + ((number * 7) % series)
      for (let i = 0; i < records; i++) spool.add([seriesOf(i), i, 2 ** 32 - 1 - i])
      let seen = 0
      const last = new Map<number, number>()
      for (const block of spool.blocks()) {
        for (const group of seriesGroups(block, 3)) {
          for (const at of group) {
            const [key = 0, number = 0, other] = block.subarray(at, at + 3)
            if (key !== seriesOf(number) || other !== 2 ** 32 - 1 - number) assert.fail(`record ${number} was mangled`)
            if (number <= (last.get(key) ?? -1)) assert.fail(`record ${number} came too late`)
            last.set(key, number)
            seen++
          }
        }
      }
      assert.equal(seen, records)
      spool.close()
    })
  }
})
