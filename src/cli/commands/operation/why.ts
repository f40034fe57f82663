/** `marquee why`: explains why a key is refused, and why a user can or cannot see something. */

import { explainKey } from '../../../model/partners/keys/key-reasons.ts'
import { explainAccess } from '../../../model/people/access-reasons.ts'
import type { ScopeType } from '../../../resources/ability.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'

const scopes: readonly (readonly [option: string, type: ScopeType])[] = [
  ['site', 'Site'],
  ['business', 'Business'],
  ['account', 'Account'],
]

/** Exits with 1 if the key is refused, so that scripts can use it. */
export async function key({ caller, word, wantsJson }: OperatorInput): Promise<Output> {
  const { reasons, ...named } = await explainKey(caller, word)
  return { document: { key: wantsJson ? { ...named, reasons } : named }, note: reasons.join('\n'), exitCode: named.works ? 0 : 1 }
}

export async function user({ caller, id, number, wantsJson }: OperatorInput): Promise<Output> {
  const asked = scopes.flatMap(([option, type]) => {
    const scopeId = number(option)
    return scopeId === undefined ? [] : [{ type, scopeId }]
  })
  const [only] = asked
  if (only === undefined || asked.length > 1) throw new UsageError('Name one thing: --site, --business or --account.')
  const access = await explainAccess(caller, id, only.type, only.scopeId)
  return { ...(wantsJson && { document: { access } }), note: access.sentence, exitCode: access.allowed ? 0 : 1 }
}
