/** All that a user sees, by the rules of visible-sites.ts: asked for at once when somebody sees nothing, or the wrong thing. */

import { notFound } from '../../lib/failures.ts'
import type { EffectiveAccess } from '../../resources/access.ts'
import type { PartnerCaller, PersonCaller } from '../core/caller.ts'
import { usersWithin } from '../core/tenancy.ts'
import { listAbilities } from './abilities.ts'
import { isOpenTo, type ShownSite, sitesShown } from './visible-sites.ts'

/** As many as are read at a glance; the lists of abilities and sites have all. */
const most = 50

export async function findEffectiveAccess(caller: PartnerCaller, userId: number): Promise<EffectiveAccess> {
  const user = await userOf(caller, userId)
  const abilities = await listAbilities(caller, userId)
  const person: PersonCaller = {
    kind: 'person',
    app: caller.app,
    requestId: caller.requestId,
    partnerId: caller.partnerId,
    accountId: user.account_id,
    userId,
    post: user.role === null || user.customers === null ? null : { role: user.role, customers: user.customers },
  }
  const shown = await sitesOf(caller, person)
  const isSuspended = user.state === 'suspended'
  const sites = shown.slice(0, most).map((site) => siteOf(site, !isSuspended && isOpenTo(person, site)))
  return {
    user_id: userId,
    state: user.state,
    staff_role: user.role,
    owns: user.owned_id,
    sentence: sentenceOf(user, abilities.length, sites),
    abilities: abilities.slice(0, most),
    sites,
    more_sites: shown.length > most,
  }
}

type User = Awaited<ReturnType<typeof userOf>>

async function userOf(caller: PartnerCaller, id: number) {
  const users = usersWithin(caller)
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .leftJoin('accounts as own_account', (join) =>
      join.onRef('own_account.id', '=', 'users.account_id').onRef('own_account.owner_id', '=', 'users.id'),
    )
    .select(['users.id', 'users.state', 'users.account_id', 'staff.role', 'staff.customers', 'own_account.id as owned_id'])
  return (await users.where('users.id', '=', id).executeTakeFirst()) ?? notFound('user')
}

/** Of those that the key reaches, too; one more than are told says that there are more. */
function sitesOf({ accountIds, app }: PartnerCaller, person: PersonCaller): Promise<ShownSite[]> {
  const all = sitesShown(person, app.store.db)
  const some = accountIds === null ? all : all.where('sites.account_id', 'in', accountIds)
  return some
    .orderBy('sites.id')
    .limit(most + 1)
    .execute()
}

function siteOf({ id, domain, business_name, account_id }: ShownSite, open: boolean) {
  return { site_id: id, domain, business_name, account_id, open }
}

function sentenceOf(user: User, abilities: number, sites: readonly { readonly open: boolean }[]): string {
  const named = `User ${user.id}`
  if (user.state === 'suspended') return `${named} is suspended and cannot log in.`
  const open = sites.filter((site) => site.open).length
  if (open > 0) return `${named} opens ${open === sites.length ? 'every site' : `${open} of the sites`} listed here.`
  if (sites.length > 0) return `${named} opens none of these sites: their businesses are deactivated, and they are only listed.`
  if (user.owned_id !== null) return `${named} owns account ${user.owned_id}, which has no site.`
  if (user.role !== null) return `${named} is staff, and no customer with a site is in their reach.`
  return abilities === 0
    ? `${named} sees nothing: there is no ability, the account is not theirs, and they are not staff.`
    : `${named} sees nothing: what the abilities name has no site.`
}
