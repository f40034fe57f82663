/** What a person may do with a customer, changed at the desk: what they see of it, and whether they may also share. What they may see elsewhere stays. */

import { hash } from 'node:crypto'
import { notFound } from '../../../lib/failures.ts'
import type { Ability } from '../../../resources/ability.ts'
import { accountsWithin, businessesWithin, type Managing, sitesWithin } from '../../core/tenancy.ts'
import { refuseMeanwhile } from '../../core/transaction.ts'
import { listAbilities, updateAbilities } from '../abilities.ts'
import { addEditor, listEditors, removeEditor } from '../staff/editors.ts'
import type { SeenScope } from './clients.ts'

interface Rights {
  readonly scopes: readonly SeenScope[]
  readonly isEditor: boolean
}

/** With what tells this state of them from any other. */
export async function readRights(caller: Managing, accountId: number, userId: number): Promise<Rights & { readonly state: string }> {
  const own = await scopesOf(caller, accountId)
  const abilities = (await listAbilities(caller, userId)).filter((ability) => own.has(nameOf(ability)))
  const scopes = abilities.map(({ scope_type, scope_id }) => ({ scope_type, scope_id }))
  const isEditor = (await listEditors(caller, accountId)).some(({ user_id }) => user_id === userId)
  return { scopes, isEditor, state: rightsState(scopes, isEditor) }
}

/** The same state always has the same name. */
export function rightsState(scopes: readonly SeenScope[], isEditor: boolean): string {
  return hash('sha256', JSON.stringify([scopes.map(nameOf).toSorted(), isEditor]), 'base64url').slice(0, 22)
}

/** Refused if somebody else has changed them since `was`; of abilities only those that differ are added and removed. */
export async function changeRights(
  caller: Managing,
  accountId: number,
  userId: number,
  { scopes, isEditor, was }: Rights & { readonly was: string },
): Promise<void> {
  const own = await scopesOf(caller, accountId)
  const { scopes: held, isEditor: wasEditor } = await readRights(caller, accountId, userId)
  const isExpected = (all: readonly Ability[]) =>
    rightsState(
      all.filter((ability) => own.has(nameOf(ability))),
      wasEditor,
    ) === was || refuseMeanwhile()
  const wanted = scopes.map((scope): Ability => ({ key: 'show', ...scope }))
  if (wanted.some((ability) => !own.has(nameOf(ability)))) notFound('scope')
  const kept = new Set(wanted.map(nameOf))
  // What is added may be refused, so it comes first.
  await updateAbilities(caller, userId, { entries: wanted, faults: [], isExpected }, 'merge')
  const gone = held.filter((scope) => !kept.has(nameOf(scope))).map((scope): Ability => ({ key: 'show', ...scope }))
  if (gone.length > 0) await updateAbilities(caller, userId, { entries: gone, faults: [] }, 'remove')
  if (isEditor && !wasEditor) await addEditor(caller, accountId, userId)
  if (!isEditor && wasEditor) await removeEditor(caller, accountId, userId)
}

/** The account itself, its businesses and its sites, by name. */
async function scopesOf(caller: Managing, accountId: number): Promise<Set<string>> {
  const account = await accountsWithin(caller).select('accounts.id').where('accounts.id', '=', accountId).executeTakeFirst()
  if (account === undefined) return notFound('account')
  const businesses = await businessesWithin(caller).select('id').where('account_id', '=', accountId).execute()
  const sites = await sitesWithin(caller).select('id').where('account_id', '=', accountId).execute()
  return new Set([
    nameOf({ scope_type: 'Account', scope_id: accountId }),
    ...businesses.map(({ id }) => nameOf({ scope_type: 'Business', scope_id: id })),
    ...sites.map(({ id }) => nameOf({ scope_type: 'Site', scope_id: id })),
  ])
}

function nameOf({ scope_type, scope_id }: SeenScope): string {
  return `${scope_type} ${scope_id}`
}
