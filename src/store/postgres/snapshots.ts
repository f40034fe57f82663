/** Moments of PostgreSQL for a thread that only reads: statements are parsed once, and sent before those ahead of them are answered. */

import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely } from 'kysely'
import type pg from 'pg'
import { memo } from '../../lib/memo.ts'
import type { Tables } from '../rows/tables.ts'
import { asUnavailable, nameOf } from './connection.ts'
import { postgresDialect, resultOf } from './driver.ts'

/** The pool's connections must be pipelined. */
export async function inSnapshot<T>(pool: pg.Pool, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const client = await asUnavailable(() => pool.connect())
  const begun = asUnavailable(() => client.query('begin isolation level repeatable read read only'))
  begun.catch(() => {})
  try {
    const result = await work(new Kysely<Tables>({ dialect: postgresDialect(driverOn(client)) }))
    await begun
    return result
  } finally {
    leave(client)
  }
}

/** Nobody waits for this: what was read is what it is. A connection that cannot even end is thrown away. */
function leave(client: pg.PoolClient): void {
  client.query('commit').then(
    () => client.release(),
    () => client.release(true),
  )
}

/** Kysely's own transactions would let each statement wait for the one before. */
function driverOn(client: pg.PoolClient): Driver {
  const refuse = () => Promise.reject(new Error('This is one moment: nothing can be begun or ended in it.'))
  const connection = connectionOn(client)
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  }
}

function connectionOn(client: pg.PoolClient): DatabaseConnection {
  return {
    executeQuery: async <R>({ sql: text, parameters }: CompiledQuery) =>
      resultOf<R>(await asUnavailable(() => client.query({ name: named(text), text, values: [...parameters] }))),
    streamQuery: () => {
      throw new Error('A cursor would hold the connection: read in slices instead.')
    },
  }
}

/** Reports ask the same few things; their names are worked out once. */
const named = memo({ most: 500, longest: 100_000 }, nameOf)
