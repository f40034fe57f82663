/** How abilities are answered: the set with its tag, and a dry run with what would be added and removed. */

import { type AbilityChanges, abilitiesTag } from '../model/people/abilities.ts'
import { abilities, abilityChanges } from '../resources/ability.ts'
import * as ability from './actions/people/abilities.ts'
import { record, tagged, whole, withName } from './writers.ts'

export const allAbilities = tagged(whole('abilities', abilities), abilitiesTag)
// The tag is that of the current set: a client that sends it as `If-Match` gets exactly the change it was shown.
const triedAbilities = tagged<AbilityChanges>(withName('ability_changes', record('hash', abilityChanges)), ({ held }) => abilitiesTag(held))
export const previewAbilities = { act: ability.preview, answer: triedAbilities }
