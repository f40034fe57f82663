/** The customers of somebody of the staff, a line each: read from the stored figures of their sites, never from measurements. */

import type { Kysely } from 'kysely'
import { oneLine } from '../../../lib/one-line.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { tagList } from '../../partners/customers.ts'
import type { Reason } from '../attention/attention.ts'

type Db = Kysely<Tables>

export interface Customer {
  readonly id: number
  readonly name: string
  readonly tags: readonly string[]
  /** Who looks after the customer. */
  readonly colleague: StaffName | null
  readonly sites: number
  /** Those whose business is active. */
  readonly activeSites: number
  readonly isDeactivated: boolean
  readonly isArchived: boolean
  /** The average over everything that was measured on the sites of active businesses; null if nothing was. */
  readonly visibility: number | null
  /** Now and thirty days before, over what was measured at both times. */
  readonly compared: { readonly now: number; readonly before: number; readonly pairs: number } | null
  readonly pairs: number
  /** The mean of the ratings of its sites. */
  readonly rating: number | null
  readonly measuredOn: string | null
  /** The reasons of all its active sites. */
  readonly reasons: readonly Reason[]
  readonly people: number
  /** The last login of any of its people. */
  readonly seenAt: string | null
  readonly mail: 'weekly' | 'monthly' | null
}

export interface StaffName {
  readonly id: number
  readonly name: string
  readonly login: string
}

/** By name. The partner account is one of them only where it has a business. */
export async function listCustomers(caller: StaffCaller): Promise<Customer[]> {
  const { db } = caller.app.store
  const [sums, people, mails, businesses] = [
    await sumsByAccount(caller, db),
    await peopleByAccount(caller, db),
    await mailsByAccount(caller, db),
    await businessesByAccount(caller, db),
  ]
  const colleagues = new Map((await listColleagues(caller)).map((one) => [one.id, one]))
  const accounts = await accountsWithin(caller, db)
    .select(['id', 'name', 'looked_after_by', 'archived_at', 'tags'])
    .orderBy('name')
    .orderBy('id')
    .execute()
  return accounts
    .filter(({ id }) => id !== caller.accountId || businesses.has(id))
    .map(({ id, name, looked_after_by, archived_at, tags }) => {
      const states = businesses.get(id)
      return {
        id,
        name: oneLine(name),
        tags: tagList(tags),
        colleague: colleagues.get(looked_after_by ?? 0) ?? null,
        isArchived: archived_at !== null,
        isDeactivated: states !== undefined && !states.has('active'),
        ...figuresOf(sums.get(id) ?? { ...nothing, reasons: [] }),
        people: people.get(id)?.people ?? 0,
        seenAt: people.get(id)?.seenAt ?? null,
        mail: mails.get(id) ?? null,
      }
    })
}

