/** Ability: `show` on an account, a business or a site. */

import { integer, list, type RecordOf, string } from '../fields/shape.ts'

export const scopeTypes = ['Account', 'Business', 'Site'] as const
export type ScopeType = (typeof scopeTypes)[number]

export const ability = {
  key:        string('`show` (the only valid value)', { oneOf: ['show'] }),
  scope_type: string('`Account`, `Business`, `Site`', { oneOf: scopeTypes }),
  scope_id:   integer('id of the account, business or site named by scope_type'),
}

export type Ability = RecordOf<typeof ability>

export const abilities = list('ability', ability)

export const mostAbilitiesSubmitted = 1_000
export const mostAbilitiesHeld = 10_000
