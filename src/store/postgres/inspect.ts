/** What an operator should know about the PostgreSQL server: its durability, whether it is a standby, its replicas, and a connection pooler in front of it. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Finding } from '../engine.ts'
import type { Tables } from '../rows/tables.ts'
import { limits } from './outages.ts'

export async function inspectServer(db: Kysely<Tables>, databaseUrl: string): Promise<readonly Finding[]> {
  const setting = async (name: string) => (await one<string>(db, sql`current_setting(${name})`)) ?? ''
  return [
    { name: 'PostgreSQL', value: await setting('server_version') },
    expectOn('fsync', await setting('fsync')),
    expectOn('synchronous_commit', await setting('synchronous_commit')),
    expectOn('full_page_writes', await setting('full_page_writes')),
    ...(await roleOf(db)),
    ...((await hasOurSettings(setting)) ? [] : [await poolerBefore(databaseUrl)]),
  ]
}

async function one<T>(db: Kysely<Tables>, expression: RawBuilder<unknown>): Promise<T | null | undefined> {
  return (await sql<{ value: T | null }>`select ${expression} as value`.execute(db)).rows[0]?.value
}

function expectOn(name: string, value: string): Finding {
  const finding = { name, value }
  if (value !== 'off') return finding
  return {
    ...finding,
    complaint: `${name} is off: a crash of the server may lose acknowledged writes.`,
    cause: 'The configuration of the server, the database or the role says so.',
    cure: `Set ${name} = on in postgresql.conf and reload the server.`,
  }
}

async function roleOf(db: Kysely<Tables>): Promise<Finding[]> {
  const isStandby = await one<boolean>(db, sql`pg_is_in_recovery()`)
  return isStandby ? [await standby(db)] : [{ name: 'role', value: 'primary' }, await followers(db)]
}

async function standby(db: Kysely<Tables>): Promise<Finding> {
  const lag = await one<number>(db, sql`extract(epoch from now() - pg_last_xact_replay_timestamp())::float8`)
  const seconds = lag === null || lag === undefined ? 'unknown' : `${lag.toFixed(1)} s`
  return {
    name: 'role',
    value: `standby, last replayed ${seconds} ago`,
    complaint: 'This server is a standby and accepts no writes.',
    cause: 'DATABASE_URL names it alone.',
    cure: 'Name the primary in DATABASE_URL, or all servers separated by commas.',
  }
}

/** The names of replicas are visible only to superusers and monitoring roles; others see that there are some. */
async function followers(db: Kysely<Tables>): Promise<Finding> {
  const { rows } = await sql<{ name: string; sync: string | null; lag: number | null }>`
    select application_name as name, sync_state as sync, extract(epoch from replay_lag)::float8 as lag from pg_stat_replication`.execute(db)
  const told = rows.map(({ name, sync, lag }) => [name, sync ?? 'hidden from this role', lag === null ? '' : `${lag.toFixed(1)} s behind`])
  const value = rows.length === 0 ? 'none' : told.map((words) => words.filter(Boolean).join(' ')).join(', ')
  const wanted = await one<string>(db, sql`current_setting('synchronous_standby_names')`)
  const isMissing = wanted !== '' && !rows.some(({ sync }) => sync === null || sync === 'sync' || sync === 'quorum')
  const finding = { name: 'standbys', value }
  if (!isMissing) return finding
  return {
    ...finding,
    complaint: 'A synchronous standby is demanded and none is connected: writes wait until one is.',
    cause: `synchronous_standby_names of the server is ${wanted}.`,
    cure: 'Start the standby, or take it out of synchronous_standby_names.',
  }
}

async function hasOurSettings(setting: (name: string) => Promise<string>): Promise<boolean> {
  return (await setting('statement_timeout')) !== '0' && (await setting('enable_seqscan')) === 'off' && (await setting('jit')) === 'off'
}

/** A pooler that ignores our connection parameters loses the settings we ask for. */
async function poolerBefore(databaseUrl: string): Promise<Finding> {
  const pooler = await askPooler(databaseUrl)
  const isTooOld = pooler !== null && pooler.mode !== 'session' && isBefore(pooler.version, [1, 21])
  const tooOld = ' PgBouncer before 1.21 does not keep prepared statements apart in transaction mode: use session mode or a newer one.'
  return {
    name: 'connection pooler',
    value: pooler === null ? 'unknown' : `PgBouncer ${pooler.version}, ${pooler.mode} mode`,
    complaint: 'The time limits or the settings of the planner are lost on the way to the server.',
    cause: 'A connection pooler ignores what is asked for when a connection is made, or DATABASE_URL has options of its own.',
    cure: `Set statement_timeout, lock_timeout, idle_in_transaction_session_timeout, enable_seqscan = off and jit = off by alter role.${isTooOld ? tooOld : ''}`,
  }
}

/** PgBouncer has an administration database of this name, which only its own users may open. */
async function askPooler(databaseUrl: string): Promise<{ version: string; mode: string } | null> {
  const url = new URL(databaseUrl.replace(/,[^/]*/, ''))
  url.pathname = '/pgbouncer'
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: limits.connect })
  client.on('error', () => {})
  try {
    await client.connect()
    const version = (await client.query<{ version: string }>('show version')).rows[0]?.version ?? ''
    const config = (await client.query<{ key: string; value: string }>('show config')).rows
    return { version: version.replace(/^\D*/, ''), mode: config.find(({ key }) => key === 'pool_mode')?.value ?? 'unknown' }
  } catch {
    return null
  } finally {
    await client.end().catch(() => {})
  }
}

function isBefore(version: string, [major, minor]: readonly [number, number]): boolean {
  const [own = 0, ownMinor = 0] = version.split('.').map(Number)
  return own < major || (own === major && ownMinor < minor)
}
