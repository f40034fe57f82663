/** Finds the existing records of the demo world by the names in its tables. */

import type { OperatorCaller } from '../model/core/caller.ts'
import { allPages } from '../model/core/paging.ts'
import { listAccounts } from '../model/partners/accounts.ts'
import { listBusinesses } from '../model/partners/businesses.ts'
import { listPartners } from '../model/partners/partners.ts'
import { listSites } from '../model/partners/sites.ts'
import { listUsers } from '../model/people/users.ts'
import { demoPartner, rivalPartner } from './world.ts'

type Ids = Map<string, number>

export interface DemoIds {
  readonly partners: Ids
  readonly accounts: Ids
  readonly businesses: Ids
  readonly sites: Ids
  readonly users: Ids
}

export async function readDemo(caller: OperatorCaller): Promise<DemoIds> {
  const ids = noIds()
  for (const { name, id } of await listPartners(caller)) {
    if (name !== demoPartner && name !== rivalPartner) continue
    ids.partners.set(name, id)
    for (const account of await allPages((after) => listAccounts(caller, after, { partner_id: id })))
      await readAccount(caller, ids, account)
  }
  return ids
}

export function noIds(): DemoIds {
  return { partners: new Map(), accounts: new Map(), businesses: new Map(), sites: new Map(), users: new Map() }
}

export function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The demo world has no ${name}.`)
  return id
}

export async function readAccount(
  caller: OperatorCaller,
  ids: DemoIds,
  { id: account_id, name }: { id: number; name: string },
): Promise<void> {
  ids.accounts.set(name, account_id)
  for (const business of await allPages((after) => listBusinesses(caller, after, { account_id }))) {
    ids.businesses.set(business.name, business.id)
    for (const site of await allPages((after) => listSites(caller, after, { business_id: business.id })))
      ids.sites.set(site.domain, site.id)
  }
  for (const user of await allPages((after) => listUsers(caller, after, { account_id }))) ids.users.set(user.login, user.id)
}
