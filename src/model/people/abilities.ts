/** Abilities of a user: viewed, replaced, merged, removed; a fault in one changes none. */

import { hash } from 'node:crypto'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { type FieldError, invalid, notFound, refuse } from '../../lib/failures.ts'
import { memoByObject } from '../../lib/memo.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { type Ability, mostAbilitiesHeld, type ScopeType, scopeTypes } from '../../resources/ability.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Param } from '../../store/store.ts'
import { perApp } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import { accountsWithin, businessesWithin, type Managing, managedBy, reachesAll, sitesWithin, usersWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'

export type AbilityUpdate = 'replace' | 'merge' | 'remove'

export async function listAbilities(caller: Managing, userId: number): Promise<readonly Ability[]> {
  const rows = reachesAll(caller)
    ? await abilitiesOf(caller.app)({ userId, partnerId: caller.partnerId })
    : await abilityRows(caller, userId)
  return found(rows)
}

/** The list as it was sent: the entries that could be read, and what is wrong with the others. */
export interface SubmittedAbilities {
  readonly entries: readonly Partial<Ability>[]
  readonly faults: readonly FieldError[]
  /** Whether the current set is the one on which the update is based; by default any set is accepted. */
  readonly isExpected?: (held: readonly Ability[]) => boolean
}

/** Returns the resulting set. Removed scopes need not exist any more; added ones must. */
export async function updateAbilities(
  caller: Managing,
  userId: number,
  submitted: SubmittedAbilities,
  update: AbilityUpdate,
): Promise<Ability[]> {
  await refuseFaulty(caller, userId, submitted, update)
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'users', userId)
    const { abilities, added, removed } = changesBy(submitted, update, found(await abilityRows(caller, userId, tx)))
    await storeDifference(tx, userId, removed, added)
    if (removed.length + added.length > 0) {
      await audit(tx, caller, `abilities.${update}`, { id: userId }, { before: removed, after: added })
    }
    return abilities
  })
}

export interface AbilityChanges {
  readonly abilities: Ability[]
  readonly added: Ability[]
  readonly removed: Ability[]
  /** The set before the update. */
  readonly held: readonly Ability[]
}

/** A dry run of `updateAbilities`: the same refusals, and nothing is changed. */
export async function tryAbilities(
  caller: Managing,
  userId: number,
  submitted: SubmittedAbilities,
  update: AbilityUpdate,
): Promise<AbilityChanges> {
  await refuseFaulty(caller, userId, submitted, update)
  return changesBy(submitted, update, await listAbilities(caller, userId))
}

/** The same set always has the same tag. */
export const abilitiesTag = memoByObject((abilities: readonly Ability[]) =>
  hash('sha256', abilities.map(nameOf).join(), 'base64url').slice(0, 22),
)

async function refuseFaulty(
  caller: Managing,
  userId: number,
  { entries, faults }: SubmittedAbilities,
  update: AbilityUpdate,
): Promise<void> {
  await listAbilities(caller, userId)
  const missing = update === 'remove' ? [] : await missingScopes(caller, entries)
  if (faults.length + missing.length > 0) invalid([...faults, ...missing].toSorted((a, b) => placeOf(a) - placeOf(b)))
}

function changesBy({ entries, isExpected }: SubmittedAbilities, update: AbilityUpdate, before: readonly Ability[]): AbilityChanges {
  if (isExpected?.(before) === false) refuse('precondition_failed', 'The abilities have changed since the answer whose ETag was sent')
  const after = resulting[update](before, entries as Ability[])
  if (after.length > mostAbilitiesHeld) invalid([{ field: 'abilities', code: 'too_many', limit: mostAbilitiesHeld }])
  return { abilities: inScopeOrder(after), added: inScopeOrder(without(after, before)), removed: without(before, after), held: before }
}

function inScopeOrder(abilities: readonly Ability[]): Ability[] {
  return abilities.toSorted((a, b) => compare(a.scope_type, b.scope_type) || a.scope_id - b.scope_id)
}

type AbilityRow = { [N in keyof Ability]: Ability[N] | null }

/** A user without abilities has one row too, so that an unknown user can be told from an empty list. */
function abilityRows(caller: Managing, userId: number, db: Kysely<Tables> = caller.app.store.db): Promise<AbilityRow[]> {
  return withAbilities(usersWithin(caller, db).where('users.id', '=', userId)).execute()
}

/** Partners request this more often than anything else, so the statement is prepared and its result cached. */
const abilitiesOf = perApp(({ store }) =>
  store.cacheUntilCommit((db, param: Param<{ userId: number; partnerId: number }>) =>
    withAbilities(managedBy(param('partnerId'), 'users', db).where('users.id', '=', param('userId'))),
  ),
)

