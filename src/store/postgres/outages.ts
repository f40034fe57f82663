/** The time limits on PostgreSQL, and which of its errors are outages rather than bugs. */

import { Failure, unheldFailure } from '../../lib/failures.ts'
import { refusedCharacter } from './encoding.ts'

const seconds = 1_000

/** Each limit is shorter than the next, and all are shorter than the 30 seconds after which the HTTP server disconnects a silent client. */
export const limits = {
  /** Waiting for a free or new connection. */
  connect: 4 * seconds,
  /** Waiting for another transaction to release a row. */
  lock: 5 * seconds,
  /** One statement, measured by the server. */
  statement: 15 * seconds,
  /** One statement, measured by this process: it takes effect only when the server or the network is gone. */
  query: 18 * seconds,
  /** A whole writing transaction; a migration has no limit. */
  transaction: 20 * seconds,
  /** A transaction that sends no statements. */
  idle: 60 * seconds,
}

/** Turns errors of the server or the network into `unavailable`, and a text that the database cannot hold into `validation_failed`; any other error is a bug and is rethrown. */
export async function asUnavailable<T>(work: () => Promise<T>, onError: (error: unknown) => void = () => {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    onError(error)
    const character = refusedCharacter(error)
    if (character !== undefined) throw Object.assign(unheldFailure(character), { cause: error })
    const sentence = outageOf(error)
    if (sentence === undefined) throw error
    throw Object.assign(new Failure('unavailable', { sentence, headers: { 'Retry-After': '1' } }), { cause: error })
  }
}

/** The SQLSTATE or network error code, also of an error that was turned into `unavailable`. */
export function stateOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && !(error instanceof Failure) ? String(error.code) : stateOf(error.cause)
}

/** Why the server cannot be used, for the operator only, because it names users, hosts and databases. Undefined for other errors. */
export function connectionReason(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : ''
  const [, advice] = connectionAdvice.find(([pattern]) => pattern.test(stateOf(error)) || pattern.test(message)) ?? []
  return advice === undefined ? undefined : `${error instanceof Error ? error.message : ''}. ${advice}`
}

/** Codes of Node for a certificate that is not trusted. */
const certificate = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/

const connectionAdvice = [
  [/^28P01$/, 'Check the password in DATABASE_URL.'],
  [/^28/, 'Check the user in DATABASE_URL and the pg_hba.conf of the server.'],
  [/^3D000$/, 'Create it with createdb, or correct the name in DATABASE_URL.'],
  [/^(ENOTFOUND|EAI_)/, 'Check the host name in DATABASE_URL and the name server of this machine.'],
  [/^ECONNREFUSED$/, 'Check that the server runs there and listens on that port.'],
  [/^(ETIMEDOUT|EHOST|ENET)/, 'Check the network and the firewall on the way to the server.'],
  [
    /^42501$/,
    'Make the role of DATABASE_URL the owner of the tables, or grant it what the owner may: usage and create on the schema, and all on its tables and sequences.',
  ],
  [/^3F000$/, 'No schema of search_path exists: make it with create schema, or correct search_path with alter role or in DATABASE_URL.'],
  [/^42P01$/, 'Check that search_path, of the role and in DATABASE_URL, leads to the schema of the tables.'],
  [
    certificate,
    'Name the authority of the server, or its own certificate, in DATABASE_URL: sslmode=verify-full&sslrootcert=/etc/ssl/certs/server.pem, with the host name that the certificate has.',
  ],
  [/^The server does not support SSL connections$/, 'Switch TLS on at the server, or take sslmode out of DATABASE_URL.'],
  [/^53300$/, 'Raise max_connections of the server or lower DATABASE_POOL.'],
  [
    /^(timeout exceeded when trying to connect|Query read timeout)$/,
    'Nothing answered in time. Check that the server lives; where a pooler such as PgBouncer stands before it, all of its connections may be taken: raise its default_pool_size (docs/scaling.md, Connections).',
  ],
] as const

/** Whether a statement may still be running on the connection, so that it cannot be used again. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Failure && error.code === 'unavailable' && !statementOutage.test(stateOf(error))
}

function outageOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : ''
  return outages.find(([pattern]) => pattern.test(code) || pattern.test(message))?.[1]
}

/** The SQLSTATE raised by the triggers of refuse-writes.ts; PostgreSQL itself never uses it. */
export const movedState = 'MQ001'

/** The server cancelled the statement, but the connection is fine. */
const statementOutage = /^(57014|55P03|25006|53|MQ001)/

const outages = [
  [/^(57014|55P03)$/, 'The database is busy'],
  [/^53/, 'The database has no room left'],
  [/^25006$/, 'The database accepts no writes now'],
  [/^MQ001$/, 'The database is being moved and accepts no writes now'],
  [
    /unsupported startup parameter/,
    'The connection pooler refuses our settings: let it ignore the startup parameters statement_timeout, lock_timeout, idle_in_transaction_session_timeout and options',
  ],
  [/^(28|3D)/, 'The database refuses the connection'],
  [certificate, 'The certificate of the database server is not trusted'],
  [/^The server does not support SSL connections$/, 'The database cannot be reached over TLS'],
  [/^(08|57P|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/, 'The database cannot be reached'],
  [
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/,
    'The database cannot be reached',
  ],
] as const
