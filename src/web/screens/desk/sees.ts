/** What a person sees of a customer, in words. */

import type { CustomerFile, CustomerPerson } from '../../../model/dashboard/desk/customer.ts'
import { domainName } from '../../components/names.ts'

export function nameOf({ name, login }: Pick<CustomerPerson, 'name' | 'login'>): string {
  return name.trim() || login
}

export function seesText(customer: CustomerFile, { isOwner, scopes, state }: CustomerPerson): string {
  const told = isOwner ? `everything of ${customer.name}, as its owner` : scopesText(customer, scopes)
  return state === 'suspended' ? `${told}; but cannot log in while suspended` : told
}

function scopesText({ name, businesses, sites }: CustomerFile, scopes: CustomerPerson['scopes']): string {
  if (scopes.length === 0) return 'nothing yet'
  if (scopes.some(({ scope_type }) => scope_type === 'Account')) return `all sites of ${name}`
  const named = scopes.map(({ scope_type, scope_id }) =>
    scope_type === 'Business'
      ? `all sites of ${businesses.find(({ id }) => id === scope_id)?.name}`
      : domainName(sites.find(({ id }) => id === scope_id)?.domain ?? ''),
  )
  return named.join(', ')
}

/** Who did something, as the audit log calls them, in words. */
export function actorName(people: ReadonlyMap<number, string>, actor: string): string {
  const [, user] = /^user:(\d+)$/.exec(actor) ?? []
  if (user !== undefined) return people.get(Number(user)) ?? `person ${user}`
  const [, key] = / key:(\S+)$/.exec(actor) ?? []
  return key === undefined ? 'the operator' : `the program with key ${key}`
}