function withAbilities(users: ReturnType<typeof usersWithin>) {
  return users
    .leftJoin('abilities', (held) => held.onRef('abilities.user_id', '=', 'users.id').on(isOnLiving))
    .select(['abilities.key', 'abilities.scope_type', 'abilities.scope_id'])
    .orderBy('abilities.scope_type')
    .orderBy('abilities.scope_id')
}

/** Abilities on what belongs to a deleted account are kept, and are not on the list: nobody finds what they are on. */
function isOnLiving(on: ExpressionBuilder<Tables, 'abilities'>) {
  const { not, exists, selectFrom, ref } = on
  const deleted = () => selectFrom('deleted_accounts').select('deleted_accounts.account_id').where('cleared_at', 'is', null)
  const owned = (table: 'businesses' | 'sites') =>
    exists(
      selectFrom(table as 'sites')
        .select('id')
        .where('id', '=', ref('abilities.scope_id'))
        .where('account_id', 'in', deleted()),
    )
  const onDeleted = on.or([
    on('scope_type', '=', 'Account').and('scope_id', 'in', deleted()),
    on('scope_type', '=', 'Business').and(owned('businesses')),
    on('scope_type', '=', 'Site').and(owned('sites')),
  ])
  // Asked first and once, because there are hardly ever any.
  return on.or([not(exists(deleted())), not(onDeleted)])
}

/** Rows that are cached give the same list each time, so that its tag is made once. */
const found = memoByObject((rows: readonly AbilityRow[]) =>
  rows.length === 0 ? notFound('user') : (rows.filter((row) => row.key !== null) as readonly Ability[]),
)

const resulting: Record<AbilityUpdate, (before: readonly Ability[], submitted: readonly Ability[]) => Ability[]> = {
  replace: (_, submitted) => distinct(submitted),
  merge: (before, submitted) => distinct([...before, ...submitted]),
  remove: (before, submitted) => without(before, submitted),
}

const rowsPerStatement = 200

async function storeDifference(tx: Kysely<Tables>, user_id: number, gone: readonly Ability[], added: readonly Ability[]): Promise<void> {
  for (const scope_type of scopeTypes) {
    const own = tx.deleteFrom('abilities').where('user_id', '=', user_id).where('scope_type', '=', scope_type)
    await inBatches(idsOf(gone, scope_type), rowsPerStatement, (ids) => own.where('scope_id', 'in', ids).execute())
  }
  const rows = added.map((ability) => ({ user_id, ...ability }))
  await inBatches(rows, rowsPerStatement, (some) => tx.insertInto('abilities').values(some).execute())
}

/** Every scope must be within the caller's reach; each one that is not is reported with its position in the list. */
async function missingScopes(caller: Managing, entries: readonly Partial<Ability>[]): Promise<FieldError[]> {
  const reachable = new Set<string>()
  for (const scope_type of scopeTypes) {
    const ids = idsOf(entries, scope_type)
    if (ids.length === 0) continue
    for (const id of await existing(caller, scope_type, ids)) reachable.add(nameOf({ scope_type, scope_id: id }))
  }
  return entries.flatMap((entry, index): FieldError[] => {
    const isMissing = entry.scope_type !== undefined && entry.scope_id !== undefined && !reachable.has(nameOf(entry))
    return isMissing ? [{ field: 'abilities', code: 'does_not_exist', pointer: `/abilities/${index}/scope_id` }] : []
  })
}

/** Sorts faults by position in the list; faults of the list itself come first. */
function placeOf({ pointer = '' }: FieldError): number {
  return Number(/^\/abilities\/(\d+)/.exec(pointer)?.[1] ?? -1)
}

async function existing(caller: Managing, scopeType: ScopeType, ids: readonly number[]): Promise<number[]> {
  const { isOneOf, idList } = caller.app.store.engine
  const named = isOneOf('id', idList(ids))
  const rows = {
    Account: () => accountsWithin(caller).select('id').where(named).execute(),
    Business: () => businessesWithin(caller).select('id').where(named).execute(),
    Site: () => sitesWithin(caller).select('id').where(named).execute(),
  }
  return (await rows[scopeType]()).map(({ id }) => id)
}

function distinct(abilities: readonly Ability[]): Ability[] {
  return [...new Map(abilities.map((ability) => [nameOf(ability), ability])).values()]
}

function without(abilities: readonly Ability[], others: readonly Ability[]): Ability[] {
  const names = new Set(others.map(nameOf))
  return abilities.filter((ability) => !names.has(nameOf(ability)))
}

function nameOf({ scope_type, scope_id }: Partial<Ability>): string {
  return `${scope_type} ${scope_id}`
}

function idsOf(abilities: readonly Partial<Ability>[], scopeType: ScopeType): number[] {
  return abilities.flatMap(({ scope_type, scope_id }) => (scope_type === scopeType && scope_id !== undefined ? [scope_id] : []))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
