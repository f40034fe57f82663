/** Abilities of a user: viewed; replaced, merged or removed. */

import { readDrafts } from '../../fields/read.ts'
import { refuse } from '../../lib/failures.ts'
import { type AbilityUpdate, listAbilities, updateAbilities } from '../../model/people/abilities.ts'
import { mostAbilitiesSubmitted, newAbility } from '../../resources/ability.ts'
import type { Call } from '../endpoint.ts'
import type { abilityFlags } from '../parameters.ts'
import type { QueryOf } from '../query.ts'

export function show({ caller, ids: [id] }: Call) {
  return listAbilities(caller, id)
}

export function update({ caller, ids: [id], query, body }: Call<typeof abilityFlags>) {
  return updateAbilities(caller, id, readDrafts(newAbility, body, 'abilities', mostAbilitiesSubmitted), updateOf(query))
}

function updateOf({ merge, remove }: QueryOf<typeof abilityFlags>): AbilityUpdate {
  if (merge && remove) refuse('bad_request', 'The parameters merge and remove exclude each other')
  return merge ? 'merge' : remove ? 'remove' : 'replace'
}
