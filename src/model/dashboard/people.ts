/** The people of an account as one of them finds them: who sees what of that which they see themselves, who is invited, and who has a link. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { PersonCaller } from '../core/caller.ts'
import { accountsOf, isEditedBy, isRunBy } from '../core/tenancy.ts'
import { rightsState } from '../people/customers/rights.ts'
import { type Keeper, keeperOf } from '../people/keepers/keepers.ts'
import { mayRemove, readAccess } from '../people/keepers/kept-people.ts'
import { listPeopleInvitations } from '../people/keepers/people-invitations.ts'
import { readPeople } from './account-people.ts'

type Db = Kysely<Tables>

const mostNamed = 500
const mostLinks = 100
const mostAccounts = 50

export type PeopleFile = Awaited<ReturnType<typeof openPeople>>
export type ListedPerson = PeopleFile['people'][number]

export async function openPeople(person: PersonCaller, accountId: number) {
  const { db } = person.app.store
  const keeper = await keeperOf(person, accountId, db)
  const { account, sees, keeps } = keeper
  const seesAll = sees.some(({ scope_type }) => scope_type === 'Account')
  const sites = await readSites(db, keeper, seesAll)
  const businesses = await readBusinesses(db, keeper, seesAll)
  const scopes = { Account: [account.id], Business: businesses.map(({ id }) => id), Site: sites.map(({ id }) => id) }
  const people = await readPeople(db, account, scopes)
  return {
    ...account,
    keeps,
    seesAll,
    sites,
    /** Of which they see all sites. */
    wholeBusinesses: businesses.filter(({ id }) => seesAll || sees.some((own) => own.scope_type === 'Business' && own.scope_id === id)),
    businesses,
    people: people.filter((one) => seesAll || one.isOwner || one.id === person.userId || one.scopes.length > 0),
    invitations: await listPeopleInvitations(keeper, db),
    links: keeps === 'nothing' ? [] : await readLinks(person, scopes.Site),
    others: await readOthers(db, person, account.id),
  }
}

/** Somebody of the list, as a form that takes their access away keeps them; null if the caller may not. */
export async function openRemoval(person: PersonCaller, accountId: number, userId: number) {
  const { db } = person.app.store
  const keeper = await keeperOf(person, accountId, db)
  const access = await readAccess(db, keeper, userId)
  return access !== undefined && mayRemove(keeper, access) ? { state: rightsState(access.scopes, access.isEditor) } : null
}

async function readSites(db: Db, { account, sees }: Keeper, seesAll: boolean) {
  const own = idsOf(sees, 'Site')
  const whole = idsOf(sees, 'Business')
  return db
    .selectFrom('sites')
    .select(['id', 'domain', 'business_id'])
    .where('account_id', '=', account.id)
    .$if(!seesAll, (sites) => sites.where((site) => site.or([site('id', 'in', own), site('business_id', 'in', whole)])))
    .orderBy('domain')
    .limit(mostNamed)
    .execute()
}

/** Also those of single sites that they see. */
async function readBusinesses(db: Db, { account, sees }: Keeper, seesAll: boolean) {
  const ids = sees.flatMap(({ business_id }) => business_id ?? [])
  return db
    .selectFrom('businesses')
    .select(['id', 'name'])
    .where('account_id', '=', account.id)
    .$if(!seesAll, (businesses) => businesses.where('id', 'in', some(ids)))
    .orderBy('name')
    .limit(mostNamed)
    .execute()
}

function idsOf(sees: Keeper['sees'], type: 'Business' | 'Site'): readonly number[] {
  return some(sees.filter(({ scope_type }) => scope_type === type).map(({ scope_id }) => scope_id))
}

/** An empty list is no SQL. */
function some(ids: readonly number[]): readonly number[] {
  return ids.length === 0 ? [0] : ids.slice(0, mostNamed)
}

/** Those that still work, the newest first. */
function readLinks({ app }: PersonCaller, siteIds: readonly number[]) {
  return app.store.db
    .selectFrom('share_links')
    .select(['id', 'site_id', 'label', 'expires_at', 'last_used_at'])
    .where('site_id', 'in', some(siteIds))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', app.clock.now())
    .orderBy('id', 'desc')
    .limit(mostLinks)
    .execute()
}

/** Other accounts whose people they keep or belong to. */
function readOthers(db: Db, person: PersonCaller, id: number) {
  return accountsOf(person.partnerId, db)
    .select(['accounts.id', 'accounts.name'])
    .where('accounts.id', '!=', id)
    .where((row) => row.or([row('accounts.id', '=', person.accountId), isRunBy({ ...person, post: null }), isEditedBy(person)]))
    .orderBy('accounts.name')
    .limit(mostAccounts)
    .execute()
}
