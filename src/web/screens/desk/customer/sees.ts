/** What a person sees of a customer, in words, and as a form names it. */

import type { CustomerPerson } from '../../../../model/dashboard/desk/customer.ts'
import type { SeenScope } from '../../../../model/people/customers/clients.ts'
import { scopeTypes } from '../../../../resources/ability.ts'
import { domainName } from '../../../components/names.ts'

/** What is named of a customer, or of it what somebody sees. */
export interface Places {
  readonly name: string
  readonly businesses: readonly { readonly id: number; readonly name: string }[]
  readonly sites: readonly { readonly id: number; readonly domain: string }[]
}

type Seeing = Pick<CustomerPerson, 'isOwner' | 'isEditor' | 'scopes' | 'state'>

export function nameOf({ name, login }: Pick<CustomerPerson, 'name' | 'login'>): string {
  return name.trim() || login
}

export function seesText(customer: Places, { isOwner, isEditor, scopes, state }: Seeing): string {
  const seen = isOwner ? `everything of ${customer.name}, as its owner` : scopesText(customer, scopes)
  const told = isEditor && !isOwner ? `${seen}; may also share` : seen
  return state === 'suspended' ? `${told}; but cannot log in while suspended` : told
}

export function scopesText({ name, businesses, sites }: Places, scopes: readonly SeenScope[]): string {
  if (scopes.length === 0) return 'nothing yet'
  if (scopes.some(({ scope_type }) => scope_type === 'Account')) return `all sites of ${name}`
  const named = scopes.map(({ scope_type, scope_id }) =>
    scope_type === 'Business'
      ? `all sites of ${businesses.find(({ id }) => id === scope_id)?.name}`
      : domainName(sites.find(({ id }) => id === scope_id)?.domain ?? ''),
  )
  return named.join(', ')
}

/** `Site:7`, as a form sends it; null for anything else. */
export function scopeIn(text: string): SeenScope | null {
  const [type = '', id = ''] = text.split(':')
  const scope_type = scopeTypes.find((known) => known === type)
  return scope_type === undefined || !/^\d{1,15}$/.test(id) ? null : { scope_type, scope_id: Number(id) }
}

export function scopeName({ scope_type, scope_id }: SeenScope): string {
  return `${scope_type}:${scope_id}`
}

/** Who did something, as the audit log calls them, in words. */
export function actorName(people: ReadonlyMap<number, string>, actor: string): string {
  const [, user] = /^user:(\d+)$/.exec(actor) ?? []
  if (user !== undefined) return people.get(Number(user)) ?? 'somebody who has left'
  const [, key] = / key:(\S+)$/.exec(actor) ?? []
  return key === undefined ? 'the operator' : `the program with key ${key}`
}
