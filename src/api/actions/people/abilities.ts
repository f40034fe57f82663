/** Abilities of a user: viewed; replaced, merged or removed. */

import { readDrafts } from '../../../fields/read.ts'
import { refusePlainly } from '../../../lib/failures.ts'
import {
  type AbilityUpdate,
  abilitiesTag,
  listAbilities,
  type SubmittedAbilities,
  tryAbilities,
  updateAbilities,
} from '../../../model/people/abilities.ts'
import { type Ability, mostAbilitiesSubmitted, newAbility } from '../../../resources/ability.ts'
import type { Call } from '../../endpoint.ts'
import type { abilityFlags } from '../../parameters.ts'
import type { QueryOf } from '../../query.ts'

export function show({ caller, ids: [id] }: Call) {
  return listAbilities(caller, id)
}

export function update(call: Call<typeof abilityFlags>) {
  return updateAbilities(call.caller, call.ids[0], submittedIn(call), updateOf(call.query))
}

export function preview(call: Call<typeof abilityFlags>) {
  return tryAbilities(call.caller, call.ids[0], submittedIn(call), updateOf(call.query))
}

function submittedIn({ body, ifMatch }: Call<typeof abilityFlags>): SubmittedAbilities {
  const drafts = readDrafts(newAbility, body, 'abilities', mostAbilitiesSubmitted)
  return ifMatch === undefined ? drafts : { ...drafts, isExpected: expecting(ifMatch) }
}

/** The format suffix of a tag is ignored, so that a client may read XML and write JSON. A weak tag never matches. */
function expecting(ifMatch: string): (held: readonly Ability[]) => boolean {
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/-(?:xml|json)"$/, '"'))
  return (held) => tags.includes('*') || tags.includes(`"${abilitiesTag(held)}"`)
}

function updateOf({ merge, remove }: QueryOf<typeof abilityFlags>): AbilityUpdate {
  if (merge && remove) refusePlainly('bad_request', 'The parameters merge and remove exclude each other')
  return merge ? 'merge' : remove ? 'remove' : 'replace'
}
