/**
 * The tables of the version e7f3709, whose first two steps were others than those that have their names today. Later versions put their own steps on top, so
 * that such a database is known by its keys and not by the names of its steps.
 */

import type { Kysely } from 'kysely'
import type { Rekeyed } from '../engine.ts'
import type { Tables } from '../rows/tables.ts'
import { schemaLanguage } from '../schema.ts'
import type { Store } from '../store.ts'

interface Keys {
  readonly primaryKey?: readonly string[]
  readonly unique?: readonly string[]
  readonly index?: readonly string[]
  /** The column that refers to another table, and that table. */
  readonly refers?: readonly [column: string, table: string]
  /** Whether rows are known by their account and id together. */
  readonly isOfAccount?: true
}

const bySubject: Keys = { unique: ['subject_id', 'key_hash'], refers: ['subject_id', 'subjects'] }
const bySubjectOfAccount: Keys = { ...bySubject, unique: ['account_id', 'subject_id', 'key_hash'], isOfAccount: true }

// biome-ignore format: a table reads by its columns
/** What each had, and what it must have; those to which others refer come first. */
const tables: readonly [table: keyof Tables, was: Keys, is: Keys][] = [
  ['sites',               { index: ['account_id', 'id'] },                                                      { unique: ['account_id', 'id'] }],
  ['subjects',            { unique: ['site_id', 'domain'] },                                                    { unique: ['account_id', 'site_id', 'domain'], isOfAccount: true }],
  ['keywords',            { unique: ['subject_id', 'phrase'], index: ['account_id', 'subject_id'], refers: ['subject_id', 'subjects'] }, { unique: ['account_id', 'subject_id', 'phrase'], refers: ['subject_id', 'subjects'], isOfAccount: true }],
  ['ranking_months',      { refers: ['keyword_id', 'keywords'] },                                               { refers: ['keyword_id', 'keywords'] }],
  ['backlinks',           bySubject,                                                                            bySubjectOfAccount],
  ['snapshots',           { primaryKey: ['subject_id', 'day'], refers: ['subject_id', 'subjects'] },            { primaryKey: ['account_id', 'subject_id', 'day'], refers: ['subject_id', 'subjects'] }],
  ['locations',           { unique: ['site_id'], index: ['account_id', 'site_id'], refers: ['site_id', 'sites'] }, { unique: ['account_id', 'site_id'], refers: ['site_id', 'sites'] }],
  ['pages',               bySubject,                                                                            bySubjectOfAccount],
  ['reviews',             { unique: ['page_id', 'key_hash'], refers: ['page_id', 'pages'] },                    { unique: ['account_id', 'page_id', 'key_hash'], refers: ['page_id', 'pages'], isOfAccount: true }],
  ['review_count_months', { refers: ['page_id', 'pages'] },                                                     { refers: ['page_id', 'pages'] }],
]

export const firstLayoutName = '0000-keys-of-e7f3709'

export const rekeyedTables = tables.map(([table]) => table)

export async function hasFirstLayout({ engine }: Store, db: Kysely<Tables>): Promise<boolean> {
  const found = await engine.tablesFound(db, ['subjects'])
  const keys = found.get('subjects')?.keys.map((key) => key.toSorted().join()) ?? []
  return keys.includes('domain,site_id') && !keys.includes('account_id,domain,site_id')
}

/** Gives the tables the keys that they have today, and keeps all rows and columns; `check` says whether all is as needed then. */
export function rebuildFirstLayout(store: Store, check: (tx: Kysely<Tables>) => Promise<void>): Promise<boolean> {
  return store.write(async (tx) => {
    const { engine } = store
    await engine.lockSchema(tx)
    if (!(await hasFirstLayout(store, tx))) return false
    if (!(await engine.tableNames(tx)).includes('measured_versions')) {
      const columns = { account_id: 'integer', version: 'integer' } as const
      const rules = { primaryKey: ['account_id'], references: { account_id: 'accounts' } }
      await schemaLanguage(tx, engine.columns).createTable('measured_versions', columns, rules)
    }
    await engine.rekey(tx, tables.map(rekeyed))
    await check(tx)
    return true
  }, 'unlimited')
}

/** Constraints have the names that the language of migrations gives them. */
function rekeyed([table, was, is]: (typeof tables)[number]): Rekeyed {
  const unique = (columns: readonly string[]) => `${table}_${columns.join('_')}_key`
  const adds: [string, string][] = []
  if (is.primaryKey) adds.push([`${table}_pkey`, `primary key (${listed(is.primaryKey)})`])
  if (is.unique) adds.push([unique(is.unique), `unique (${listed(is.unique)})`])
  if (is.refers) {
    const [column, other] = is.refers
    const both = `foreign key (${listed(['account_id', column])}) references "${other}" (${listed(['account_id', 'id'])})`
    adds.push([`${table}_account_id_${column}_fkey`, both])
  }
  return {
    table,
    references: was.refers ? [`${table}_${was.refers[0]}_fkey`] : [],
    keys: [...(was.primaryKey ? [`${table}_pkey`] : []), ...(was.unique ? [unique(was.unique)] : [])],
    indexes: was.index ? [`${table}_${was.index.join('_')}`] : [],
    isOfAccount: is.isOfAccount ?? false,
    adds,
  }
}

function listed(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}
