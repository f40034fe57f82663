/** The list of what refers to sites, keywords and pages knows every column of the migrated schema that does. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { type Dependent, dependents, removableTables } from '../../src/model/partners/dependents.ts'
import type { Tables } from '../../src/store/rows/tables.ts'
import { groundAt } from '../support/app.ts'
import { type EngineName, onEachEngine } from '../support/engines.ts'
import { type ColumnFact, columnFacts, type ForeignKeyFact, foreignKeys } from '../support/schema-facts.ts'

/** Names of columns with an id or ids of such a record, where no key of the schema says so. */
const soft = /^(?:.*_)?(?:business|site|subject|keyword|competitor|page|scope|record|new)_ids?$/

// biome-ignore format: a table reads by its columns
/** They tell what was, and outlive what they name. */
const history: ReadonlySet<string> = new Set([
  'audit_entries.subject_id',
  'event_drafts.record_id',
  'events.record_id',
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

const isOne = (column: string) => `${column} = 1`

/** How its rows are asked for. */
function wordsOf({ table, column, by }: Dependent): { readonly table: string; readonly words: readonly string[] } {
  if (by === 'account') return { table, words: [isOne('account_id'), isOne(column)] }
  if (by === 'owner') return { table, words: [isOne(column)] }
  const [other, ...names] = by
  return { table, words: [`${other} in (${names.map((name) => `'${name}'`).join(', ')})`, isOne(column)] }
}

/** PostgreSQL reads tables that are empty from their beginning unless it is told not to. */
async function isAlongIndex(db: Kysely<Tables>, engine: EngineName, asked: string, words: readonly string[]): Promise<boolean> {
  const read = async <R>(text: string) => (await sql.raw<R>(text).execute(db)).rows
  if (engine === 'sqlite') {
    const plan = await read<{ detail: string }>(`explain query plan ${asked}`)
    return plan.every(({ detail }) => !detail.startsWith('SCAN'))
  }
  const column = (words.at(-1) ?? '').split(' ')[0] ?? ''
  const known = words.some((word) => word.startsWith('account_id ')) ? `account_id|${column}` : column
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql.raw<{ 'QUERY PLAN': string }>(`explain ${asked}`).execute(tx)
    // Months of which there is no partition yet need no index.
    return rows.some((row) => new RegExp(`Index Cond: .*\\b(${known}) =|One-Time Filter: false`).test(row['QUERY PLAN']))
  })
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

  test('is found along an index, and so is what a foreign key asks for', async () => {
    const owners: ReadonlySet<string> = new Set(Object.values(removableTables))
    const listed = dependents.filter(({ rows }) => rows !== 'get shorter').map(wordsOf)
    const keyed = foreign.filter(({ to }) => owners.has(to)).map(({ table, columns: key }) => ({ table, words: key.map(isOne) }))
    const scans: string[] = []
    for (const { table, words } of [...listed, ...keyed]) {
      const asked = `select 1 from ${table} where ${words.join(' and ')}`
      if (!(await isAlongIndex(at.app.store.db, place.engine, asked, words))) scans.push(asked)
    }
    assert.deepEqual(scans, [])
  })

  test('and the list names nothing that is not there', () => {
    const there = new Set([...columns].flatMap(([table, all]) => all.map(({ name }) => `${table}.${name}`)))
    assert.deepEqual(
      [...listed, ...history].filter((column) => !there.has(column)),
      [],
    )
  })
})
