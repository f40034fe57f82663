/** The names of operations are public: methods of clients and tools are called by them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { endpoints } from '../../src/api/endpoints.ts'

const golden = join(import.meta.dirname, '..', 'golden', 'operation-ids.json')

test('an operation keeps its name, and a new one is written down', () => {
  const named = Object.fromEntries(endpoints.map(({ method, path, id }) => [`${method} ${path}`, id]))
  const frozen = JSON.parse(readFileSync(golden, 'utf8')) as Record<string, string>
  assert.deepEqual(named, frozen, 'a name that has landed is never changed; add the new operation to test/golden/operation-ids.json')
})

test('no two operations share a name, former names included', () => {
  const names = endpoints.flatMap(({ id, was }) => [id, ...(was === undefined ? [] : [was])])
  assert.equal(new Set(names).size, names.length)
})
