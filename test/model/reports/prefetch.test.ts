/** Prefetch: every group comes once and whole, in the order it is asked for, however the limits fall. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { inPieces, Prefetch } from '../../../src/model/reports/prefetch.ts'

interface Row {
  readonly group: number
  readonly id: number
}

const sizes = fc.array(fc.nat(12), { minLength: 1, maxLength: 12 })

describe('groups read ahead', () => {
  test('are what is stored, with any limit and in any order of asking', () =>
    fc.assert(
      fc.asyncProperty(
        sizes,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 6 }),
        fc.infiniteStream(fc.nat()),
        fc.boolean(),
        async (stored, limit, first, order, early) => {
          const rows = stored.flatMap((size, group) => Array.from({ length: size }, (_, id): Row => ({ group, id })))
          const ids = stored
            .map((_, group) => ({ group, place: order.next().value }))
            .sort((a, b) => Number(a.place) - Number(b.place))
            .map(({ group }) => group)
          const read = async (some: readonly number[]) => rows.filter(({ group }) => some.includes(group)).slice(0, limit)
          const ahead = new Prefetch<Row>({ ids, first, early, read, groupOf: ({ group }) => group, limit, load: limit })
          for (const id of ids) {
            const whole = rows.filter(({ group }) => group === id)
            const after = async (last: Row | null) => whole.filter((row) => last === null || row.id > last.id).slice(0, limit)
            assert.deepEqual((await Array.fromAsync(inPieces(ahead, id, after))).flat(), whole)
          }
        },
      ),
    ))

  test('come more at a time the lighter they are', async () => {
    const asked: number[] = []
    const ids = Array.from({ length: 500 }, (_, id) => id)
    const read = async (some: readonly number[]) => {
      asked.push(some.length)
      return some.map((group) => ({ group, id: 1 }))
    }
    const ahead = new Prefetch<Row>({ ids, first: 4, early: false, read, groupOf: ({ group }) => group, load: 100 })
    for (const id of ids) assert.equal((await ahead.of(id))?.length, 1)
    assert.deepEqual(asked, [4, 32, 100, 100, 100, 100, 64])
  })
})
