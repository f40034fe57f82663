/** The schema language of migrations: tables as columns described by words, which Kysely writes for either database. It is frozen, like the migrations that use it. */

import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { ColumnTypes } from './engine.ts'
import { type Placement, placement } from './placement.ts'
import type { Tables } from './rows/tables.ts'
import type { MonthTable } from './series.ts'
import type { ColumnKind } from './table-map.ts'

/**
 * `text` may not be null, `text?` may, `integer=1` defaults to 1; `id` is a number assigned by the database and the primary key. `account id` is such a
 * number in a measured table, where the key is `account_id` together with it (see placement.ts).
 */
export type ColumnWord = 'id' | 'account id' | `${ColumnKind}${'' | '?' | `=${number}`}`

type LaterColumnWord = Exclude<ColumnWord, 'id' | 'account id' | ColumnKind>

interface TableRules {
  readonly primaryKey?: readonly string[]
  readonly unique?: readonly (readonly string[])[]
  readonly indexes?: readonly (readonly string[])[]
  /** Maps a column to the table whose id it holds. */
  readonly references?: Readonly<Record<string, string>>
  /** Maps a column to the table whose id it holds, where both rows must belong to the same account: (account_id, column) refers to (account_id, id). */
  readonly accountReferences?: Readonly<Record<string, string>>
  /** The column with the packed bytes, in a table of packed months. */
  readonly packed?: string
  /** The rows need not survive a crash of the database. */
  readonly isFleeting?: true
}

export interface Schema {
  readonly db: Kysely<Tables>
  createTable(name: string, columns: Readonly<Record<string, ColumnWord>>, rules?: TableRules): Promise<void>
  /** Existing rows get null or the value after `=`, so the word must have `?` or `=`. */
  addColumns(table: string, columns: Readonly<Record<string, LaterColumnWord>>): Promise<void>
  /** Rows of this table may stay when the row of their account to which this column refers has gone. */
  dropAccountReference(table: string, column: string): Promise<void>
  /** The column may be null from now on; the rows stay as they are. */
  allowNull(table: string, column: string): Promise<void>
  /** Keeps the rows. */
  partitionByMonth(table: MonthTable): Promise<void>
}

export interface Migration {
  readonly name: string
  /**
   * The step that a version must know to keep working once this step is applied. A step that adds something names the step before it; a step that removes
   * something names the step with which it went out of use. Without it, versions that do not know this step are refused.
   */
  readonly worksFrom?: string
  /** The table whose rows the step rewrites, if any, which is what takes time. */
  readonly rewrites?: keyof Tables
  up(schema: Schema): Promise<void>
}

/** `isSpread` is true where the measured tables lie on several machines (see distribute.ts): a new one must join them. */
export function schemaLanguage(db: Kysely<Tables>, types: ColumnTypes, isSpread = false): Schema {
  return {
    db,
    partitionByMonth: (table) => types.partitionByMonth(db, table, isSpread),
    allowNull: (table, column) => types.allowNull(db, table, column),
    dropAccountReference: (table, column) => types.dropForeignKey(db, table, accountKeyName(table, column)),
    createTable: (name, columns, rules = {}) => createTable(db, types, name, columns, rules, isSpread),
    async addColumns(table, columns) {
      for (const [column, word] of Object.entries(columns)) {
        const { type, build } = typedColumn(types, word)
        await db.schema.alterTable(table).addColumn(column, type, build).execute()
      }
    },
  }
}

async function createTable(
  db: Kysely<Tables>,
  types: ColumnTypes,
  name: string,
  columns: Readonly<Record<string, ColumnWord>>,
  rules: TableRules,
  isSpread: boolean,
): Promise<void> {
  const joinsOthers = isSpread && (placement as Readonly<Record<string, Placement>>)[name] === 'measured'
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, word] of Object.entries(columns)) {
    const { type, build } = typedColumn(types, word)
    table = table.addColumn(column, type, build)
  }
  if (Object.values(columns).includes('account id')) table = types.accountKey(table, name)
  if (rules.primaryKey) table = table.addPrimaryKeyConstraint(`${name}_pkey`, rules.primaryKey as string[])
  for (const unique of rules.unique ?? []) table = table.addUniqueConstraint(`${name}_${unique.join('_')}_key`, unique as string[])
  for (const [column, other] of joinsOthers ? [] : Object.entries(rules.references ?? {})) {
    table = table.addForeignKeyConstraint(`${name}_${column}_fkey`, [column], other, ['id'])
  }
  for (const { key, columns: both, other } of joinsOthers ? [] : accountKeys(name, rules)) {
    table = table.addForeignKeyConstraint(key, both, other, ['account_id', 'id'])
  }
  await table.modifyEnd(sql.raw(types.tableEnd)).execute()
  for (const statement of rules.packed ? types.packed(name, rules.packed) : []) await sql.raw(statement).execute(db)
  for (const statement of rules.isFleeting ? types.fleeting(name) : []) await sql.raw(statement).execute(db)
  for (const index of rules.indexes ?? []) {
    await db.schema
      .createIndex(`${name}_${index.join('_')}`)
      .on(name)
      .columns(index as string[])
      .execute()
  }
  if (joinsOthers) await joinOthers(db, types, name, rules)
}

function accountKeys(name: string, { accountReferences = {} }: TableRules) {
  return Object.entries(accountReferences).map(([column, other]) => {
    return { key: accountKeyName(name, column), columns: ['account_id', column], other }
  })
}

function accountKeyName(table: string, column: string): string {
  return `${table}_account_id_${column}_fkey`
}

/** A table can only refer to one that is spread when it is spread itself. */
async function joinOthers(db: Kysely<Tables>, types: ColumnTypes, name: string, rules: TableRules): Promise<void> {
  for (const statement of types.spread(name)) await sql.raw(statement).execute(db)
  for (const { key, columns, other } of accountKeys(name, rules)) {
    await db.schema.alterTable(name).addForeignKeyConstraint(key, columns, other, ['account_id', 'id']).execute()
  }
}

interface TypedColumn {
  readonly type: RawBuilder<unknown>
  readonly build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
}

/** The type comes from the engine's own table, so that a text column added later sorts like the original ones. */
function typedColumn(types: ColumnTypes, word: ColumnWord): TypedColumn {
  if (word === 'id') return { type: sql.raw(types.id), build: (column) => column }
  if (word === 'account id') return { type: sql.raw(types.accountId), build: (column) => column }
  const [, kind, null_, value] = /^(\w+?)(\?)?(?:=(\d+))?$/.exec(word) ?? []
  return {
    type: sql.raw(types.kinds[kind as ColumnKind]),
    build(column) {
      const nullable = null_ ? column : column.notNull()
      return value === undefined ? nullable : nullable.defaultTo(Number(value))
    },
  }
}
