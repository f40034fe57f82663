/** The engine for SQLite: one file that only its owner may read. */

import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, type RawBuilder, sql } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { makeFolder } from '../../lib/folders.ts'
import { giveWriteTurn, takeWriteTurn } from '../../lib/work/write-turns.ts'
import type { ColumnTypes, Engine, Finding, Snapshots, UniqueViolation } from '../engine.ts'
import { backUpFile } from '../file-backup.ts'
import type { Tables } from '../rows/tables.ts'
import { observers } from '../statements.ts'
import { openSqliteBulk } from './bulk.ts'
import { connect, type SqliteConnection } from './connection.ts'
import { beginSnapshot, beginWriting, driverOf, pool, sharedBy, sqliteDialect } from './driver.ts'
import { groupCommits } from './group-commit.ts'
import { fileIdGenerators } from './id-generators.ts'
import { fileIds } from './many-ids.ts'
import { acceptFileWrites, refuseFileWrites } from './refuse-writes.ts'
import { rekeyFileTables } from './rekey.ts'
import { endingSharedReads, sharedPerTick } from './shared-reads.ts'
import { findFileTables } from './tables-found.ts'

const maxSnapshots = 8
const maxWaitingWrites = 1000

/** Without what needs the connection. */
export const fileColumns: Omit<ColumnTypes, 'dropForeignKey' | 'allowNull'> = {
  id: 'integer primary key autoincrement',
  accountId: 'integer primary key autoincrement',
  // SQLite assigns numbers only to a key of one column, so the pair gets a unique constraint of its own.
  accountKey: (table, name) => table.addUniqueConstraint(`${name}_account_id_id_key`, ['account_id', 'id']),
  kinds: { integer: 'integer', text: 'text', bytes: 'blob', real: 'real' },
  tableEnd: 'strict',
  packed: () => [],
  fleeting: () => [],
  spread: () => [],
  // A file keeps rows in the order of their keys by itself.
  partitionByMonth: async () => {},
}

/** Of each connection where memory is to be little; SQLite's own is 16 MB. */
const littleCacheKib = 1_000

export function openSqlite(dataDir: string, memory: 'usual' | 'little' = 'usual'): Engine {
  const file = join(dataDir, 'marquee.db')
  makePrivate(file)
  const opened: SqliteConnection[] = []
  const { promise: diskFailed, resolve } = Promise.withResolvers<void>()
  let hasDiskFailed = false
  const lose = () => {
    hasDiskFailed = true
    resolve()
  }
  const open = (role: 'writer' | 'reader') => {
    const connection = connect(file, role, lose)
    if (memory === 'little') connection.pragma(`cache_size = -${littleCacheKib}`)
    opened.push(connection)
    return connection
  }
  const reader = sharedPerTick(open('reader'))
  const writer = endingSharedReads(open('writer'), reader)
  const db = new Kysely<Tables>({ plugins: observers(), dialect: sqliteDialect(driverOf(sharedBy(reader))) })
  const beginGroup = async () => {
    if (hasDiskFailed) refuseFailedDisk()
    await takeWriteTurn()
    await beginWriting(writer).catch((error: unknown) => {
      giveWriteTurn()
      throw error
    })
  }
  const writers = groupCommits(writer, maxWaitingWrites, beginGroup, giveWriteTurn)
  const snapshots = pool(() => open('reader'), maxSnapshots, maxWaitingWrites, beginSnapshot)
  const writing = new Kysely<Tables>({ plugins: observers(), dialect: sqliteDialect(writers.shared) })
  const writingAlone = new Kysely<Tables>({ plugins: observers(), dialect: sqliteDialect(writers.alone) })
  const reading = new Kysely<Tables>({ plugins: observers(), dialect: sqliteDialect(driverOf(snapshots)) })
  return {
    name: 'sqlite',
    place: file,
    db,
    columns: {
      ...fileColumns,
      dropForeignKey: async (_tx, table, key) => writer.dropForeignKey(table, key),
      allowNull: async (_tx, table, column) => writer.allowNull(table, column),
    },
    write: (work, time) => (hasDiskFailed ? refuseFailedDisk() : (time === undefined ? writing : writingAlone).transaction().execute(work)),
    snapshot: (work) => reading.transaction().execute(work),
    isRemote: false,
    prepared: (text) => async (values) => reader.all(text, values),
    dataVersion: () => reader.version(),
    // Some ten milliseconds, because deleted bytes are overwritten.
    rowsPerDelete: 500,
    // SQLite has one writer at a time, so nothing needs a lock.
    lockRow: async () => {},
    lockRows: async () => {},
    lockSchema: async () => {},
    tableNames,
    tablesFound: findFileTables,
    rekey: rekeyFileTables,
    ...fileIdGenerators,
    ...fileIds,
    jsonArray,
    concatBytes,
    uniqueViolation,
    otherEncoding: async () => null,
    unheldIn: async () => new Set(),
    inspect: async () => inspect(file, writer, reader),
    diskFailed,
    failDisk: lose,
    gauges: () => ({
      wal_bytes: sizeOf(`${file}-wal`),
      database_bytes: sizeOf(file),
      waiting_writes: writers.counts.waiting,
      writes_total: writers.counts.writes,
      commits_total: writers.counts.commits,
      waiting_snapshots: snapshots.waiting(),
    }),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize
    },
    truncateLog: async () => {
      reader.endSharedRead()
      const connection = connect(file, 'writer')
      connection.pragma('wal_checkpoint(truncate)')
      connection.close()
    },
    drawTokens: null,
    tryConnections: null,
    otherSchema: async () => null,
    backUp: (target) => backUpFile(file, target),
    bulk: () => openSqliteBulk(file),
    distribute: null,
    months: null,
    isDistributed: async () => false,
    refuseWrites: refuseFileWrites,
    acceptWrites: acceptFileWrites,
    close: async () => {
      writers.end()
      reader.endSharedRead()
      for (const connection of opened) connection.close()
    },
  }
}

