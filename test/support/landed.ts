/** Databases as landed versions wrote them: their statements and rows are kept in test/store/landed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrations } from '../../src/store/migrations.ts'
import type { Tables } from '../../src/store/rows/tables.ts'
import { type Migration, schemaLanguage } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { type EngineName, emptyPlace, type Place } from './engines.ts'
import { withStore } from './opened.ts'

const folder = join(import.meta.dirname, '..', 'store', 'landed')

/** What the version e7f3709 imported into the database. */
export const firstImport = join(folder, 'e7f3709-import.ndjson')

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** A database of the version e7f3709, whose first two steps were others than those that have their names today. */
export async function firstLanded(engine: EngineName): Promise<Place> {
  const place = await emptyPlace(engine)
  const written = readFileSync(join(folder, `e7f3709-${engine}.sql`), 'utf8')
  const statements = written.split(/;\n/).filter((statement) => statement.trim() !== '')
  await withStore(Promise.resolve({ ...place, remove: async () => {} }), (store) =>
    store.write(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx)
      for (const [table, rows] of Object.entries(JSON.parse(readFileSync(join(folder, 'e7f3709-rows.json'), 'utf8')) as Rows)) {
        for (const row of rows)
          await tx
            .insertInto(table as 'facts')
            .values(unpacked(row) as never)
            .execute()
        const ids = rows.flatMap(({ id }) => (typeof id === 'number' ? id : []))
        if (ids.length > 0) await store.engine.raiseLastId(tx, table as keyof Tables, Math.max(...ids))
      }
    }),
  )
  return place
}

function unpacked(row: Readonly<Record<string, unknown>>) {
  const isBytes = (value: unknown): value is { hex: string } => typeof value === 'object' && value !== null && 'hex' in value
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isBytes(value) ? Buffer.from(value.hex, 'hex') : value]))
}

/** As versions before the comparison did: they applied their steps up to `last` to whatever was there, until the database refused one. Returns those applied. */
export async function takeUnchecked(store: Store, last: string): Promise<readonly string[]> {
  const taken: string[] = []
  for (const step of migrations.slice(4)) {
    if (step.name > last || !(await isTaken(store, step))) break
    taken.push(step.name)
  }
  return taken
}

function isTaken(store: Store, { name, up }: Migration): Promise<boolean> {
  const work = store.write(async (tx) => {
    await up(schemaLanguage(tx, store.engine.columns))
    await sql`insert into schema_migrations (name, applied_at) values (${name}, '2026-11-16T12:00:00Z')`.execute(tx)
  }, 'unlimited')
  return work.then(
    () => true,
    () => false,
  )
}
