/** Kysely drivers on SQLite: snapshots on connections of their own, and plain reads; writes are in group-commit.ts. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseConnection, type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { GroupedReads } from '../grouped-rows.ts'
import { busyMilliseconds, isBusy, type SqliteConnection } from './connection.ts'
import { fileRowsOfEach } from './many-ids.ts'

interface Connections {
  take(): Promise<SqliteConnection>
  give(connection: SqliteConnection): void
  begin(connection: SqliteConnection): Promise<void>
  waiting(): number
}

/** For plain reads: every statement is a transaction of its own, so one connection serves all. */
export function sharedBy(connection: SqliteConnection): Connections {
  return {
    take: async () => connection,
    give: () => {},
    waiting: () => 0,
    begin: () => {
      throw new Error('A read connection holds no transaction: use write or snapshot.')
    },
  }
}

/** A connection pool of up to `most` connections; at most `maxWaiting` callers wait for one. */
export function pool(open: () => SqliteConnection, most: number, maxWaiting: number, begin: Connections['begin']): Connections {
  const free: SqliteConnection[] = []
  const waiting: ((connection: SqliteConnection) => void)[] = []
  let opened = 0
  return {
    begin,
    waiting: () => waiting.length,
    async take() {
      const ready = free.pop()
      if (ready !== undefined) return ready
      if (opened < most) {
        opened += 1
        return open()
      }
      if (waiting.length >= maxWaiting) refuse('overloaded', 'Too many are waiting for the database', { 'Retry-After': '1' })
      return new Promise((resolve) => waiting.push(resolve))
    },
    give(connection) {
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else next(connection)
    },
  }
}

/** Polls while another process is writing, because SQLite's own busy timeout would block this process. */
export async function beginWriting(connection: SqliteConnection): Promise<void> {
  for (const until = Date.now() + busyMilliseconds; ; await sleep(1)) {
    try {
      return connection.run('begin immediate')
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error
    }
  }
}

export async function beginSnapshot(connection: SqliteConnection): Promise<void> {
  connection.run('begin')
  // In SQLite the first read fixes the snapshot, not `begin`.
  connection.all('select 1 from sqlite_schema limit 1', [])
}

export function sqliteDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new PooledAdapter(),
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** Kysely assumes that SQLite has one connection and makes everyone wait for it; ours come from pools. */
class PooledAdapter extends SqliteAdapter implements GroupedReads {
  readonly rowsOfEach = fileRowsOfEach

  override get supportsMultipleConnections(): boolean {
    return true
  }
}

export function driverOf({ take, give, begin }: Connections): Driver {
  const own = (connection: DatabaseConnection) => connection as SqliteConnection
  return {
    init: async () => {},
    acquireConnection: take,
    beginTransaction: (connection) => begin(own(connection)),
    commitTransaction: async (connection) => own(connection).run('commit'),
    rollbackTransaction: async (connection) => {
      // When the disk is full, SQLite has already rolled back.
      if (own(connection).inTransaction) own(connection).run('rollback')
    },
    releaseConnection: async (connection) => give(own(connection)),
    destroy: async () => {},
  }
}
