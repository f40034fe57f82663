/** All that the desk shows of one customer: sites, people with what each sees, mails, links and notes. */

import type { Kysely } from 'kysely'
import { notFound } from '../../../lib/failures.ts'
import { oneLine } from '../../../lib/one-line.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { readExternalId } from '../../core/external-ids.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { listSchedules } from '../../mail/schedules.ts'
import { readPeople } from '../account-people.ts'
import type { Reason } from '../attention/attention.ts'

type Db = Kysely<Tables>

const mostSites = 500
const mostBusinesses = 500
const mostLinks = 100
const mostNotes = 50

export type CustomerFile = Awaited<ReturnType<typeof openCustomer>>
export type CustomerSite = CustomerFile['sites'][number]
export type CustomerPerson = CustomerFile['people'][number]

/** A customer that the caller does not reach does not exist. */
export async function openCustomer(caller: StaffCaller, id: number) {
  const { db } = caller.app.store
  const accounts = accountsWithin(caller, db).select(['accounts.id', 'name', 'owner_id', 'looked_after_by', 'time_zone', 'region', 'tags'])
  const account = (await accounts.where('accounts.id', '=', id).executeTakeFirst()) ?? notFound('page')
  const sites = await readSites(db, id)
  const businesses = await db
    .selectFrom('businesses')
    .select(['id', 'name', 'aasm_state'])
    .where('account_id', '=', id)
    .orderBy('name')
    .limit(mostBusinesses)
    .execute()
  const scopes = {
    Account: [id],
    Business: businesses.map((business) => business.id),
    Site: sites.map((site) => site.id),
  }
  return {
    ...account,
    name: oneLine(account.name),
    number: (await readExternalId(caller, 'account', id)).external_id ?? '',
    sites,
    businesses,
    people: await readPeople(db, account, scopes),
    schedules: await listSchedules(caller, id),
    links: await readLinks(caller, scopes.Site),
    notes: await readNotes(db, id),
  }
}

async function readSites(db: Db, accountId: number) {
  const rows = await db
    .selectFrom('sites')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .leftJoin('site_figures', 'site_figures.site_id', 'sites.id')
    .where('sites.account_id', '=', accountId)
    .select(['sites.id', 'domain', 'business_id', 'businesses.name as business_name', 'aasm_state', 'visibility'])
    .select(['compared_now', 'compared_before', 'rating', 'measured_on', 'reasons'])
    .orderBy('domain')
    .limit(mostSites)
    .execute()
  return rows.map(({ reasons, ...site }) => ({ ...site, reasons: JSON.parse(reasons ?? '[]') as Reason[] }))
}

/** Those that still work, the newest first. */
async function readLinks({ app }: StaffCaller, siteIds: readonly number[]) {
  if (siteIds.length === 0) return []
  return app.store.db
    .selectFrom('share_links')
    .select(['id', 'site_id', 'label', 'created_at', 'expires_at', 'last_used_at'])
    .where('site_id', 'in', siteIds)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', app.clock.now())
    .orderBy('id', 'desc')
    .limit(mostLinks)
    .execute()
}

/** Of the sites of the customer, the newest first. */
function readNotes(db: Db, accountId: number) {
  const notes = db.selectFrom('annotations').select(['id', 'day', 'text', 'site_id']).where('account_id', '=', accountId)
  return notes
    .where('site_id', 'is not', null)
    .$narrowType<{ site_id: number }>()
    .orderBy('day', 'desc')
    .orderBy('id', 'desc')
    .limit(mostNotes)
    .execute()
}
