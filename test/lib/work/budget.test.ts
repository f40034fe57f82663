import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allPlaces, type WorkKind, type WorkRules, workBudget } from '../../../src/lib/work/budget.ts'

const rows = Object.entries(workBudget) as [WorkKind, WorkRules][]
const promisedMegabytes = 200
const promisedForIntakes = 100

/** What of the table does not fit together, as sentences. */
function faultsOf(table: readonly (readonly [string, WorkRules])[]): string[] {
  return table.flatMap(([kind, row]) => [
    ...(row.patienceSeconds + row.deadlineSeconds > row.socketSeconds ? [`${kind}: wait and work outlast the connection`] : []),
    ...(row.deadlineSeconds > 0 && row.patienceSeconds >= row.deadlineSeconds ? [`${kind}: the wait is as long as the work`] : []),
    ...(row.places > 1 && row.share > row.places / 2 ? [`${kind}: one party may hold more than half`] : []),
    ...(row.personShare > row.share ? [`${kind}: a person may hold more than the party`] : []),
    ...(row.sliceMilliseconds > 10 ? [`${kind}: a slice is longer than 10 ms`] : []),
    ...(row.queue > 0 && row.patienceSeconds === 0 ? [`${kind}: there is a queue in which nobody may wait`] : []),
  ])
}

describe('the budget of work', () => {
  test('times nest, nobody holds more than half, and slices are short', () => {
    assert.deepEqual(faultsOf(rows), [])
    assert.ok(allPlaces.insidePerParty <= allPlaces.inside / 2)
  })

  test('a table that does not fit together is told so', () => {
    const push: WorkRules = workBudget.push
    const broken = { ...push, patienceSeconds: 90, share: 4, personShare: 5, sliceMilliseconds: 50 }
    assert.equal(faultsOf([['push', broken]]).length, 5)
  })

  test('all places taken at once stay within the memory that is promised', () => {
    const own = rows.filter(([kind]) => kind !== 'import' && kind !== 'intake')
    const megabytes = own.reduce((sum, [, row]) => sum + row.places * row.megabytes, 0)
    assert.ok(megabytes <= promisedMegabytes, `${megabytes} MB`)
    assert.ok(workBudget.intake.places * workBudget.intake.megabytes <= promisedForIntakes)
  })
})
