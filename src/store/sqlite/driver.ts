/** Kysely on SQLite: snapshots on connections of their own, plain reads beside them; writes are in group-commit.ts. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseConnection, type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { busyMilliseconds, isBusy, type SqliteConnection } from './connection.ts'

interface Connections {
  take(): Promise<SqliteConnection>
  give(connection: SqliteConnection): void
  begin(connection: SqliteConnection): Promise<void>
  waiting(): number
}

/** Plain reads: every statement is its own moment, so one connection serves all. */
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

/** Up to `most` connections, each used by one at a time; the rest wait their turn, but no more than `maxWaiting`. */
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

/** Another process may be writing: ask again until it is done, because SQLite's own waiting would stop this process. */
export async function beginWriting(connection: SqliteConnection): Promise<void> {
  for (const until = Date.now() + busyMilliseconds; ; await sleep(5)) {
    try {
      return connection.run('begin immediate')
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error
    }
  }
}

export async function beginSnapshot(connection: SqliteConnection): Promise<void> {
  connection.run('begin')
  // The moment is fixed by the first read, not by `begin`.
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

/** Kysely takes SQLite for a database with one connection and lets everyone wait for it; ours come from pools, which have their own order. */
class PooledAdapter extends SqliteAdapter {
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
      // A full disk has already rolled back by itself.
      if (own(connection).inTransaction) own(connection).run('rollback')
    },
    releaseConnection: async (connection) => give(own(connection)),
    destroy: async () => {},
  }
}
