/** Creates the demo world if it is missing, one row of its tables after the other; running it again gives the same result. */

import { draftOf } from '../fields/read.ts'
import { refuse } from '../lib/failures.ts'
import type { OperatorCaller } from '../model/core/caller.ts'
import { keepStoredValue, readStoredValue } from '../model/core/stored-values.ts'
import { createAccount } from '../model/partners/accounts.ts'
import { createBusiness, deactivateBusiness } from '../model/partners/businesses.ts'
import { createPartner, listPartners, type Partner, setPartner } from '../model/partners/partners.ts'
import { createSite } from '../model/partners/sites.ts'
import { updateAbilities } from '../model/people/abilities.ts'
import { appointStaff } from '../model/people/staff/staff.ts'
import { createOwner, createUser } from '../model/people/users.ts'
import { newBusiness } from '../resources/business.ts'
import { newUser } from '../resources/user.ts'
import { type DemoIds, idOf, readDemo } from './read.ts'
import { accounts, businesses, type DemoBusiness, type DemoUser, demoPartner, deskAdmin, rivalPartner, sites, users } from './world.ts'

const partnerNames: readonly string[] = [demoPartner, rivalPartner]
const mark = 'demo_world'

export async function buildDemo(caller: OperatorCaller, tell: (made: string) => void = () => {}): Promise<DemoIds> {
  await markBegun(caller)
  for (const name of await missingPartners(caller)) await createPartner(caller, name)
  const ids = await readDemo(caller)
  await setPartner(caller, idOf(ids.partners, demoPartner), { reads_per_minute: 600_000, writes_per_minute: 60_000 })
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
    () => makeColleague(caller, ids),
  )
  return ids
}

/** Partners that do not belong to the demo and must not be touched. */
export async function otherPartners(caller: OperatorCaller): Promise<readonly Partner[]> {
  const isBegun = await wasBegun(caller)
  return (await listPartners(caller)).filter(({ name }) => !isBegun || !partnerNames.includes(name))
}

/** The same at each start, and known to nobody without the server secret, so it need not be stored. */
export function demoPassword({ app }: OperatorCaller, login: string): string {
  return `demo-${app.secrets.hmacAt('', 'demo', login).slice(0, 12)}`
}

/** Marked before anything is created, so that a half-made demo is recognized. */
async function markBegun(caller: OperatorCaller): Promise<void> {
  if (await wasBegun(caller)) return
  const namesake = (await listPartners(caller)).find(({ name }) => partnerNames.includes(name))
  if (namesake !== undefined) refuse('conflict', `The partner ${namesake.name} is not of the demo, and the demo would mix with it.`)
  await caller.app.store.write((tx) => keepStoredValue(tx, mark, 'begun'))
}

async function wasBegun({ app }: OperatorCaller): Promise<boolean> {
  return (await readStoredValue(app.store.db, mark)) !== undefined
}

async function missingPartners(caller: OperatorCaller): Promise<readonly string[]> {
  const known = (await listPartners(caller)).map(({ name }) => name)
  return partnerNames.filter((name) => !known.includes(name))
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

async function makeUser(caller: OperatorCaller, ids: DemoIds, { account, login, email, sees }: DemoUser): Promise<{ id: number }> {
  const draft = draftOf(newUser, { account_id: idOf(ids.accounts, account), login, email, password: demoPassword(caller, login) })
  if (sees === 'all as owner') return createOwner(caller, draft)
  const user = await createUser(caller, draft)
  const entries = scopesOf(ids, sees).map((scope) => ({ key: 'show' as const, ...scope }))
  await updateAbilities(caller, user.id, { entries, faults: [] }, 'replace')
  return user
}

async function makeColleague(caller: OperatorCaller, ids: DemoIds): Promise<{ id: number }> {
  const password = demoPassword(caller, deskAdmin.login)
  const user = await createUser(caller, draftOf(newUser, { account_id: idOf(ids.accounts, demoPartner), ...deskAdmin, password }))
  await appointStaff(caller, idOf(ids.partners, demoPartner), user.id, { role: 'admin', customers: 'all' })
  return user
}

function scopesOf(ids: DemoIds, sees: Exclude<DemoUser['sees'], 'all as owner'>) {
  if (sees === 'nothing') return []
  if ('account' in sees) return [{ scope_type: 'Account' as const, scope_id: idOf(ids.accounts, sees.account) }]
  if ('business' in sees) return [{ scope_type: 'Business' as const, scope_id: idOf(ids.businesses, sees.business) }]
  return [{ scope_type: 'Site' as const, scope_id: idOf(ids.sites, sees.site) }]
}
