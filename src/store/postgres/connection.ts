/** The pool of PostgreSQL connections: bounded in number and in patience, and no lost connection ends the process. */

import { createHash } from 'node:crypto'
import pg from 'pg'
import { Failure } from '../../lib/failures.ts'

const int8 = 20
const numeric = 1700

export function openPool(databaseUrl: string, { max = 10, pipeline = false } = {}): pg.Pool {
  const types = new pg.TypeOverrides()
  // Ids stay below 2^53 and sums of them too, so both are numbers here as they are on the other engine.
  for (const oid of [int8, numeric]) types.setTypeParser(oid, Number)
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types,
    max,
    pipeline,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    // Longer than the server's own limit: it only speaks when the network is gone.
    query_timeout: 35_000,
    keepAlive: true,
    application_name: 'marquee',
  })
  // A connection may be lost while idle in the pool or between two statements; whoever uses it next is told.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** A prepared statement is named after its text, so that none is ever taken for another. */
export function nameOf(text: string): string {
  return `marquee_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
}

/** States as unavailable what the server or the network is to blame for; anything else is a bug and passes. */
export async function asUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const sentence = outageOf(error)
    if (sentence === undefined) throw error
    throw Object.assign(new Failure('unavailable', { sentence, headers: { 'Retry-After': '1' } }), { cause: error })
  }
}

/** Why the server cannot be used, for the operator only: the cause names users, hosts and databases. Undefined for anything else. */
export function connectionReason(error: unknown): string | undefined {
  const [, advice] = connectionAdvice.find(([pattern]) => pattern.test(stateOf(error))) ?? []
  return advice === undefined ? undefined : `${error instanceof Error ? error.message : ''}. ${advice}`
}

const connectionAdvice = [
  [/^28P01$/, 'Check the password in DATABASE_URL.'],
  [/^28/, 'Check the user in DATABASE_URL and the pg_hba.conf of the server.'],
  [/^3D000$/, 'Create it with createdb, or correct the name in DATABASE_URL.'],
  [/^(ENOTFOUND|EAI_)/, 'Check the host name in DATABASE_URL and the name server of this machine.'],
  [/^ECONNREFUSED$/, 'Check that the server runs there and listens on that port.'],
  [/^(ETIMEDOUT|EHOST|ENET)/, 'Check the network and the firewall on the way to the server.'],
  [/^53300$/, 'Raise max_connections of the server or lower DATABASE_POOL.'],
] as const

export function stateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function outageOf(error: unknown): string | undefined {
  const code = stateOf(error)
  const message = error instanceof Error ? error.message : ''
  return outages.find(([pattern]) => pattern.test(code) || pattern.test(message))?.[1]
}

const outages = [
  [/^(57014|55P03)$/, 'The database is busy'],
  [/^53/, 'The database has no room left'],
  [/^25006$/, 'The database accepts no writes now'],
  [/^(28|3D)/, 'The database refuses the connection'],
  [/^(08|57P|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/, 'The database cannot be reached'],
  [
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/,
    'The database cannot be reached',
  ],
] as const
