/** Snapshots of PostgreSQL for a thread that only reads, with prepared and pipelined statements. */

import { hash } from 'node:crypto'
import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely } from 'kysely'
import type pg from 'pg'
import { memo } from '../../lib/memo.ts'
import type { Tables } from '../rows/tables.ts'
import { observers } from '../statements.ts'
import { postgresDialect, resultOf } from './driver.ts'
import { holdSchema } from './months.ts'
import type { Servers } from './servers.ts'

export async function inSnapshot<T>(servers: Servers, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const client = await servers.connect()
  const begun = servers.run(client, { text: 'begin isolation level repeatable read read only' })
  begun.catch(() => {})
  const held = servers.run(client, { text: holdSchema })
  held.catch(() => {})
  try {
    const result = await work(new Kysely<Tables>({ plugins: observers(), dialect: postgresDialect(driverOn(servers, client)) }))
    await begun
    await held
    return result
  } finally {
    leave(servers, client)
  }
}

/** Commits without waiting, because nothing was written. A connection that cannot commit is discarded. */
function leave(servers: Servers, client: pg.PoolClient): void {
  servers.run(client, { text: 'commit' }).then(
    () => client.release(),
    () => client.release(true),
  )
}

/** Kysely's own transactions would make each statement wait for the one before. */
function driverOn(servers: Servers, client: pg.PoolClient): Driver {
  const refuse = () => Promise.reject(new Error('This is one moment: nothing can be begun or ended in it.'))
  const connection = connectionOn(servers, client)
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

function connectionOn(servers: Servers, client: pg.PoolClient): DatabaseConnection {
  return {
    executeQuery: async <R>({ sql: text, parameters }: CompiledQuery) =>
      resultOf<R>(await servers.run(client, { name: statementName(text), text, values: parameters })),
    streamQuery: () => {
      throw new Error('A cursor would hold the connection: read in slices instead.')
    },
  }
}

/** A prepared statement is named after the hash of its text, so that no two can be confused. Names are cached. */
export const statementName = memo({ most: 500, longest: 100_000 }, (text) => `marquee_${hash('sha256', text).slice(0, 24)}`)
