/** Businesses of the accounts a caller can reach: created, found, renamed, deactivated, reactivated, deleted. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../fields/read.ts'
import { type FieldError, invalid, notFound, refuse, saysTaken } from '../../lib/failures.ts'
import { oneLine } from '../../lib/one-line.ts'
import { type Business, business, type ChangedBusiness, changedBusiness, type NewBusiness, newBusiness } from '../../resources/business.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { PartnerCaller, Repeat } from '../core/caller.ts'
import { forgetExternalId, nameRecord, recordCalled, recordNarrowed } from '../core/external-ids.ts'
import { type ListPage, page, partnerPages } from '../core/paging.ts'
import { accountsWithin, businessesWithin, type Managing, managedBy, ownAccountOf, reachesAll } from '../core/tenancy.ts'
import { carriedOut, change, type ReadyChange, ready, refuseMeanwhile } from '../core/transaction.ts'

const columns = Object.keys(business) as (keyof Business)[]

export const createBusiness = carriedOut(prepareBusiness)

export async function prepareBusiness(caller: Managing, draft: Draft<NewBusiness>, externalId?: string): Promise<ReadyChange<Business>> {
  const input = complete(newBusiness, draft, await missingAccount(caller, draft.values.account_id))
  const account_id = input.account_id ?? ownAccountOf(caller) ?? notFound('account')
  return ready(async (tx) => {
    const created = await insertBusiness(tx, caller, account_id, input.name)
    await nameRecord(tx, caller, 'business', created.id, externalId)
    return created
  })
}

/** The account must be within the caller's reach. */
export async function insertBusiness(tx: Kysely<Tables>, caller: Managing, account_id: number, name: string): Promise<Business> {
  const now = caller.app.clock.now()
  const created = await tx
    .insertInto('businesses')
    .values({ account_id, name, aasm_state: 'active', created_at: now, updated_at: now })
    .returning(columns)
    .executeTakeFirstOrThrow()
  await audit(tx, caller, 'business.create', created, { after: created })
  return created
}

export interface PutBusiness extends Business {
  readonly isNew: boolean
}

/** Creates the business with this external id, or renames it; it stays in its account. Of two simultaneous requests, one creates it and the other finds it. */
export async function putBusiness(caller: PartnerCaller, externalId: string, draft: Draft<NewBusiness>): Promise<PutBusiness> {
  const known = await recordCalled(caller, 'business', externalId)
  if (known !== 0) return { ...(await rename(caller, known, draft)), isNew: false }
  try {
    return { ...(await createBusiness(keptAsNew(caller), draft, externalId)), isNew: true }
  } catch (error) {
    const first = saysTaken(error) ? await recordCalled(caller, 'business', externalId) : 0
    if (first === 0) throw error
    return { ...(await rename(caller, first, draft)), isNew: false }
  }
}

/** The answer stored for a repetition says too that the business is new. */
function keptAsNew({ repeat, ...caller }: PartnerCaller): PartnerCaller {
  if (repeat === undefined) return caller
  const keep: Repeat['keep'] = (tx, created) => repeat.keep(tx, { ...(created as Business), isNew: true })
  return { ...caller, repeat: { claim: (tx) => repeat.claim(tx), keep } }
}

/** An external id of a business that the key does not reach is reported as taken, and nothing more. */
async function rename(caller: PartnerCaller, id: number, draft: Draft<NewBusiness>): Promise<Business> {
  const known = await businessesWithin(caller).select('account_id').where('id', '=', id).executeTakeFirst()
  if (known === undefined) return invalid([{ field: 'external_id', code: 'taken' }])
  const { account_id = known.account_id } = complete(newBusiness, draft, await missingAccount(caller, draft.values.account_id))
  if (account_id !== known.account_id) invalid([{ field: 'account_id', code: 'invalid' }])
  return renameBusiness(caller, id, draft)
}

export async function findBusiness(caller: Managing, id: number): Promise<Business> {
  return (await businessesWithin(caller).select(columns).where('id', '=', id).executeTakeFirst()) ?? notFound('business')
}

export interface NarrowBusinesses {
  readonly account_id?: number
  readonly external_id?: string
}