/** For a thread that only reads. */
export function openSqliteSnapshots(dataDir: string, most: number): Snapshots {
  const opened: SqliteConnection[] = []
  const open = () => {
    const connection = connect(join(dataDir, 'marquee.db'), 'reader')
    opened.push(connection)
    return connection
  }
  const reading = new Kysely<Tables>({
    plugins: observers(),
    dialect: sqliteDialect(driverOf(pool(open, most, maxWaitingWrites, beginSnapshot))),
  })
  return {
    snapshot: (work) => reading.transaction().execute(work),
    isRemote: false,
    ...fileIds,
    jsonArray,
    concatBytes,
    close: async () => {
      for (const connection of opened) connection.close()
    },
  }
}

function refuseFailedDisk(): never {
  return refuse('unavailable', 'The disk of the database has failed')
}

function jsonArray(numbers: RawBuilder<number>): RawBuilder<string> {
  return sql<string>`json_group_array(${numbers})`
}

/** SQLite has no aggregate that concatenates blobs; its text may hold any bytes, so the result is cast back to a blob. */
function concatBytes(column: string): RawBuilder<Uint8Array | null> {
  return sql<Uint8Array | null>`cast(group_concat(${sql.ref(column)}, '') as blob)`
}

/** SQLite creates its side files with the mode of the database file, so that file is created first. */
function makePrivate(file: string): void {
  makeFolder(dirname(file))
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

async function tableNames(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db)
  return rows.map((row) => row.name)
}

/** Parses `UNIQUE constraint failed: sites.account_id, sites.domain`. */
function uniqueViolation(error: unknown): UniqueViolation | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined
  if (error.code !== 'SQLITE_CONSTRAINT_UNIQUE' && error.code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined
  const named = (error.message.split(': ')[1] ?? '').split(', ').map((name) => name.split('.'))
  return { table: named[0]?.[0] ?? '', columns: named.map(([, column]) => column ?? '') }
}

function inspect(file: string, writer: SqliteConnection, reader: SqliteConnection): readonly Finding[] {
  const version = String((reader.all('select sqlite_version() as version', [])[0] as { version: string }).version)
  return [
    { name: 'SQLite', value: version },
    expect('journal_mode', writer.pragma('journal_mode'), 'wal'),
    expect('synchronous', writer.pragma('synchronous'), 2),
    expect('foreign_keys', writer.pragma('foreign_keys'), 1),
    expect('trusted_schema', writer.pragma('trusted_schema'), 0),
    expect('secure_delete', writer.pragma('secure_delete'), 1),
    expectMode('database file', file, 0o600),
    expectMode('data folder', dirname(file), 0o700),
  ]
}

function expect(name: string, value: unknown, wanted: unknown): Finding {
  const finding = { name, value: String(value) }
  if (value === wanted) return finding
  return {
    ...finding,
    complaint: `${name} is ${value} and should be ${wanted}.`,
    cause: 'Another program has the file open, or its file system does not allow it.',
    cure: 'Stop what else uses the file, and keep it on a local disk.',
  }
}

function expectMode(name: string, path: string, wanted: number): Finding {
  const mode = statSync(path).mode & 0o777
  const finding = { name: `mode of the ${name}`, value: `0${mode.toString(8)}` }
  if ((mode & ~wanted) === 0) return finding
  return {
    ...finding,
    complaint: `The ${name} ${path} can be reached by other users.`,
    cause: `Its mode is ${finding.value}.`,
    cure: `Run chmod ${wanted.toString(8)} ${path}.`,
  }
}
