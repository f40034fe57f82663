/** The migrated schema is what the row types say, and its measured tables can be spread over machines by account. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { migrations } from '../../src/store/migrations.ts'
import { placement } from '../../src/store/placement.ts'
import { groundAt } from '../support/app.ts'
import { onEachEngine } from '../support/engines.ts'
import { type ColumnFact, columnFacts, type ForeignKeyFact, foreignKeys, type KeyFact, uniqueKeys } from '../support/schema-facts.ts'
import { sourcesIn } from '../support/sources.ts'
import * as rules from './schema-rules.ts'

const planted: rules.Placements = { sites: 'directory', subjects: 'measured', keywords: 'measured' }

onEachEngine('the migrated schema', (place) => {
  const at = groundAt(place)
  let columns: Map<string, ColumnFact[]>
  let unique: KeyFact[]
  let foreign: ForeignKeyFact[]
  before(async () => {
    const { db } = at.app.store
    columns = await columnFacts(db)
    ;[unique, foreign] = [await uniqueKeys(db, place.engine), await foreignKeys(db, place.engine)]
  })

  test('its columns are those of the row types, kind and null included', () => {
    const written = rules.writtenRows(sourcesIn('src/store/rows/*.ts'))
    assert.ok(written.size > 30 && columns.size === written.size, `${written.size} row types, ${columns.size} tables`)
    assert.deepEqual(rules.differences(written, columns), [])
  })

  test('a column that one side lacks, or has otherwise, is told', () => {
    const text =
      'interface SomeTables { users: UserRow }\ninterface UserRow {\n  id: Generated<number>\n  name: string | null\n  state: "a" | "b"\n}'
    const written = rules.writtenRows([{ path: 'rows.ts', text: text.replace('{ users: UserRow }', '{\n  users: UserRow\n}') }])
    const column = (name: string, kind: string, isNullable = false, isGiven = false) => ({ name, kind, isNullable, isGiven })
    const same = [column('id', 'integer', false, true), column('name', 'text', true), column('state', 'text')]
    assert.deepEqual(rules.differences(written, new Map([['users', same]])), [])
    for (const other of [
      same.slice(1),
      [...same, column('phone', 'text')],
      same.with(1, column('name', 'text')),
      same.with(2, column('state', 'bytes')),
    ])
      assert.equal(rules.differences(written, new Map([['users', other]])).length, 1)
  })

  test('account_id leads every unique key of a measured table', () => {
    assert.ok(rules.keysWithoutAccount(planted, [{ table: 'keywords', columns: ['subject_id', 'account_id'] }]).length === 1)
    assert.ok(unique.some(({ table }) => table === 'ranking_months'))
    assert.deepEqual(rules.keysWithoutAccount(placement, unique), [])
  })

  test('measured tables refer to each other by account_id and id, and to the directory only by keys that can be dropped', () => {
    const faults = [
      { table: 'keywords', columns: ['subject_id'], to: 'subjects' },
      { table: 'keywords', columns: ['account_id', 'site_id'], to: 'sites' },
      { table: 'subjects', columns: ['business_id'], to: 'businesses' },
    ]
    for (const fault of faults) assert.equal(rules.referencesAcross(planted, [fault]).length, 1)
    assert.ok(foreign.some(({ table, columns: names }) => table === 'subjects' && names.join() === 'site_id'))
    assert.deepEqual(rules.referencesAcross(placement, foreign), [])
    assert.equal(rules.directoryReferencesToMeasured(planted, [{ table: 'sites', columns: ['subject_id'], to: 'subjects' }]).length, 1)
    assert.deepEqual(rules.directoryReferencesToMeasured(placement, foreign), [])
  })
})

test('each step has a number of its own, larger than those before it, and names an earlier step if any', () => {
  assert.deepEqual(rules.misnumbered(migrations), [])
  const step = (name: string, worksFrom?: string) => ({ name, ...(worksFrom !== undefined && { worksFrom }) })
  assert.deepEqual(
    rules.misnumbered([step('0001-users'), step('0001-sites'), step('0003-keys', '0002-gone'), step('0004-links', '0001-users')]),
    ['0001-sites', '0003-keys'],
  )
})
