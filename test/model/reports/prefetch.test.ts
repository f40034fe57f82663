/** Prefetch: every group comes once and whole, in the order it is asked for, however the limits fall. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Prefetch } from '../../../src/model/reports/prefetch.ts'
import { fc } from '../../support/properties.ts'

interface Row {
  readonly group: number
  readonly id: number
}

const sizes = fc.array(fc.nat(12), { minLength: 1, maxLength: 12 })

function prefetchOf(
  rows: readonly Row[],
  { limit = 1_000, first = 4, early = false, onRows = (_: readonly Row[]) => {}, asked = [] as number[] },
) {
  return new Prefetch<Row>({
    first,
    early,
    async read(ids) {
      asked.push(ids.length)
      return rows.filter(({ group }) => ids.includes(group)).slice(0, limit)
    },
    readOn: async (id, last) => rows.filter((row) => row.group === id && row.id > last.id).slice(0, limit),
    groupOf: ({ group }) => group,
    limit,
    onRows,
  })
}

describe('groups read ahead', () => {
  test('are what is stored, with any limit and in any order of asking, and are told of in that order', () =>
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
          const told: Row[] = []
          const ahead = prefetchOf(rows, { limit, first, early, onRows: (some) => told.push(...some) })
          ahead.expect(ids)
          const printed: Row[] = []
          for (const id of ids) {
            const pieces = await Array.fromAsync(ahead.of(id))
            assert.ok(pieces.every(({ length }) => length > 0 && length <= limit))
            printed.push(...pieces.flat())
          }
          const whole = ids.flatMap((id) => rows.filter(({ group }) => group === id))
          assert.deepEqual(printed, whole)
          assert.deepEqual(told, whole)
        },
      ),
    ))

  test('come more at a time the lighter they are', async () => {
    const asked: number[] = []
    const ids = Array.from({ length: 500 }, (_, id) => id)
    const rows = ids.map((group) => ({ group, id: 1 }))
    const ahead = prefetchOf(rows, { limit: 101, asked })
    ahead.expect(ids)
    for (const id of ids) assert.equal((await ahead.all(id)).length, 1)
    assert.deepEqual(asked, [4, 32, 101, 101, 101, 101, 60])
  })

  test('come fewer at a time once the limit has cut them', async () => {
    const asked: number[] = []
    const rows = [1, 2, 3, 4, 5, 6].flatMap((group) => Array.from({ length: 10 }, (_, id) => ({ group, id })))
    const ahead = prefetchOf(rows, { limit: 20, first: 6, asked })
    ahead.expect([1, 2, 3, 4, 5, 6])
    for (const id of [1, 2, 3, 4, 5, 6]) assert.equal((await ahead.all(id)).length, 10)
    assert.deepEqual(asked, [6, 2, 2])
  })
})
