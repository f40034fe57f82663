/** Composes summaries in a reader thread, each from one snapshot. */

import type { Kysely } from 'kysely'
import { notFound } from '../../../lib/failures.ts'
import { dayIn } from '../../../lib/time/days.ts'
import { readingApp } from '../../../readers/reading-app.ts'
import type { Maker, Making } from '../../../readers/serve.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { cursorOf } from '../../core/paging.ts'
import { accountsWithin, type Managing, sitesWithin } from '../../core/tenancy.ts'
import { noSummary, summariesOf } from '../home.ts'
import { choosePeriod } from '../periods/chosen-period.ts'
import { type NamedSite, siteLineOf } from './site-line.ts'
import { siteSummaryOf } from './site-summary.ts'
import type { siteLinesWork, summaryWork } from './summary-work.ts'

type AskedSummary = NonNullable<(typeof summaryWork)['asked']>
type AskedLines = NonNullable<(typeof siteLinesWork)['asked']>
type Asked = Pick<AskedLines, 'caller' | 'now'>

export const makeSummary: Maker<AskedSummary, NonNullable<(typeof summaryWork)['head']>> = async (asked, making) => {
  const { siteId, period, now } = asked
  making.tell(
    await making.database.snapshot(async (db) => {
      const caller = callerIn(db, asked, making)
      const site = (await namedSites(caller, db).where('sites.id', '=', siteId).executeTakeFirst()) ?? notFound('site')
      return siteSummaryOf(caller, site, choosePeriod(period, site.time_zone, dayIn(site.time_zone, now)))
    }),
  )
}

export const makeSiteLines: Maker<AskedLines, NonNullable<(typeof siteLinesWork)['head']>> = async (asked, making) => {
  const { accountId, after, limit } = asked
  making.tell(
    await making.database.snapshot(async (db) => {
      const caller = callerIn(db, asked, making)
      if (accountId !== null) await refuseUnknown(caller, db, accountId)
      const all = namedSites(caller, db)
      const some = accountId === null ? all : all.where('sites.account_id', '=', accountId)
      const sites = await some
        .where('sites.id', '>', after)
        .orderBy('sites.id')
        .limit(limit + 1)
        .execute()
      const shown = sites.slice(0, limit)
      const items = await linesOf(caller, shown, asked)
      return { items, next: sites.length > limit ? cursorOf(shown.at(-1)?.id ?? 0) : null }
    }),
  )
}

function callerIn(db: Kysely<Tables>, { caller, now }: Asked, { settings }: Pick<Making<unknown>, 'settings'>): Managing {
  return { ...caller, app: readingApp(db, settings, now) }
}

function namedSites(caller: Managing, db: Kysely<Tables>) {
  return sitesWithin(caller, db)
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .innerJoin('accounts as own_account', 'own_account.id', 'sites.account_id')
    .select(['sites.id', 'sites.account_id', 'sites.domain', 'businesses.name as business_name', 'businesses.aasm_state as business_state'])
    .select('own_account.name as account_name')
    .select((eb) => eb.fn.coalesce('own_account.time_zone', eb.val('UTC')).as('time_zone'))
}

async function refuseUnknown(caller: Managing, db: Kysely<Tables>, id: number): Promise<void> {
  const account = await accountsWithin(caller, db).select('accounts.id').where('accounts.id', '=', id).executeTakeFirst()
  if (account === undefined) notFound('account')
}

/** The sites of one time zone share a period; the order stays. */
async function linesOf(caller: Managing, sites: readonly NamedSite[], { period, now }: AskedLines) {
  const lines = new Map<number, ReturnType<typeof siteLineOf>>()
  for (const [zone, some] of Map.groupBy(sites, (site) => site.time_zone)) {
    const chosen = choosePeriod(period, zone, dayIn(zone, now))
    const { from, to, before } = chosen
    const found = await summariesOf(caller.app, some, { from, to, before })
    for (const site of some) lines.set(site.id, siteLineOf(site, chosen, found.get(site.id) ?? noSummary))
  }
  return sites.flatMap(({ id }) => lines.get(id) ?? [])
}