export async function listBusinesses(caller: Managing, after?: string, narrow: NarrowBusinesses = {}): Promise<ListPage<Business>> {
  if (reachesAll(caller) && Object.keys(narrow).length === 0) return everyBusiness(caller, after)
  return page(businessRows(caller, narrow, await recordNarrowed(caller, 'business', narrow.external_id)), after)
}

/** `called` is the one of the external id. */
export function businessRows(caller: Managing, { account_id }: NarrowBusinesses, called?: number) {
  return businessesWithin(caller)
    .select(columns)
    .$if(account_id !== undefined, (rows) => rows.where('account_id', '=', account_id ?? 0))
    .$if(called !== undefined, (rows) => rows.where('id', '=', called ?? 0))
}

const everyBusiness = partnerPages<Business>((db, partnerId) => managedBy(partnerId, 'businesses', db).select(columns))

/** With `was`, refused if it has another name by now. A repetition changes nothing and records nothing. */
export const renameBusiness = carriedOut(prepareBusinessName)

export async function prepareBusinessName(
  caller: Managing,
  id: number,
  draft: Draft<ChangedBusiness>,
  was?: string,
): Promise<ReadyChange<Business>> {
  await findBusiness(caller, id)
  const { name } = complete(changedBusiness, draft)
  return ready(async (tx) => {
    await caller.app.store.lock(tx, 'businesses', id)
    const before = await businessesWithin(caller, tx).select(columns).where('id', '=', id).executeTakeFirstOrThrow()
    if (was !== undefined && oneLine(before.name) !== oneLine(was)) refuseMeanwhile()
    if (before.name === name) return before
    const changed = { name, updated_at: caller.app.clock.now() }
    const after = await tx.updateTable('businesses').set(changed).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()
    await audit(tx, caller, 'business.rename', after, { before, after })
    return after
  })
}

/** Deletes only a business without sites and without abilities on it. */
export function deleteBusiness(caller: Managing, id: number): Promise<Business> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'businesses', id)
    const before = (await businessesWithin(caller, tx).select(columns).where('id', '=', id).executeTakeFirst()) ?? notFound('business')
    const site = await tx.selectFrom('sites').select('domain').where('business_id', '=', id).limit(1).executeTakeFirst()
    if (site !== undefined)
      refuse('conflict', `The business has sites, such as ${site.domain}: delete them first, or move them to another business`)
    const able = tx.selectFrom('abilities').select('user_id').where('scope_type', '=', 'Business').where('scope_id', '=', id)
    if ((await able.limit(1).executeTakeFirst()) !== undefined)
      refuse('conflict', 'Users have abilities on the business: remove them first')
    await forgetExternalId(tx, 'business', id)
    await tx.deleteFrom('businesses').where('id', '=', id).execute()
    await audit(tx, caller, 'business.delete', before, { before })
    return before
  })
}

export function deactivateBusiness(caller: Managing, id: number): Promise<Business> {
  return setState(caller, id, 'deactivated')
}

export function reactivateBusiness(caller: Managing, id: number): Promise<Business> {
  return setState(caller, id, 'active')
}

/** Sets the state, so that a repetition changes nothing and records nothing. */
async function setState(caller: Managing, id: number, state: Business['aasm_state']): Promise<Business> {
  const before = await findBusiness(caller, id)
  if (before.aasm_state === state) return before
  return change(caller, async (tx) => {
    const after = await tx
      .updateTable('businesses')
      .set({ aasm_state: state, is_deactivated_together: 0, updated_at: caller.app.clock.now() })
      .where('id', '=', id)
      .where('aasm_state', '!=', state)
      .returning(columns)
      .executeTakeFirst()
    if (after === undefined) return businessesWithin(caller, tx).select(columns).where('id', '=', id).executeTakeFirstOrThrow()
    const action = state === 'active' ? 'business.reactivate' : 'business.deactivate'
    await audit(tx, caller, action, after, { before, after })
    return after
  })
}

async function missingAccount(caller: Managing, id: number | undefined): Promise<FieldError[]> {
  if (id === undefined) return ownAccountOf(caller) !== null ? [] : [{ field: 'account_id', code: 'blank' }]
  const found = await accountsWithin(caller).select('id').where('id', '=', id).executeTakeFirst()
  return found === undefined ? [{ field: 'account_id', code: 'does_not_exist' }] : []
}
