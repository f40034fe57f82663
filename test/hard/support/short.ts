/** The short form of a goal, as a test: the whole of it is told when it fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Goal } from './goal.ts'
import { ownTree } from './tree.ts'

export function tryShort<S>(goal: Goal<S>): void {
  test(`${goal.id}: ${goal.says}`, async (context) => {
    const { figures, faults } = await goal.run(ownTree, goal.short)
    context.diagnostic(JSON.stringify(figures))
    assert.deepEqual(faults, [], JSON.stringify(figures))
  })
}
