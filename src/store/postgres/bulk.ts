/** Copies whole tables out of and into a PostgreSQL database with binary COPY. */

import { Kysely } from 'kysely'
import pg from 'pg'
import {
  type Bulk,
  type BulkKey,
  type BulkTable,
  type FoundTable,
  inOrderOfReferences,
  keyOf,
  movedTables,
  quoted,
  selectLastKey,
  selectRows,
} from '../bulk/bulk.ts'
import type { Tables } from '../rows/tables.ts'
import type { ColumnKind } from '../table-map.ts'
import { copyIn, copyOut } from './copy.ts'
import { pooledDriver, postgresDialect } from './driver.ts'
import { holdSchema, makingMonths } from './months.ts'
import { asUnavailable, limits } from './outages.ts'
import { openServers, type Servers } from './servers.ts'

type Client = pg.PoolClient

export function openPostgresBulk(databaseUrl: string): Bulk {
  const servers = openServers(databaseUrl, { max: 2, pipeline: false })
  const db = new Kysely<Tables>({ dialect: postgresDialect(pooledDriver(servers, limits.transaction)) })
  let reader: Client | undefined
  const ask = async <R extends object>(client: Client, text: string, values: readonly unknown[] = []) =>
    (await servers.run(client, { text, values, milliseconds: 0 })).rows as R[]
  const moment = async () => {
    if (reader !== undefined) return reader
    reader = await servers.connect()
    for (const text of ['begin isolation level repeatable read read only', ...patience, holdSchema, 'set local enable_sort = off'])
      await ask(reader, text)
    return reader
  }
  const once = <R extends object>(text: string, values?: readonly unknown[]) =>
    withClient(servers, (client) => ask<R>(client, text, values))
  const inTransaction = (work: (client: Client) => Promise<unknown>) =>
    withClient(servers, async (client) => {
      for (const text of ['begin', ...patience]) await ask(client, text)
      await work(client)
      await ask(client, 'commit')
    })
  return {
    tables: async () => tablesOf(await once<ColumnRow>(columnsText, [movedTables])),
    async *read(table, after) {
      const client = await moment()
      const rows = selectRows(table, after?.map(literal).join())
      for await (const batch of outages(copyOut(client, `copy (${rows}) to stdout (format binary)`))) yield batch
    },
    async endMoment() {
      if (reader === undefined) return
      await ask(reader, 'commit')
      reader.release()
      reader = undefined
    },
    async lastKey(table) {
      const [row] = await once<Record<string, string | number>>(selectLastKey(table))
      return row === undefined ? undefined : table.key.map((name) => row[name] as string | number)
    },
    write: (table, tuples, replace) =>
      makingMonths(db, () =>
        inTransaction(async (client) => {
          if (replace) await ask(client, `delete from "${table.name}"`)
          const names = quoted(table.columns.map(({ name }) => name))
          await asUnavailable(() => copyIn(client, `copy "${table.name}" (${names}) from stdin (format binary)`, tuples))
        }),
      ),
    clear: (tables) =>
      inTransaction((client) =>
        ask(client, `truncate ${quoted(tables.map(({ name }) => name).filter((name) => name !== 'schema_migrations'))}`),
      ),
    async idCounters() {
      const sequences = await once<SequenceRow>(sequencesText, [movedTables])
      return new Map(sequences.filter(({ last }) => last !== null).map(({ name, last }) => [name, Number(last)]))
    },
    setIdCounters: (counters) =>
      inTransaction(async (client) => {
        for (const [name, last] of counters) await ask(client, `select setval(pg_get_serial_sequence('"${name}"', 'id'), $1)`, [last])
      }),
    async close() {
      reader?.release(true)
      await servers.close()
    },
  }
}

/** A move has no time limit, but it still does not wait for locks. */
const patience = ['set local statement_timeout = 0', 'set local idle_in_transaction_session_timeout = 0']

async function withClient<T>(servers: Servers, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await servers.connect()
  let isSpoilt = true
  try {
    const result = await work(client)
    isSpoilt = false
    return result
  } finally {
    client.release(isSpoilt)
  }
}

async function* outages<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  for (let next = await asUnavailable(() => items.next()); !next.done; next = await asUnavailable(() => items.next())) yield next.value
}

/** COPY accepts no parameters, so values are written as literals. */
function literal(value: BulkKey[number]): string {
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(value)
}

const columnsText = `
  select c.relname as name, a.attname as column, format_type(a.atttypid, null) as type,
    array_position((select i.indkey::int2[] from pg_index i where i.indrelid = c.oid and i.indisprimary), a.attnum) as place,
    array(select f.confrelid::regclass::text from pg_constraint f where f.conrelid = c.oid and f.contype = 'f') as refers
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname = any($1)
  order by c.relname, a.attnum`

interface ColumnRow {
  readonly name: string
  readonly column: string
  readonly type: string
  /** Its position in the primary key; null if it is not part of it. */
  readonly place: number | null
  readonly refers: readonly string[]
}

const kinds: Readonly<Record<string, ColumnKind>> = { bigint: 'integer', text: 'text', bytea: 'bytes', 'double precision': 'real' }

function tablesOf(rows: readonly ColumnRow[]): readonly BulkTable[] {
  return inOrderOfReferences([...Map.groupBy(rows, ({ name }) => name)].map(([name, columns]) => tableOf(name, columns)))
}

function tableOf(name: string, found: readonly ColumnRow[]): FoundTable {
  const columns = found.map(({ column, type }) => ({ name: column, kind: kinds[type] ?? 'text' }))
  const ofKey = found.filter(({ place }) => place !== null).toSorted((one, other) => Number(one.place) - Number(other.place))
  return {
    name,
    columns,
    key: keyOf(
      name,
      ofKey.map(({ column }) => column),
      columns,
    ),
    refersTo: found[0]?.refers ?? [],
  }
}

/** A sequence that was never used has no last value. */
const sequencesText = `
  select c.relname as name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass) as last
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
  where c.relnamespace = current_schema()::regnamespace and c.relname = any($1) order by 1`

interface SequenceRow {
  readonly name: string
  readonly last: number | null
}
