/** All that the desk shows of one customer: sites, people with what each sees, mails, links and what was done. */

import type { Kysely } from 'kysely'
import { notFound } from '../../../lib/failures.ts'
import { oneLine } from '../../../lib/one-line.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { listSchedules } from '../../mail/schedules.ts'
import type { Reason } from '../attention.ts'

type Db = Kysely<Tables>

const mostSites = 500
const mostBusinesses = 500
const mostPeople = 500
const mostLinks = 100
const mostEntries = 50
const mostNotes = 50

export type CustomerFile = Awaited<ReturnType<typeof openCustomer>>
export type CustomerSite = CustomerFile['sites'][number]
export type CustomerPerson = CustomerFile['people'][number]

/** A customer that the caller does not reach does not exist. */
export async function openCustomer(caller: StaffCaller, id: number) {
  const { db } = caller.app.store
  const accounts = accountsWithin(caller, db).select(['accounts.id', 'name', 'owner_id', 'looked_after_by', 'time_zone', 'tags'])
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
    sites,
    businesses,
    people: await readPeople(db, account, scopes),
    schedules: await listSchedules(caller, id),
    links: await readLinks(caller, scopes.Site),
    notes: await readNotes(db, id),
    entries: await readEntries(db, id),
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

type Scopes = Readonly<Record<'Account' | 'Business' | 'Site', readonly number[]>>

/** Users of the account, and those of others who may see something here; staff are nobody's clients. */
async function readPeople(db: Db, { id, owner_id }: { id: number; owner_id: number | null }, scopes: Scopes) {
  const abilities = await abilitiesOn(db, scopes)
  const held = Map.groupBy(abilities, ({ user_id }) => user_id)
  const users = await db
    .selectFrom('users')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .where('staff.user_id', 'is', null)
    .where('users.state', '!=', 'deleted')
    .where((user) => user.or([user('users.account_id', '=', id), ...(held.size === 0 ? [] : [user('users.id', 'in', [...held.keys()])])]))
    .leftJoin('account_editors', (join) => join.onRef('account_editors.user_id', '=', 'users.id').on('account_editors.account_id', '=', id))
    .select(['users.id', 'users.account_id', 'users.name', 'login', 'email', 'users.state', 'last_login_at'])
    .select('account_editors.created_at as edits_since')
    .orderBy('users.id')
    .limit(mostPeople)
    .execute()
  return users.map(({ account_id, edits_since, ...user }) => ({
    ...user,
    isOwner: user.id === owner_id,
    isOfAnother: account_id !== id,
    isEditor: edits_since !== null,
    scopes: (held.get(user.id) ?? []).map(({ scope_type, scope_id }) => ({ scope_type, scope_id })),
  }))
}

async function abilitiesOn(db: Db, scopes: Scopes) {
  const all: { user_id: number; scope_type: keyof Scopes; scope_id: number }[] = []
  for (const scope_type of ['Account', 'Business', 'Site'] as const) {
    if (scopes[scope_type].length === 0) continue
    const rows = db.selectFrom('abilities').select(['user_id', 'scope_type', 'scope_id']).where('scope_type', '=', scope_type)
    const some = await rows.where('scope_id', 'in', scopes[scope_type]).orderBy('user_id').limit(mostPeople).execute()
    all.push(...some)
  }
  return all
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

/** The newest first. */
function readEntries(db: Db, accountId: number) {
  return db
    .selectFrom('audit_entries')
    .select(['id', 'at', 'actor', 'action', 'subject_type', 'subject_id'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(mostEntries)
    .execute()
}
