/** Token buckets shared by all processes on one database, refilled by the clock of the database server. */

import { type Kysely, sql } from 'kysely'
import type { Draw, DrawnTokens } from '../../lib/work/token-buckets.ts'
import type { Tables } from '../rows/tables.ts'

/** Takes one statement, so that the row is locked briefly; the first use of a bucket takes two more. */
export async function drawFromBucket(db: Kysely<Tables>, draw: Draw): Promise<DrawnTokens> {
  const drawn = await drawOnce(db, draw)
  if (drawn !== undefined) return drawn
  await sql`insert into rate_buckets (name, tokens, filled_at) values (${draw.name}, ${draw.perMinute}, ${now}) on conflict do nothing`.execute(
    db,
  )
  return (await drawOnce(db, draw)) ?? { granted: draw.wanted, left: draw.perMinute - draw.wanted }
}

const now = sql`extract(epoch from clock_timestamp())`

/** A clock that was set back adds no tokens; afterwards it counts from its new time. */
async function drawOnce(db: Kysely<Tables>, { name, perMinute, wanted, onCredit = false }: Draw): Promise<DrawnTokens | undefined> {
  const { rows } = await sql<DrawnTokens>`
    with held as materialized (select tokens, filled_at from rate_buckets where name = ${name} for update),
    filled as (
      select least(${perMinute}::double precision, tokens + greatest(0, ${now} - filled_at) * ${perMinute}::double precision / 60) as tokens from held
    ),
    granted as (
      select tokens, case when ${onCredit} then ${wanted}::double precision
        else greatest(0, least(floor(tokens), ${wanted}::double precision)) end as granted from filled
    )
    update rate_buckets set tokens = granted.tokens - granted.granted, filled_at = ${now}
    from granted where rate_buckets.name = ${name}
    returning granted.granted as granted, rate_buckets.tokens as left`.execute(db)
  return rows[0]
}
