/** Makes the rows of a world that are missing, one after the other, each in a transaction of its own. */

import { draftOf } from '../fields/read.ts'
import type { OperatorCaller } from '../model/core/caller.ts'
import { createAccount } from '../model/partners/accounts.ts'
import { createBusiness, deactivateBusiness } from '../model/partners/businesses.ts'
import { createSite } from '../model/partners/sites.ts'
import { updateAbilities } from '../model/people/abilities.ts'
import { appointStaff } from '../model/people/staff/staff.ts'
import { changeUser } from '../model/people/user-changes.ts'
import { createOwner, createUser } from '../model/people/users.ts'
import { newBusiness } from '../resources/business.ts'
import { changedUser, newUser } from '../resources/user.ts'
import { type DemoIds, idOf } from './read.ts'
import { type DemoBusiness, type DemoUser, type DemoWorld, demoPartner } from './world.ts'

export async function buildRows(
  caller: OperatorCaller,
  ids: DemoIds,
  { accounts, businesses, sites, users, deskAdmin }: DemoWorld,
  tell: (made: string) => void = () => {},
): Promise<void> {
  await fill(
    ids.accounts,
    accounts,
    ({ name }) => name,
    tell,
    ({ partner, name }) => createAccount(caller, idOf(ids.partners, partner), name),
  )
  await fill(
    ids.businesses,
    businesses,
    ({ name }) => name,
    tell,
    (business) => makeBusiness(caller, ids, business),
  )
  await fill(
    ids.sites,
    sites,
    ({ domain }) => domain,
    tell,
    ({ business, domain }) => createSite(caller, idOf(ids.businesses, business), domain),
  )
  await fill(
    ids.users,
    users,
    ({ login }) => login,
    tell,
    (user) => makeUser(caller, ids, user),
  )
  await fill(
    ids.users,
    [deskAdmin],
    ({ login }) => login,
    tell,
    () => makeColleague(caller, ids, deskAdmin),
  )
}

/** The same at each start, and known to nobody without the server secret, so it need not be stored. */
export function demoPassword({ app }: OperatorCaller, login: string): string {
  return `demo-${app.secrets.hmacAt('', 'demo', login).slice(0, 12)}`
}

async function fill<R>(
  ids: Map<string, number>,
  rows: readonly R[],
  nameOf: (row: R) => string,
  tell: (made: string) => void,
  make: (row: R) => Promise<{ id: number }>,
): Promise<void> {
  for (const row of rows) {
    const name = nameOf(row)
    if (ids.has(name)) continue
    ids.set(name, (await make(row)).id)
    tell(name)
  }
}

async function makeBusiness(caller: OperatorCaller, ids: DemoIds, { account, name, isDeactivated }: DemoBusiness): Promise<{ id: number }> {
  const business = await createBusiness(caller, draftOf(newBusiness, { name, account_id: idOf(ids.accounts, account) }))
  return isDeactivated ? deactivateBusiness(caller, business.id) : business
}

async function makeUser(caller: OperatorCaller, ids: DemoIds, { account, login, name, email, sees }: DemoUser): Promise<{ id: number }> {
  const draft = draftOf(newUser, { account_id: idOf(ids.accounts, account), login, email, password: demoPassword(caller, login) })
  const user = sees === 'all as owner' ? await createOwner(caller, draft) : await createUser(caller, draft)
  await changeUser(caller, user.id, draftOf(changedUser, { name }))
  if (sees === 'all as owner') return user
  const entries = scopesOf(ids, sees).map((scope) => ({ key: 'show' as const, ...scope }))
  await updateAbilities(caller, user.id, { entries, faults: [] }, 'replace')
  return user
}

async function makeColleague(caller: OperatorCaller, ids: DemoIds, admin: DemoWorld['deskAdmin']): Promise<{ id: number }> {
  const password = demoPassword(caller, admin.login)
  const user = await createUser(caller, draftOf(newUser, { account_id: idOf(ids.accounts, demoPartner), ...admin, password }))
  await appointStaff(caller, idOf(ids.partners, demoPartner), user.id, { role: 'admin', customers: 'all' })
  return user
}

function scopesOf(ids: DemoIds, sees: Exclude<DemoUser['sees'], 'all as owner'>) {
  if (sees === 'nothing') return []
  if ('account' in sees) return [{ scope_type: 'Account' as const, scope_id: idOf(ids.accounts, sees.account) }]
  if ('business' in sees) return [{ scope_type: 'Business' as const, scope_id: idOf(ids.businesses, sees.business) }]
  return [{ scope_type: 'Site' as const, scope_id: idOf(ids.sites, sees.site) }]
}