/** The people of the staff, by name. */
export async function listColleagues({ app, partnerId }: StaffCaller): Promise<StaffName[]> {
  const staff = app.store.db.selectFrom('staff').innerJoin('users', 'users.id', 'staff.user_id').where('staff.partner_id', '=', partnerId)
  const rows = await staff.select(['users.id', 'users.name', 'login']).execute()
  return rows.map(({ id, name, login }) => ({ id, login, name: name.trim() || login })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** What is added up of the sites of a customer; of figures those of active businesses. */
interface Sums {
  sites: number
  activeSites: number
  pairs: number
  visible: number
  shared: number
  now: number
  before: number
  ratings: number
  rated: number
  measuredOn: string | null
  reasons: Reason[]
}

const nothing = { sites: 0, activeSites: 0, pairs: 0, visible: 0, shared: 0, now: 0, before: 0, ratings: 0, rated: 0, measuredOn: null }

/** In one pass, because thousands of customers have tens of thousands of sites. */
async function sumsByAccount(caller: StaffCaller, db: Db): Promise<Map<number, Sums>> {
  const byAccount = new Map<number, Sums>()
  for (const site of await siteLines(caller, db)) {
    const sums = byAccount.get(site.account_id) ?? { ...nothing, reasons: [] }
    byAccount.set(site.account_id, sums)
    sums.sites++
    if (site.measured_on !== null && site.measured_on > (sums.measuredOn ?? '')) sums.measuredOn = site.measured_on
    if (site.aasm_state === 'active') addActive(sums, site)
  }
  return byAccount
}

function addActive(sums: Sums, site: SiteLine): void {
  const [pairs, shared] = [site.pairs ?? 0, site.compared_pairs ?? 0]
  sums.activeSites++
  sums.pairs += pairs
  sums.visible += (site.visibility ?? 0) * pairs
  sums.shared += shared
  sums.now += (site.compared_now ?? 0) * shared
  sums.before += (site.compared_before ?? 0) * shared
  if (site.rating !== null) {
    sums.ratings += site.rating
    sums.rated++
  }
  if (site.reasons !== null && site.reasons !== '[]') sums.reasons.push(...(JSON.parse(site.reasons) as Reason[]))
}

type SiteLine = Awaited<ReturnType<typeof siteLines>>[number]

function siteLines(caller: StaffCaller, db: Db) {
  return db
    .selectFrom('sites')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .leftJoin('site_figures', 'site_figures.site_id', 'sites.id')
    .where('sites.account_id', 'in', accountsWithin(caller, db).select('accounts.id'))
    .select(['sites.account_id', 'aasm_state', 'visibility', 'pairs', 'compared_now', 'compared_before', 'compared_pairs'])
    .select(['rating', 'measured_on', 'reasons'])
    .execute()
}

function figuresOf({ sites, activeSites, pairs, visible, shared, now, before, ratings, rated, measuredOn, reasons }: Sums) {
  return {
    sites,
    activeSites,
    visibility: pairs === 0 ? null : visible / pairs,
    compared: shared === 0 ? null : { now: now / shared, before: before / shared, pairs: shared },
    pairs,
    rating: rated === 0 ? null : ratings / rated,
    measuredOn,
    reasons,
  }
}

/** The people of customers; staff are nobody's clients. */
export function clientsOf(db: Db, caller: StaffCaller) {
  return db
    .selectFrom('users')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .where('staff.user_id', 'is', null)
    .where('users.state', '!=', 'deleted')
    .where('users.account_id', 'in', accountsWithin(caller, db).select('accounts.id'))
}

async function peopleByAccount(caller: StaffCaller, db: Db): Promise<Map<number, { people: number; seenAt: string | null }>> {
  const rows = await clientsOf(db, caller)
    .select(({ fn }) => ['users.account_id', fn.count<number>('users.id').as('people'), fn.max('last_login_at').as('seen_at')])
    .groupBy('users.account_id')
    .execute()
  return new Map(rows.map(({ account_id, people, seen_at }) => [account_id, { people: Number(people), seenAt: seen_at }]))
}

async function mailsByAccount(caller: StaffCaller, db: Db): Promise<Map<number, 'weekly' | 'monthly'>> {
  const within = accountsWithin(caller, db).select('accounts.id')
  const rows = await db.selectFrom('report_schedules').select(['account_id', 'rhythm']).where('account_id', 'in', within).execute()
  const mails = new Map<number, 'weekly' | 'monthly'>()
  for (const { account_id, rhythm } of rows) if (mails.get(account_id) !== 'weekly') mails.set(account_id, rhythm)
  return mails
}

async function businessesByAccount(caller: StaffCaller, db: Db): Promise<Map<number, Set<string>>> {
  const within = accountsWithin(caller, db).select('accounts.id')
  const rows = await db.selectFrom('businesses').select(['account_id', 'aasm_state']).distinct().where('account_id', 'in', within).execute()
  const states = new Map<number, Set<string>>()
  for (const { account_id, aasm_state } of rows) states.set(account_id, (states.get(account_id) ?? new Set()).add(aasm_state))
  return states
}
