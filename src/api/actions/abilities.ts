/** Abilities of a user: viewed; replaced, merged or removed. */

import { readDraft } from '../../fields/read.ts'
import { member, type Node } from '../../lib/body/tree.ts'
import { type FieldError, refuse } from '../../lib/failures.ts'
import { type AbilityUpdate, listAbilities, type SubmittedAbilities, updateAbilities } from '../../model/people/abilities.ts'
import { type Ability, mostAbilitiesSubmitted, newAbility } from '../../resources/ability.ts'
import type { Call } from '../endpoint.ts'
import type { abilityFlags } from '../parameters.ts'
import type { QueryOf } from '../query.ts'

export function show({ caller, ids: [id] }: Call) {
  return listAbilities(caller, id)
}

export function update({ caller, ids: [id], query, body }: Call<typeof abilityFlags>) {
  return updateAbilities(caller, id, submitted(member(body, 'abilities')), updateOf(query))
}

function updateOf({ merge, remove }: QueryOf<typeof abilityFlags>): AbilityUpdate {
  if (merge && remove) refuse('bad_request', 'The parameters merge and remove exclude each other')
  return merge ? 'merge' : remove ? 'remove' : 'replace'
}

function submitted(list: Node | undefined): SubmittedAbilities {
  const fault = listFault(list)
  if (list === undefined || fault !== undefined) return { entries: [], faults: fault === undefined ? [] : [fault] }
  const read = list.children.map(readEntry)
  return { entries: read.map(({ entry }) => entry), faults: read.flatMap(({ faults }) => faults) }
}

function listFault(list: Node | undefined): FieldError | undefined {
  if (list === undefined || list.kind === 'null') return { field: 'abilities', code: 'blank' }
  if (list.kind !== 'list') return { field: 'abilities', code: 'invalid' }
  return list.children.length > mostAbilitiesSubmitted ? { field: 'abilities', code: 'too_many', limit: mostAbilitiesSubmitted } : undefined
}

function readEntry(node: Node, index: number): { entry: Partial<Ability>; faults: FieldError[] } {
  if (node.kind !== 'map') return { entry: {}, faults: [{ field: 'abilities', code: 'invalid', pointer: `/abilities/${index}` }] }
  const { values, faults } = readDraft(newAbility, node)
  const pointed = faults.map((fault) => ({ ...fault, field: 'abilities', pointer: `/abilities/${index}/${fault.field}` }))
  return { entry: values as Partial<Ability>, faults: pointed }
}
