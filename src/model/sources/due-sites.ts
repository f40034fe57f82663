/** Which sites of which sources are due: found as they come and go, claimed by one process each, and put off until the next time. */

import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { isoTime, secondsAfter } from '../../lib/time/clock.ts'
import { dayIn, dayNumber, startOfDay } from '../../lib/time/days.ts'
import { atMost } from '../../lib/work/batches.ts'
import { restingReasons, type SourceRhythm } from '../../resources/imports/source.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'

type Db = Kysely<Tables>

/** A run ends by itself long before. */
export const heldSeconds = 600
const foundAtOnce = 200
const triedAtOnce = 20

export interface DueSite {
  readonly id: number
  readonly source_id: number
  readonly partner_id: number
  readonly account_id: number
  readonly site_id: number
  readonly domain: string
  readonly time_zone: string
  readonly rhythm: SourceRhythm
  readonly known: string | null
  readonly failures: number
  readonly failing_since: string | null
}

export async function isAnySiteDue(app: App): Promise<boolean> {
  const { db } = app.store
  if ((await due(app).limit(1).execute()).length > 0) return true
  for (const source of await activeSources(db)) if ((await sitesToCome(db, source, 1)).length > 0) return true
  return (await activeWithoutMaker(db, app.clock.now()).limit(1).execute()).length > 0
}

/** A source rests when its key is revoked or its maker has left. */
export async function restWithoutMaker({ store, clock }: App): Promise<void> {
  const ids = (await activeWithoutMaker(store.db, clock.now()).execute()).map(({ id }) => id)
  if (ids.length === 0) return
  const rest = { state: 'resting', reason: restingReasons.maker, updated_at: clock.now() } as const
  await store.write((tx) => tx.updateTable('data_sources').set(rest).where('id', 'in', ids).execute())
}

/** Some at a time; the others follow in the next round. */
export async function findNewSites({ store, clock }: App): Promise<void> {
  for (const source of await activeSources(store.db)) {
    const sites = await sitesToCome(store.db, source, foundAtOnce)
    if (sites.length === 0) continue
    const { id: source_id, partner_id, kind } = source
    const rows = sites.map(({ id: site_id, account_id }) => ({ source_id, partner_id, account_id, site_id, kind, next_at: clock.now() }))
    await store.write((tx) =>
      tx
        .insertInto('data_source_sites')
        .values(rows.map((row) => ({ ...row, ...nothingYet })))
        .onConflict((taken) => taken.columns(['site_id', 'kind']).doNothing())
        .execute(),
    )
  }
}

/** The next site that nobody else has, at a host that nobody asks. */
export async function claimSite(app: App): Promise<DueSite | undefined> {
  const { store, clock } = app
  for (const site of atMost(await due(app).limit(triedAtOnce).execute(), triedAtOnce)) {
    const now = clock.now()
    const claimed = await store
      .write(async (tx) => {
        // What a process has left that died holds its host no longer.
        const left = tx.updateTable('data_source_sites').set({ held_until: null, held_host: null }).where('held_until', '<=', now)
        await left.execute()
        const own = tx
          .updateTable('data_source_sites')
          .where('id', '=', site.id)
          .where('held_until', 'is', null)
          .where('next_at', '<=', now)
        const held = own.set({ held_until: secondsAfter(now, heldSeconds), held_host: site.domain })
        return (await held.executeTakeFirst()).numUpdatedRows > 0n
      })
      .catch((error: unknown) => {
        if (store.engine.uniqueViolation(error) === undefined) throw error
        return false
      })
    if (claimed) return site
  }
  return undefined
}

/** The first minute of the next period in the zone of the account that is the site's own. */
export function nextRun(now: string, { rhythm, time_zone, source_id, site_id }: Omit<DueSite, 'known'>): string {
  const days = { daily: 1, weekly: 7, monthly: 30 }[rhythm]
  const minute = createHash('sha256').update(`${source_id} ${site_id}`).digest().readUInt32BE() % 1_440
  return isoTime((startOfDay(dayNumber(dayIn(time_zone, now)) + days, time_zone) + minute * 60) * 1_000)
}

const nothingYet = {
  held_until: null,
  held_host: null,
  ran_at: null,
  came_at: null,
  failing_since: null,
  reason: null,
  found: null,
  known: null,
  intake_id: null,
} as const

/** It rests with its source, its partner, its account and its business. */
function due({ store, clock }: App) {
  const now = clock.now()
  return store.db
    .selectFrom('data_source_sites')
    .innerJoin('data_sources', 'data_sources.id', 'data_source_sites.source_id')
    .innerJoin('partners', 'partners.id', 'data_source_sites.partner_id')
    .innerJoin('accounts', 'accounts.id', 'data_source_sites.account_id')
    .innerJoin('sites', 'sites.id', 'data_source_sites.site_id')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .select(['data_source_sites.id', 'source_id', 'data_source_sites.partner_id', 'data_source_sites.account_id', 'site_id'])
    .select(['sites.domain', 'rhythm', 'known', 'failures', 'failing_since'])
    .select(({ fn, val }) => fn.coalesce('accounts.time_zone', val('UTC')).as('time_zone'))
    .where('next_at', '<=', now)
    .where((row) => row.or([row('held_until', 'is', null), row('held_until', '<=', now)]))
    .where('data_sources.state', '=', 'active')
    .where('partners.state', '=', 'active')
    .where('accounts.partner_id', 'is not', null)
    .where('accounts.archived_at', 'is', null)
    .where('businesses.aasm_state', '=', 'active')
    .orderBy('next_at')
}

type ActiveSource = Awaited<ReturnType<typeof activeSources>>[number]

/** Those of one account come before those of their partner, so that each site has the one that is meant for it. */
function activeSources(db: Db) {
  return db
    .selectFrom('data_sources')
    .innerJoin('partners', 'partners.id', 'data_sources.partner_id')
    .select(['data_sources.id', 'partner_id', 'data_sources.account_id', 'kind'])
    .where('data_sources.state', '=', 'active')
    .where('partners.state', '=', 'active')
    .orderBy(({ eb }) => eb('data_sources.account_id', 'is', null))
    .orderBy('data_sources.id')
    .execute()
}

function sitesToCome(db: Db, { partner_id, account_id, kind }: ActiveSource, most: number) {
  const sites = db
    .selectFrom('sites')
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .select(['sites.id', 'sites.account_id'])
    .where('accounts.partner_id', '=', partner_id)
    .where('accounts.archived_at', 'is', null)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('data_source_sites')
            .select('data_source_sites.id')
            .whereRef('data_source_sites.site_id', '=', 'sites.id')
            .where('data_source_sites.kind', '=', kind),
        ),
      ),
    )
  return (account_id === null ? sites : sites.where('sites.account_id', '=', account_id)).orderBy('sites.id').limit(most).execute()
}

function activeWithoutMaker(db: Db, now: string) {
  return db
    .selectFrom('data_sources')
    .leftJoin('keys', 'keys.id', 'made_by_key')
    .leftJoin('staff', 'staff.user_id', 'made_by_user')
    .leftJoin('users', 'users.id', 'made_by_user')
    .select('data_sources.id')
    .where('data_sources.state', '=', 'active')
    .where((row) =>
      row.or([
        row('keys.revoked_at', 'is not', null),
        row('keys.expires_at', '<=', now),
        row.and([row('made_by_user', 'is not', null), row('staff.user_id', 'is', null)]),
        row.and([row('made_by_user', 'is not', null), row('users.state', '=', 'suspended')]),
      ]),
    )
}
