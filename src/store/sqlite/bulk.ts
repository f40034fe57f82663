/** Copies whole tables out of and into an SQLite file, on connections of its own. */

import {
  Batch,
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
import { type BulkValue, decodeTuple, encodeTuple } from '../bulk/tuples.ts'
import type { ColumnKind } from '../table-map.ts'
import { connect, type SqliteConnection } from './connection.ts'
import { beginSnapshot, beginWriting } from './driver.ts'

export function openSqliteBulk(file: string): Bulk {
  const [reader, writer] = [connect(file, 'reader'), connect(file, 'writer')]
  const inTransaction = async (work: () => void) => {
    await beginWriting(writer)
    try {
      work()
      writer.run('commit')
    } finally {
      if (writer.inTransaction) writer.run('rollback')
    }
  }
  return {
    tables: async () => tablesOf(reader),
    read: (table, after) => readBatches(reader, table, after),
    async endMoment() {
      if (reader.inTransaction) reader.run('commit')
    },
    async lastKey(table) {
      const [row] = writer.all(selectLastKey(table), []) as Record<string, string | number>[]
      return row === undefined ? undefined : table.key.map((name) => row[name] as string | number)
    },
    write: (table, tuples, replace) =>
      inTransaction(() => {
        if (replace) writer.run(`delete from "${table.name}"`)
        insert(writer, table, tuples)
      }),
    clear: (tables) =>
      inTransaction(() => {
        for (const { name } of tables.filter((table) => table.name !== 'schema_migrations').toReversed())
          writer.run(`delete from "${name}"`)
      }),
    idCounters: async () => countersOf(reader),
    setIdCounters: (counters) => inTransaction(() => setCounters(writer, counters)),
    close: async () => {
      for (const connection of [reader, writer]) connection.close()
    },
  }
}

const kinds: Readonly<Record<string, ColumnKind>> = { INTEGER: 'integer', TEXT: 'text', BLOB: 'bytes', REAL: 'real' }

function tablesOf(reader: SqliteConnection): readonly BulkTable[] {
  return inOrderOfReferences(movedTables.map((name) => tableNamed(reader, name)))
}

function tableNamed(reader: SqliteConnection, name: string): FoundTable {
  const found = reader.all('select name, type, pk from pragma_table_info(?) order by cid', [name]) as ColumnRow[]
  const columns = found.map((column) => ({ name: column.name, kind: kinds[column.type.toUpperCase()] ?? 'text' }))
  const primaryKey = found.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk)
  const references = reader.all('select "table" as name from pragma_foreign_key_list(?)', [name]) as { name: string }[]
  return {
    name,
    columns,
    key: keyOf(
      name,
      primaryKey.map((column) => column.name),
      columns,
    ),
    refersTo: references.map((each) => each.name),
  }
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly pk: number
}

/** Reads row by row, so that at most one batch is in memory however large the rows are. */
async function* readBatches(reader: SqliteConnection, table: BulkTable, after: BulkKey | undefined): AsyncGenerator<readonly Buffer[]> {
  if (!reader.inTransaction) await beginSnapshot(reader)
  const columnKinds = table.columns.map(({ kind }) => kind)
  const batch = new Batch()
  for (const row of reader.rows(selectRows(table, after?.map(() => '?').join()), after ?? [])) {
    batch.add(encodeTuple(columnKinds, row as BulkValue[]))
    if (batch.isFull) yield batch.take()
  }
  if (!batch.isEmpty) yield batch.take()
}

function insert(writer: SqliteConnection, table: BulkTable, tuples: readonly Buffer[]): void {
  const columnKinds = table.columns.map(({ kind }) => kind)
  const names = quoted(table.columns.map(({ name }) => name))
  const text = `insert into "${table.name}" (${names}) values (${table.columns.map(() => '?').join()})`
  for (const tuple of tuples) writer.run(text, decodeTuple(columnKinds, tuple))
}

function countersOf(reader: SqliteConnection): ReadonlyMap<string, number> {
  const rows = reader.all('select name, seq from sqlite_sequence where seq > 0', []) as { name: string; seq: number }[]
  return new Map(rows.map(({ name, seq }) => [name, seq]))
}

function setCounters(writer: SqliteConnection, counters: ReadonlyMap<string, number>): void {
  writer.run('delete from sqlite_sequence')
  for (const [name, seq] of counters) writer.run('insert into sqlite_sequence (name, seq) values (?, ?)', [name, seq])
}
