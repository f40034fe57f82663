/** Sums of days: as if each day were gone through, whatever was added and in which order. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Amount, DaySums } from '../../../src/model/dashboard/day-sums.ts'
import { fc } from '../../support/properties.ts'

type Entry = Amount & { readonly day: number }

const days = fc.integer({ min: -5, max: 30 })
const entries = fc.array(fc.record({ day: days, count: fc.integer({ min: 0, max: 9 }), sum: fc.integer({ min: 0, max: 45 }) }))

function sumsOf(all: readonly Entry[]): DaySums {
  const sums = new DaySums()
  for (const entry of all) sums.add(entry.day, entry)
  return sums
}

function between(all: readonly Entry[], first: number, last: number): Amount {
  const within = all.filter(({ day }) => day >= first && day <= last)
  return { count: within.reduce((sum, one) => sum + one.count, 0), sum: within.reduce((sum, one) => sum + one.sum, 0) }
}

describe('sums of days', () => {
  test('between any two days, or from the beginning, are those of the days between', () => {
    fc.assert(
      fc.property(entries, days, days, (all, first, last) => {
        const sums = sumsOf(all)
        assert.deepEqual(sums.between(first, last), between(all, first, last))
        assert.deepEqual(sums.between(Number.NEGATIVE_INFINITY, last), between(all, Number.NEGATIVE_INFINITY, last))
      }),
    )
  })

  test('know what is added after they were sorted or asked', () => {
    fc.assert(
      fc.property(entries, entries, days, days, (some, more, first, last) => {
        const sums = sumsOf(some)
        sums.sort()
        sums.between(first, last)
        sums.addAll(sumsOf(more))
        assert.deepEqual(sums.between(first, last), between([...some, ...more], first, last))
      }),
    )
  })
})
