/** Every mutant still has something to change: a goal whose mutants no longer apply could not be seen to fail. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { goals } from './goals.ts'
import { ownTree } from './support/tree.ts'

/** A recipe with tools of PostgreSQL: there is no source of ours in it. */
const withoutMutants = ['postgres-backup']

test('every goal has mutants, and the source holds what they change, once', () => {
  const faults = goals.flatMap(({ id, mutants }) => {
    const timesIn = (file: string, text: string) => readFileSync(join(ownTree, file), 'utf8').split(text).length - 1
    const stale = mutants.filter(({ file, from }) => timesIn(file, from) !== 1)
    return [
      ...((mutants.length === 0) === withoutMutants.includes(id) ? [] : [`${id} has ${mutants.length} mutants`]),
      ...stale.map(({ says, file, from }) => `${id}: ${file} holds what "${says}" changes ${timesIn(file, from)} times`),
    ]
  })
  assert.deepEqual(faults, [])
})
