/** Ability: `show` on an account, a business or a site. */

import { integer, list, type RecordOf, string } from '../fields/shape.ts'

export const scopeTypes = ['Account', 'Business', 'Site'] as const
export type ScopeType = (typeof scopeTypes)[number]

// biome-ignore format: a table reads by its columns
export const ability = {
  key:        string('`show` (the only valid value)', { oneOf: ['show'] }),
  scope_type: string('`Account`, `Business`, `Site`', { oneOf: scopeTypes }),
  scope_id:   integer('id of the account, business or site named by scope_type'),
}

export type Ability = RecordOf<typeof ability>

/** One entry of an abilities request. */
// biome-ignore format: a table reads by its columns
export const newAbility = {
  key:        string('`show`', { required: true, oneOf: ['show'] }),
  scope_type: string('`Account`, `Business` or `Site`', { required: true, oneOf: scopeTypes }),
  scope_id:   integer('id of the account, business or site', { required: true }),
}

export const abilities = list('ability', ability)

/** The result of an update, or of a dry run of it. */
export const abilityChanges = {
  abilities,
  added: abilities,
  removed: abilities,
}

export const mostAbilitiesSubmitted = 1_000
export const mostAbilitiesHeld = 10_000
