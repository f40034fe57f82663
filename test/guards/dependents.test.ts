/** The list of what refers to sites, keywords and pages knows every column of the migrated schema that does. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dependents, removableTables } from '../../src/model/partners/dependents.ts'
import { groundAt } from '../support/app.ts'
import { onEachEngine } from '../support/engines.ts'
import { type ColumnFact, columnFacts, type ForeignKeyFact, foreignKeys } from '../support/schema-facts.ts'

/** Names of columns with an id or ids of such a record, where no key of the schema says so. */
const soft = /^(?:.*_)?(?:business|site|subject|keyword|competitor|page|scope|record|new)_ids?$/

// biome-ignore format: a table reads by its columns
/** They tell what was, and outlive what they name. */
const history: ReadonlySet<string> = new Set([
  'audit_entries.subject_id',
  'idempotency_records.subject_id',
])

const listed: ReadonlySet<string> = new Set(dependents.map(({ table, column }) => `${table}.${column}`))

/** Columns that refer to such a record and are not in the list. */
function forgotten(foreign: readonly ForeignKeyFact[], columns: ReadonlyMap<string, readonly ColumnFact[]>): string[] {
  const owners: ReadonlySet<string> = new Set(Object.values(removableTables))
  const keyed = foreign.filter(({ to }) => owners.has(to)).map(({ table, columns: key }) => `${table}.${key.at(-1)}`)
  const named = [...columns].flatMap(([table, all]) => all.filter(({ name }) => soft.test(name)).map(({ name }) => `${table}.${name}`))
  return [...new Set([...keyed, ...named])].filter((column) => !listed.has(column) && !history.has(column))
}

onEachEngine('what refers to a record that may be removed', (place) => {
  const at = groundAt(place)
  let columns: Map<string, ColumnFact[]>
  let foreign: ForeignKeyFact[]
  before(async () => {
    columns = await columnFacts(at.app.store.db)
    foreign = await foreignKeys(at.app.store.db, place.engine)
  })

  test('is in the list', () => {
    assert.ok(foreign.some(({ table, to }) => table === 'annotations' && to === 'sites'))
    assert.deepEqual(forgotten(foreign, columns), [])
  })

  test('nothing keeps a record from going before what was measured of it', () => {
    assert.deepEqual(
      foreign.filter(({ to }) => to === 'subjects' || to === 'keywords' || to === 'pages'),
      [],
    )
  })

  test('a new table is noticed, with a key and without', () => {
    assert.deepEqual(forgotten([{ table: 'sightings', columns: ['account_id', 'seen'], to: 'pages' }], new Map()), ['sightings.seen'])
    const column = { name: 'last_site_id', kind: 'integer', isNullable: false, isGiven: false }
    assert.deepEqual(forgotten([], new Map([['visits', [column]]])), ['visits.last_site_id'])
  })

  test('and the list names nothing that is not there', () => {
    const there = new Set([...columns].flatMap(([table, all]) => all.map(({ name }) => `${table}.${name}`)))
    assert.deepEqual(
      [...listed, ...history].filter((column) => !there.has(column)),
      [],
    )
  })
})
