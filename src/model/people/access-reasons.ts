/** Explains why a user can or cannot see an account, a business or a site, by the same rules as visible-sites.ts. */

import { notFound } from '../../lib/failures.ts'
import type { ScopeType } from '../../resources/ability.ts'
import type { Access, AccessGrant, AccessObstacle } from '../../resources/access.ts'
import type { StaffPost } from '../core/caller.ts'
import { accountsWithin, businessesWithin, type Managing, sitesWithin, usersWithin } from '../core/tenancy.ts'

/** A user or scope out of the caller's reach is not found, exactly like one that does not exist. */
export async function explainAccess(caller: Managing, userId: number, scopeType: ScopeType, scopeId: number): Promise<Access> {
  const user = await userOf(caller, userId)
  const scope = await scopeOf(caller, scopeType, scopeId)
  const grants = [...ownership(user, scope), ...post(user, scope), ...(await abilitiesOn(caller, userId, scope))]
  const obstacles = obstaclesOf(user, scope)
  const allowed = grants.length > 0 && obstacles.length === 0
  const named = { user_id: userId, scope_type: scopeType, scope_id: scopeId, allowed }
  return { ...named, sentence: sentenceOf(userId, scope, grants, obstacles), grants, obstacles }
}

interface Asked {
  readonly id: number
  readonly state: string
  readonly partner_id: number
  /** Null unless the user is staff of the partner. */
  readonly customers: StaffPost['customers'] | null
}

/** The scope and its parents, from the account down; `owner_id` is the owner of that account, and `looked_after_by` somebody of the staff. */
interface Scope {
  readonly partner_id: number
  readonly owner_id: number | null
  readonly looked_after_by: number | null
  readonly business_state: 'active' | 'deactivated' | null
  readonly chain: readonly Link[]
}

type Link = readonly [ScopeType, number]

async function userOf(caller: Managing, id: number): Promise<Asked> {
  const users = usersWithin(caller).innerJoin('accounts', 'accounts.id', 'users.account_id').leftJoin('staff', 'staff.user_id', 'users.id')
  const found = users.select(['users.id', 'users.state', 'accounts.partner_id', 'staff.customers']).where('users.id', '=', id)
  return (await found.executeTakeFirst()) ?? notFound('user')
}

async function scopeOf(caller: Managing, type: ScopeType, id: number): Promise<Scope> {
  const { account_id, business_id } = await above[type](caller, id)
  const account = accountsWithin(caller).select(['partner_id', 'owner_id', 'looked_after_by']).where('id', '=', account_id)
  const business = businessesWithin(caller)
    .select('aasm_state')
    .where('id', '=', business_id ?? 0)
  const links: Link[] = [['Account', account_id]]
  if (business_id !== undefined) links.push(['Business', business_id])
  return {
    ...(await account.executeTakeFirstOrThrow()),
    business_state: (await business.executeTakeFirst())?.aasm_state ?? null,
    chain: type === 'Site' ? [...links, ['Site', id]] : links,
  }
}

interface Above {
  readonly account_id: number
  readonly business_id?: number
}

const above: Record<ScopeType, (caller: Managing, id: number) => Promise<Above>> = {
  async Account(caller, id) {
    const account = accountsWithin(caller).select('id as account_id').where('id', '=', id)
    return (await account.executeTakeFirst()) ?? notFound('account')
  },
  async Business(caller, id) {
    const business = businessesWithin(caller).select(['account_id', 'id as business_id']).where('id', '=', id)
    return (await business.executeTakeFirst()) ?? notFound('business')
  },
  async Site(caller, id) {
    const site = sitesWithin(caller).select(['account_id', 'business_id']).where('id', '=', id)
    return (await site.executeTakeFirst()) ?? notFound('site')
  },
}

function ownership({ id }: Asked, { owner_id, chain }: Scope): AccessGrant[] {
  const [scope_type, scope_id] = chain[0] as Link
  return owner_id === id ? [{ by: 'owner', scope_type, scope_id, inherited: chain.length > 1 }] : []
}

/** Staff see the sites of their customers. */
function post(user: Asked, scope: Scope): AccessGrant[] {
  const [scope_type, scope_id] = scope.chain[0] as Link
  return isCustomerOf(user, scope) ? [{ by: 'staff', scope_type, scope_id, inherited: scope.chain.length > 1 }] : []
}

function isCustomerOf({ id, partner_id, customers }: Asked, scope: Scope): boolean {
  return partner_id === scope.partner_id && (customers === 'all' || (customers === 'assigned' && scope.looked_after_by === id))
}

async function abilitiesOn({ app }: Managing, userId: number, { chain }: Scope): Promise<AccessGrant[]> {
  const abilities = app.store.db.selectFrom('abilities').select(['scope_type', 'scope_id']).where('user_id', '=', userId)
  const onChain = abilities
    .where('key', '=', 'show')
    .where((row) => row.or(chain.map(([type, id]) => row.and([row('scope_type', '=', type), row('scope_id', '=', id)]))))
  const held = new Set((await onChain.execute()).map(({ scope_type }) => scope_type))
  const last = chain.length - 1
  return chain.flatMap(([scope_type, scope_id], index) =>
    held.has(scope_type) ? [{ by: 'ability' as const, scope_type, scope_id, inherited: index < last }] : [],
  )
}

function obstaclesOf(user: Asked, scope: Scope): AccessObstacle[] {
  const found: AccessObstacle[] = []
  if (user.state === 'suspended') found.push({ code: 'user_suspended', sentence: `User ${user.id} is suspended and cannot log in.` })
  if (user.partner_id !== scope.partner_id) {
    found.push({ code: 'other_partner', sentence: `User ${user.id} and ${spoken(scope.chain.at(-1))} belong to different partners.` })
  }
  if (isClosedTo(user, scope)) {
    const sentence = `${capital(spoken(scope.chain[1]))} is deactivated, and its sites open only to the owner of the account.`
    found.push({ code: 'business_deactivated', sentence })
  }
  return found
}

/** A deactivated business stays in the lists, but only the owner and staff can open it and its sites. */
function isClosedTo(user: Asked, scope: Scope): boolean {
  const isDeactivated = scope.chain.length > 1 && scope.business_state === 'deactivated'
  return isDeactivated && scope.owner_id !== user.id && !isCustomerOf(user, scope)
}

function sentenceOf(userId: number, { chain }: Scope, grants: readonly AccessGrant[], obstacles: readonly AccessObstacle[]): string {
  const places = chain.toReversed().map(spoken)
  const nothing = `User ${userId} has no ability on ${listed(places)}, and does not own the account.`
  const because = grants.map((grant) => `${verbs[grant.by]} ${spoken([grant.scope_type, grant.scope_id])}`)
  const granted = grants.length === 0 ? nothing : `User ${userId} ${because.join(' and ')}${inheritance(chain, grants)}.`
  return [granted, ...obstacles.map(({ sentence }) => sentence)].join(' ')
}

const verbs = { owner: 'owns', staff: 'looks after', ability: 'has an ability on' } as const

/** The words that are added if the ability is on a parent of the scope. */
function inheritance(chain: readonly Link[], grants: readonly AccessGrant[]): string {
  return grants.every(({ inherited }) => inherited) ? `, which ${spoken(chain.at(-1))} inherits` : ''
}

function spoken(link: Link | undefined): string {
  return link === undefined ? '' : `${link[0].toLowerCase()} ${link[1]}`
}

function listed(places: readonly string[]): string {
  return places.length < 2 ? places.join('') : `${places.slice(0, -1).join(', ')} or ${places.at(-1)}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
