/** How many connections the server or a pooler before it gives at once, and how soon. */

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { ConnectionsHad } from '../engine.ts'
import { openServers, type Servers } from './servers.ts'

/**
 * A server tells its limit. A pooler does not, so that its connections are held in transactions until all have been given or the time is over; what the service
 * holds meanwhile counts too. All are given back at once.
 */
export async function tryConnections(databaseUrl: string, wanted: number, patienceMilliseconds: number): Promise<ConnectionsHad> {
  const servers = openServers(databaseUrl, { max: wanted })
  const held: pg.PoolClient[] = []
  const startedAt = performance.now()
  let isOver = false
  const giveBack = () => {
    for (const client of held.splice(0)) client.release(true)
  }
  const hold = async () => {
    const client = await servers.connect()
    held.push(client)
    if (isOver) giveBack()
    await servers.run(client, { text: 'begin' })
    return performance.now() - startedAt
  }
  const inTime = () => Promise.race([hold().catch(() => null), sleep(patienceMilliseconds, null, { ref: false })])
  try {
    const first = await inTime()
    const [client] = held
    if (first === null || client === undefined) return { had: 0, milliseconds: patienceMilliseconds }
    if (wanted === 1) return { had: 1, milliseconds: first }
    const limit = await limitOf(servers, client)
    if (limit !== null) return { had: Math.min(wanted, limit), milliseconds: first }
    const times = (await Promise.all(Array.from({ length: wanted - 1 }, inTime))).filter((time) => time !== null)
    const had = Math.max(times.length + 1, await ownConnections(servers, client))
    return { had: Math.min(wanted, had), milliseconds: Math.max(first, ...times) }
  } finally {
    isOver = true
    giveBack()
    // What was not given yet is given back when it comes, and nobody waits for that.
    servers.close().catch(() => {})
  }
}

/** Null behind a pooler: there another process answers than the one that is named when a connection begins. */
async function limitOf(servers: Servers, client: pg.PoolClient): Promise<number | null> {
  const { rows } = await servers.run(client, {
    text: `select pg_backend_pid() as pid, least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - coalesce(current_setting('reserved_connections', true), '0')::int,
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as most`,
  })
  const { processID } = client as unknown as { readonly processID: number }
  return rows[0]?.pid === processID ? rows[0]?.most : null
}

async function ownConnections(servers: Servers, client: pg.PoolClient): Promise<number> {
  const text = `select count(*) as own from pg_stat_activity where application_name = 'marquee' and datname = current_database()`
  return (await servers.run(client, { text })).rows[0]?.own ?? 0
}
