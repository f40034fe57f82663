/** Gives tables of a file other keys: SQLite has no statement for it, so their rows are set aside and the tables made anew. */

import { type Kysely, sql } from 'kysely'
import type { Rekeyed } from '../engine.ts'
import type { Tables } from '../rows/tables.ts'
import { fileIdGenerators } from './id-generators.ts'

/** Tables that refer to others are dropped before those, and made after them. */
export async function rekeyFileTables(tx: Kysely<Tables>, changes: readonly Rekeyed[]): Promise<void> {
  const [rebuilt, indexed] = [changes.filter(isRebuilt), changes.filter((change) => !isRebuilt(change))]
  for (const { table, indexes, adds } of indexed) {
    for (const index of indexes) await run(tx, `drop index "${index}"`)
    for (const [name, rule] of adds) await run(tx, `create unique index "${name}" on "${table}" ${rule.replace('unique ', '')}`)
  }
  const aside = []
  for (const change of rebuilt.toReversed()) aside.push(await setAside(tx, change))
  for (const made of aside.toReversed()) await makeAnew(tx, made)
}

/** A unique index does what a constraint does, and to a table from which nothing goes it can be added. */
function isRebuilt({ keys, references, isOfAccount }: Rekeyed): boolean {
  return isOfAccount || keys.length + references.length > 0
}

interface Aside {
  readonly change: Rekeyed
  readonly text: string
  readonly indexes: readonly string[]
  readonly lastId: number
}

async function setAside(tx: Kysely<Tables>, change: Rekeyed): Promise<Aside> {
  const { table } = change
  const found = await sql<{ type: string; name: string; text: string }>`
    select type, name, sql as text from sqlite_schema where tbl_name = ${table} and sql is not null`.execute(tx)
  const text = found.rows.find(({ type }) => type === 'table')?.text ?? ''
  const indexes = found.rows.filter(({ type, name }) => type === 'index' && !change.indexes.includes(name))
  const lastId = await fileIdGenerators.lastId(tx, table)
  await run(tx, `create table "${nameAside(table)}" as select * from "${table}"`)
  await run(tx, `drop table "${table}"`)
  return { change, text, indexes: indexes.map((index) => index.text), lastId }
}

async function makeAnew(tx: Kysely<Tables>, { change, text, indexes, lastId }: Aside): Promise<void> {
  const { table } = change
  await run(tx, rewritten(text, change))
  await run(tx, `insert into "${table}" select * from "${nameAside(table)}"`)
  await run(tx, `drop table "${nameAside(table)}"`)
  for (const index of indexes) await run(tx, index)
  if (lastId > 0) await fileIdGenerators.raiseLastId(tx, table, lastId)
}

/** The columns stay, also those that a later step has added. */
function rewritten(text: string, { table, keys, references, isOfAccount, adds }: Rekeyed): string {
  const without = [...keys, ...references].reduce((left, name) => left.replace(constraintNamed(name), ''), text)
  const ofAccount = isOfAccount ? [[`${table}_account_id_id_key`, 'unique ("account_id", "id")'] as const] : []
  const added = [...ofAccount, ...adds].map(([name, rule]) => `, constraint "${name}" ${rule}`)
  return without.replace(/\) strict$/, () => `${added.join('')}) strict`)
}

function constraintNamed(name: string): RegExp {
  return new RegExp(`, constraint "${name}" (?:foreign key \\([^)]*\\) references "\\w+"|unique|primary key) \\([^)]*\\)`)
}

function nameAside(table: string): string {
  return `${table}_aside`
}

async function run(tx: Kysely<Tables>, text: string): Promise<void> {
  await sql.raw(text).execute(tx)
}
