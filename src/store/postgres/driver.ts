/** A Kysely driver on a pool of PostgreSQL connections, with a time limit on each transaction. */

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import type { GroupedReads } from '../grouped-rows.ts'
import { serverRowsOfEach } from './many-ids.ts'
import { isConnectionLost } from './outages.ts'
import type { Servers } from './servers.ts'

interface PostgresConnection extends DatabaseConnection {
  readonly client: pg.PoolClient
  run(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  /** Set when a statement may still be running on the connection; the pool then discards it. */
  isSpoilt: boolean
  /** The deadline of the transaction by the monotonic clock; undefined outside of one, infinite if it has no limit. */
  endsAt: number | undefined
}

export function postgresDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new GroupingAdapter(),
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

class GroupingAdapter extends PostgresAdapter implements GroupedReads {
  readonly rowsOfEach = serverRowsOfEach
}

/** Limits the duration of each transaction. */
export function pooledDriver(servers: Servers, transactionMilliseconds: number): Driver {
  const own = (connection: DatabaseConnection) => connection as PostgresConnection
  const begin = async (connection: PostgresConnection, settings: TransactionSettings) => {
    connection.endsAt = performance.now() + transactionMilliseconds
    await connection.run(beginning(settings))
    if (transactionMilliseconds === Number.POSITIVE_INFINITY) await connection.run('set local statement_timeout = 0')
  }
  return {
    init: async () => {},
    acquireConnection: async () => connectionOf(servers, await servers.connect()),
    beginTransaction: (connection, settings) => begin(own(connection), settings),
    commitTransaction: (connection) => commit(own(connection)),
    rollbackTransaction: (connection) => rollback(own(connection)),
    releaseConnection: async (connection) => own(connection).client.release(own(connection).isSpoilt),
    destroy: () => servers.close(),
  }
}

function connectionOf(servers: Servers, client: pg.PoolClient): PostgresConnection {
  const connection: PostgresConnection = {
    client,
    isSpoilt: false,
    endsAt: undefined,
    async run(text, values = []) {
      try {
        return await servers.run(client, { text, values, ...timeLeft(connection) })
      } catch (error) {
        if (isConnectionLost(error)) connection.isSpoilt = true
        throw error
      }
    },
    executeQuery: async <R>(compiled: CompiledQuery) => resultOf<R>(await connection.run(compiled.sql, compiled.parameters)),
    streamQuery: () => {
      throw new Error('A cursor would hold the connection: read in slices instead.')
    },
  }
  return connection
}

function timeLeft({ endsAt }: PostgresConnection): { milliseconds?: number } {
  if (endsAt === undefined) return {}
  return { milliseconds: endsAt === Number.POSITIVE_INFINITY ? 0 : Math.max(1, endsAt - performance.now()) }
}

export function resultOf<R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> {
  const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
  return isChange ? { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) } : { rows: (rows ?? []) as R[] }
}

function beginning({ isolationLevel, accessMode }: TransactionSettings): string {
  return ['begin', isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ')
}

async function commit(connection: PostgresConnection): Promise<void> {
  const { command } = await connection.run('commit')
  // PostgreSQL answers a commit after a failed statement by rolling back, without an error.
  if (command === 'ROLLBACK') throw new Error('A failed statement was passed over inside a write: nothing was committed.')
}

/** Sends nothing on a lost connection, so that the caller gets the error at once. */
async function rollback(connection: PostgresConnection): Promise<void> {
  if (connection.isSpoilt) return
  try {
    await connection.run('rollback')
  } catch (error) {
    connection.isSpoilt = true
    throw error
  }
}
