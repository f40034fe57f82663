/** Kysely on a pool of PostgreSQL connections. */

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
import { asUnavailable } from './connection.ts'

interface PostgresConnection extends DatabaseConnection {
  readonly client: pg.PoolClient
  /** Set when the connection may be in the middle of something: the pool throws it away. */
  isSpoilt: boolean
}

export function postgresDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

export function pooledDriver(pool: pg.Pool): Driver {
  const own = (connection: DatabaseConnection) => connection as PostgresConnection
  return {
    init: async () => {},
    acquireConnection: async () => connectionOf(await asUnavailable(() => pool.connect())),
    beginTransaction: async (connection, settings) => void (await query(own(connection), beginning(settings))),
    commitTransaction: (connection) => commit(own(connection)),
    rollbackTransaction: (connection) => rollback(own(connection)),
    releaseConnection: async (connection) => own(connection).client.release(own(connection).isSpoilt),
    destroy: () => pool.end(),
  }
}

function connectionOf(client: pg.PoolClient): PostgresConnection {
  const connection: PostgresConnection = {
    client,
    isSpoilt: false,
    executeQuery: async <R>(compiled: CompiledQuery) => resultOf<R>(await query(connection, compiled.sql, compiled.parameters)),
    streamQuery: () => {
      throw new Error('A cursor would hold the connection: read in slices instead.')
    },
  }
  return connection
}

function query(connection: PostgresConnection, text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
  return asUnavailable(() => connection.client.query(text, [...values]))
}

export function resultOf<R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> {
  const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
  return isChange ? { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) } : { rows: (rows ?? []) as R[] }
}

function beginning({ isolationLevel, accessMode }: TransactionSettings): string {
  return ['begin', isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ')
}

async function commit(connection: PostgresConnection): Promise<void> {
  const { command } = await query(connection, 'commit')
  // PostgreSQL answers a commit after a failed statement by rolling back, without an error.
  if (command === 'ROLLBACK') throw new Error('A failed statement was passed over inside a write: nothing was committed.')
}

async function rollback(connection: PostgresConnection): Promise<void> {
  try {
    await query(connection, 'rollback')
  } catch (error) {
    connection.isSpoilt = true
    throw error
  }
}
