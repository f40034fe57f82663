/** A pool of connections to the server that accepts writes; with several servers, each new connection checks which one that is. */

import pg from 'pg'
import { expandHosts } from '../../lib/network/addresses.ts'
import { asUnavailable, limits, stateOf } from './outages.ts'

export interface Query {
  readonly text: string
  readonly values?: readonly unknown[]
  /** The name of the prepared statement; it is parsed once per connection. */
  readonly name?: string
  /** How long the answer may take; 0 means no limit. */
  readonly milliseconds?: number
}

export interface Servers {
  connect(): Promise<pg.PoolClient>
  run(client: pg.PoolClient, query: Query): Promise<pg.QueryResult>
  /** The number of servers to choose from. */
  readonly count: number
  readonly gauges: () => Readonly<Record<string, number>>
  close(): Promise<void>
}

interface Options {
  readonly max: number
  /** Whether a statement is sent before those ahead of it are answered; COPY needs a connection that does not. */
  readonly pipeline?: boolean
}

const int8 = 20
const numeric = 1700
export const readOnly = '25006'

export function openServers(databaseUrl: string, { max, pipeline = true }: Options): Servers {
  const urls = expandHosts(databaseUrl) ?? [databaseUrl]
  let current = 0
  let opening = 0
  const bornIn = new WeakMap<pg.ClientBase, number>()
  class NextServer extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: urls[current % urls.length] as string })
    }
  }
  // The pool's types lack `Client` as a configured class and the hook `onConnect`.
  const options = { ...settings(max), pipeline, Client: NextServer, onConnect: urls.length > 1 ? refuseStandby : () => {} }
  const pool = new pg.Pool(options as unknown as pg.PoolConfig)
  // A connection may be lost while idle or between two statements; the next use of it fails and reports that.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    bornIn.set(client, opening)
    client.on('error', () => {})
  })
  const take = async () => {
    for (let client = await pool.connect(); ; client = await pool.connect()) {
      if (bornIn.get(client) === opening) return client
      client.release(true)
    }
  }
  const connect = async () => {
    for (let tried = 1; ; tried += 1) {
      const asked = current
      try {
        return await take()
      } catch (error) {
        if (current === asked) current += 1
        if (tried >= urls.length) throw error
      }
    }
  }
  /** The server has become a standby: all connections are replaced, so that new ones find the new primary. */
  const dropAll = () => {
    opening += 1
    current += 1
  }
  return {
    count: urls.length,
    connect: () => asUnavailable(connect),
    run: (client, { milliseconds = limits.query, ...query }) =>
      asUnavailable(
        () => client.query({ ...query, values: [...(query.values ?? [])], query_timeout: milliseconds } as pg.QueryConfig),
        (error) => {
          if (stateOf(error) === readOnly) dropAll()
        },
      ),
    gauges: () => ({ pool_connections: pool.totalCount, pool_idle: pool.idleCount, pool_waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

function settings(max: number): pg.PoolConfig {
  const types = new pg.TypeOverrides()
  // Ids and their sums stay below 2^53, so both are numbers here, as on SQLite.
  for (const oid of [int8, numeric]) types.setTypeParser(oid, Number)
  return {
    types,
    max,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idle,
    options: planning,
    keepAlive: true,
    application_name: 'marquee',
  }
}

/**
 * Every statement here finds its rows by an index. Where one site has nearly all rows of a table, the planner would read the whole table for each of the others,
 * and compile that (docs/decisions/2026-11-17-tables-are-read-by-index.md).
 */
const planning = '-c enable_seqscan=off -c jit=off'

class IsStandby extends Error {
  readonly code = readOnly
}

async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>({
    text: `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as standby`,
    query_timeout: limits.connect,
  } as pg.QueryConfig)
  if (rows[0]?.standby) throw new IsStandby('this server accepts no writes')
}
