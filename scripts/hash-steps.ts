/** The hash of what each migration says to a database: of its statements, as an empty one is sent them. New ones are added to the file that keeps them; what is there stays, so that an edited migration is found out by a test. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DatabaseIntrospector,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { ColumnTypes } from '../src/store/engine.ts'
import { knownHashes, type StepHashes } from '../src/store/layout/step-hashes.ts'
import { migrations } from '../src/store/migrations.ts'
import { serverColumns } from '../src/store/postgres/engine.ts'
import type { Tables } from '../src/store/rows/tables.ts'
import { type Migration, schemaLanguage } from '../src/store/schema.ts'
import { fileColumns } from '../src/store/sqlite/engine.ts'

export const stepHashesPath = 'src/store/layout/step-hashes.ts'

const table = 'export const knownHashes: Readonly<Record<string, StepHashes>> = {'

export async function addStepHashes(root: string): Promise<void> {
  const path = join(root, stepHashesPath)
  const [head] = readFileSync(path, 'utf8').split(table)
  const lines: string[] = []
  for (const step of migrations) {
    const { sqlite, postgres } = knownHashes[step.name] ?? (await hashesOf(step))
    lines.push(`  '${step.name}': { sqlite: '${sqlite}', postgres: '${postgres}' },`)
  }
  writeFileSync(path, `${head}${table}\n${lines.join('\n')}\n}\n`)
}

export async function hashesOf(step: Migration): Promise<StepHashes> {
  return { sqlite: await hashOn(step, file), postgres: await hashOn(step, server) }
}

interface Kind {
  readonly adapter: () => DialectAdapter
  readonly introspector: (db: Kysely<Tables>) => DatabaseIntrospector
  readonly compiler: () => QueryCompiler
  readonly columns: (hear: (statement: string) => void) => ColumnTypes
}

const server: Kind = {
  adapter: () => new PostgresAdapter(),
  introspector: (db) => new PostgresIntrospector(db),
  compiler: () => new PostgresQueryCompiler(),
  columns: () => serverColumns,
}

/** A file has no statement for what is heard here. */
const file: Kind = {
  adapter: () => new SqliteAdapter(),
  introspector: (db) => new SqliteIntrospector(db),
  compiler: () => new SqliteQueryCompiler(),
  columns: (hear) => ({
    ...fileColumns,
    dropForeignKey: async (_tx, table, key) => hear(`drop foreign key ${table} ${key}`),
    allowNull: async (_tx, table, column) => hear(`allow null ${table} ${column}`),
  }),
}

async function hashOn({ up }: Migration, { adapter, introspector, compiler, columns }: Kind): Promise<string> {
  const hash = createHash('sha256')
  const hear = (statement: string) => void hash.update(`${statement}\n`)
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: adapter,
      createDriver: () => new DummyDriver(),
      createIntrospector: introspector,
      createQueryCompiler: compiler,
    },
    log: ({ query }) => hear(query.sql),
  })
  await up(schemaLanguage(db, columns(hear)))
  return hash.digest('hex').slice(0, 16)
}
