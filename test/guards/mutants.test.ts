import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goals } from '../hard/goals.ts'
import { projectSources } from '../support/sources.ts'

const texts = new Map(projectSources().map(({ path, text }) => [path, text]))

test('every mutant of a hard goal changes a line that is there', () => {
  const mutants = goals.flatMap(({ id, mutants: own }) => own.map((mutant) => ({ id, ...mutant })))
  const lost = mutants.filter(({ file, from }) => !(texts.get(file)?.includes(from) ?? false))
  assert.ok(mutants.length > 0)
  assert.deepEqual(
    lost.map(({ id, says, file }) => `${id}: ${says} (${file})`),
    [],
  )
})
