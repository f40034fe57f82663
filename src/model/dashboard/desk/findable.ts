/** What a search finds a customer by besides its name: sites with their businesses, people, and the partner's own ids. */

import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { clientsOf } from './customers.ts'

export interface Findable {
  readonly sites: { readonly id: number; readonly domain: string; readonly business: string }[]
  readonly people: { readonly id: number; readonly name: string; readonly text: string }[]
  /** Businesses without sites, and ids. */
  readonly texts: string[]
}

export async function readFindable(caller: StaffCaller): Promise<ReadonlyMap<number, Findable>> {
  const { db } = caller.app.store
  const within = accountsWithin(caller, db).select('accounts.id')
  const found = new Map<number, Findable>()
  const of = (id: number) => {
    const known = found.get(id) ?? { sites: [], people: [], texts: [] }
    found.set(id, known)
    return known
  }
  const businesses = await db.selectFrom('businesses').select(['id', 'account_id', 'name']).where('account_id', 'in', within).execute()
  for (const { account_id, name } of businesses) of(account_id).texts.push(name)
  const names = new Map(businesses.map(({ id, name }) => [id, name]))
  const sites = await db
    .selectFrom('sites')
    .select(['id', 'account_id', 'business_id', 'domain'])
    .where('account_id', 'in', within)
    .orderBy('domain')
    .execute()
  for (const { id, account_id, business_id, domain } of sites)
    of(account_id).sites.push({ id, domain, business: names.get(business_id) ?? '' })
  const people = await clientsOf(db, caller)
    .select(['users.id', 'account_id', 'users.name', 'login', 'email'])
    .orderBy('users.id')
    .execute()
  for (const { id, account_id, name, login, email } of people)
    of(account_id).people.push({ id, name: name.trim() || login, text: [name, login, email].join(' ') })
  await addOwnIds(caller, of, new Map(sites.map(({ id, account_id }) => [id, account_id])))
  return found
}

/** Also of accounts that the caller does not reach, which no list shows. */
async function addOwnIds(
  { app, partnerId }: StaffCaller,
  of: (id: number) => Findable,
  accountOf: ReadonlyMap<number, number>,
): Promise<void> {
  const own = app.store.db.selectFrom('external_ids').select(['kind', 'external_id', 'record_id']).where('partner_id', '=', partnerId)
  for (const { kind, external_id, record_id } of await own.where('kind', 'in', ['account', 'site']).execute()) {
    const id = kind === 'account' ? record_id : accountOf.get(record_id)
    if (id !== undefined) of(id).texts.push(external_id)
  }
}

/** All of it, to be searched. */
export function findableText({ sites, people, texts }: Findable): string {
  return [...texts, ...sites.map(({ domain }) => domain), ...people.map(({ text }) => text)].join(' ')
}
