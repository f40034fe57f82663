/** Opens a connection to an SQLite file with durable settings, and caches its prepared statements. */

import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { Failure } from '../../lib/failures.ts'
import { memo } from '../../lib/memo.ts'

export interface SqliteConnection extends DatabaseConnection {
  readonly inTransaction: boolean
  run(sql: string, values?: readonly unknown[]): void
  /** Iterates over rows as lists of values, with integers as `bigint`. The connection cannot be used for anything else meanwhile. */
  rows(sql: string, values: readonly unknown[]): IterableIterator<unknown[]>
  all(sql: string, values: readonly unknown[]): unknown[]
  pragma(name: string): unknown
  /** Within a transaction. The rows stay as they are: SQLite has no statement for this, and to copy a large table would take hours. */
  dropForeignKey(table: string, key: string): void
  /** Like `dropForeignKey`. */
  allowNull(table: string, column: string): void
  backUp(target: string): Promise<void>
  close(): void
}

export const busyMilliseconds = 5000
const statementBounds = { most: 500, longest: 100_000 }

const pragmas = {
  journal_mode: 'wal',
  // NORMAL would lose acknowledged writes in a power failure.
  synchronous: 'full',
  foreign_keys: 'on',
  trusted_schema: 'off',
  secure_delete: 'on',
  journal_size_limit: '67108864',
}

const rolePragmas = {
  // The writer waits for other processes without blocking this one: see `beginWriting`.
  writer: ['busy_timeout = 0'],
  // In KiB. Small, because there may be ten readers, and the operating system caches the file as well.
  reader: ['query_only = on', 'cache_size = -4096'],
}

/** Calls `onLost` when a write may not have reached the disk; retrying would only hide that. */
export function connect(file: string, role: 'writer' | 'reader', onLost: () => void = () => {}): SqliteConnection {
  const database = stateOutages(() => openWithPragmas(file, role), file, onLost)
  const prepare = memo(statementBounds, (sql) => database.prepare(sql))
  const stated = <T>(work: () => T) => stateOutages(work, file, onLost)
  return {
    get inTransaction() {
      return database.inTransaction
    },
    run: (sql, values = []) => stated(() => void prepare(sql).run(values)),
    rows: (sql, values) =>
      stated(() =>
        database
          .prepare<unknown[], unknown[]>(sql)
          .raw(true)
          .safeIntegers(true)
          .iterate(...values),
      ),
    all: (sql, values) => stated(() => prepare(sql).all(values)),
    pragma: (name) => database.pragma(name, { simple: true }),
    dropForeignKey: (table, key) => stated(() => rewriteTable(database, table, foreignKey(key), '')),
    allowNull: (table, column) => stated(() => rewriteTable(database, table, new RegExp(`("${column}" \\w+) not null`), '$1')),
    backUp: async (target) => void (await database.backup(target)),
    close: () => void database.close(),
    executeQuery: async <R>(query: CompiledQuery) => stated(() => execute<R>(prepare(query.sql), query.parameters)),
    streamQuery: () => {
      throw new Error('A cursor would hold the connection: read in slices instead.')
    },
  }
}

function openWithPragmas(file: string, role: 'writer' | 'reader'): Database.Database {
  const database = new Database(file, { timeout: busyMilliseconds })
  try {
    for (const [name, value] of Object.entries(pragmas)) database.pragma(`${name} = ${value}`)
    for (const pragma of rolePragmas[role]) database.pragma(pragma)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** What the operator can do about a file that cannot be opened; undefined for other errors. */
export function fileReason(error: unknown): string | undefined {
  const code = codeOf(error)
  const advice = fileAdvice.find(([start]) => code.startsWith(start))?.[1]
  return advice === undefined ? undefined : `${(error as Error).message}. ${advice}`
}

const fileAdvice = [
  ['EROFS', 'Mount it for writing; the log of the system tells why it is not.'],
  ['SQLITE_FULL', 'Make room on the disk of DATA_DIR.'],
  ['SQLITE_IOERR', 'Look for failures of the disk in the log of the system.'],
  ['SQLITE_CANTOPEN', 'Check the owner and mode of DATA_DIR and of what is in it: it must belong to the user of the service.'],
  ['SQLITE_READONLY', 'Check the owner and mode of the file, and whether its disk is mounted read-only.'],
  ['SQLITE_NOTADB', 'Restore a backup with marquee restore.'],
] as const

export function isBusy(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Database.SqliteError && error.cause.code.startsWith('SQLITE_BUSY')
}

/** As SQLite advises: the text of the table is changed, and every connection reads the schema anew. */
function rewriteTable(database: Database.Database, table: string, what: RegExp, by: string): void {
  const { sql } = database.prepare("select sql from sqlite_schema where type = 'table' and name = ?").get(table) as { sql: string }
  const version = Number(database.pragma('schema_version', { simple: true }))
  database.unsafeMode(true)
  database.pragma('writable_schema = on')
  database.prepare("update sqlite_schema set sql = ? where type = 'table' and name = ?").run(sql.replace(what, by), table)
  database.pragma(`schema_version = ${version + 1}`)
  database.pragma('writable_schema = off')
  database.unsafeMode(false)
}

function foreignKey(name: string): RegExp {
  return new RegExp(`, constraint "${name}" foreign key \\([^)]*\\) references "\\w+" \\([^)]*\\)`)
}

function execute<R>(statement: Database.Statement, values: readonly unknown[]): QueryResult<R> {
  if (statement.reader) return { rows: statement.all(values) as R[] }
  const { changes, lastInsertRowid } = statement.run(values)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** Turns errors of the disk or of a lock held by another process into `unavailable`; any other error is a bug and is rethrown. */
function stateOutages<T>(work: () => T, file: string, onLost: () => void): T {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (/^SQLITE_IOERR_(?:DIR_)?FSYNC$/.test(code)) onLost()
    const cause = readOnlyMount(error, file) ?? error
    const sentence = outages.find(([start]) => codeOf(cause).startsWith(start))?.[1]
    if (sentence === undefined) throw error
    throw Object.assign(new Failure('unavailable', { sentence, headers: { 'Retry-After': '1' } }), { cause })
  }
}

function codeOf(error: unknown): string {
  const isKnown = error instanceof Database.SqliteError || (error instanceof Error && 'code' in error && error.code === 'EROFS')
  return isKnown ? String(error.code) : ''
}

/** SQLite says the same of a file that may not be written and of a disk that is mounted read-only; the system tells them apart. */
function readOnlyMount(error: unknown, file: string): unknown {
  if (!/^SQLITE_(READONLY|CANTOPEN)/.test(codeOf(error))) return undefined
  try {
    accessSync(dirname(file), constants.W_OK)
    return undefined
  } catch (refusal) {
    return codeOf(refusal) === 'EROFS' ? refusal : undefined
  }
}

const outages = [
  ['EROFS', 'The disk of the database is mounted read-only'],
  ['SQLITE_BUSY', 'The database is busy'],
  ['SQLITE_FULL', 'The disk of the database is full'],
  ['SQLITE_IOERR', 'The disk of the database cannot be used'],
  ['SQLITE_CANTOPEN', 'The database file cannot be opened'],
  ['SQLITE_READONLY', 'The database file cannot be written'],
  // The only triggers are those of refuse-writes.ts.
  ['SQLITE_CONSTRAINT_TRIGGER', 'The database is being moved and accepts no writes now'],
  ['SQLITE_NOTADB', 'The database file is damaged, or no database at all'],
] as const
