/** Partners: created with their partner account and first key, changed, suspended and resumed by the operator. */

import type { Kysely } from 'kysely'
import { complete, draftOf } from '../../fields/read.ts'
import { notFound, refuse } from '../../lib/failures.ts'
import { newAccount } from '../../resources/account.ts'
import type { Release } from '../../resources/schedule.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { type Action, audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { change } from '../core/transaction.ts'
import { insertAccount } from './accounts.ts'
import { insertKey } from './keys/keys.ts'

export const defaultLimits = { readsPerMinute: 6000, writesPerMinute: 600, takenPerHour: 1000 }

export interface Partner {
  readonly id: number
  readonly name: string
  readonly state: 'active' | 'suspended'
  readonly account_id: number | null
  readonly key_alone: 0 | 1
  readonly names: 'encoded' | 'legacy' | null
  readonly series: 'all' | null
  readonly release: Release | null
  readonly demands_second_factor: 0 | 1
  readonly origins: string | null
  readonly reads_per_minute: number | null
  readonly writes_per_minute: number | null
  readonly taken_per_hour: number | null
  readonly created_at: string
  readonly updated_at: string
}

export type PartnerWishes = Partial<
  Pick<
    Partner,
    | 'name'
    | 'key_alone'
    | 'names'
    | 'series'
    | 'release'
    | 'demands_second_factor'
    | 'origins'
    | 'reads_per_minute'
    | 'writes_per_minute'
    | 'taken_per_hour'
  >
>

const columns = [
  'id',
  'name',
  'state',
  'account_id',
  'key_alone',
  'names',
  'series',
  'release',
  'demands_second_factor',
  'origins',
  'reads_per_minute',
  'writes_per_minute',
  'taken_per_hour',
  'created_at',
  'updated_at',
] as const

export async function createPartner(caller: OperatorCaller, wanted: string) {
  const { name } = complete(newAccount, draftOf(newAccount, { name: wanted }))
  return change(caller, async (tx) => {
    const made = await insertPartner(tx, caller, name)
    const { key, password } = await insertKey(tx, caller, made.partner.id, { label: 'first key' })
    return { ...made, key, password }
  })
}

/** With its account, and without a key. */
export async function insertPartner(tx: Kysely<Tables>, caller: OperatorCaller, name: string) {
  const now = caller.app.clock.now()
  const { id } = await tx
    .insertInto('partners')
    .values({ name, state: 'active', created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const account = await insertAccount(tx, caller, id, name)
  const partner: Partner = await tx
    .updateTable('partners')
    .set({ account_id: account.id })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  await audit(tx, caller, 'partner.create', { id, partner_id: id }, { after: partner })
  return { partner, account }
}

export function listPartners(caller: OperatorCaller): Promise<Partner[]> {
  return caller.app.store.db.selectFrom('partners').select(columns).orderBy('id').execute()
}

export function findPartner(caller: OperatorCaller, id: number): Promise<Partner> {
  return partnerIn(caller.app.store.db, id)
}

/** Names are not unique. */
export async function partnerCalled(caller: OperatorCaller, name: string): Promise<number> {
  const found = await caller.app.store.db.selectFrom('partners').select('id').where('name', '=', name).orderBy('id').execute()
  const ids = found.map(({ id }) => id)
  if (ids.length > 1) refuse('bad_request', `Partners ${ids.join(', ')} are called ${name}: name one by its id`)
  return ids[0] ?? notFound('partner')
}

export function setPartner(caller: OperatorCaller, id: number, wishes: PartnerWishes): Promise<Partner> {
  return update(caller, 'partner.set', id, wishes)
}

export function suspendPartner(caller: OperatorCaller, id: number): Promise<Partner> {
  return update(caller, 'partner.suspend', id, { state: 'suspended' })
}

export function resumePartner(caller: OperatorCaller, id: number): Promise<Partner> {
  return update(caller, 'partner.resume', id, { state: 'active' })
}

/** A repetition changes nothing and records nothing. */
function update(caller: OperatorCaller, action: Action, id: number, values: Partial<Partner>): Promise<Partner> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'partners', id)
    const before = await partnerIn(tx, id)
    const isNew = Object.entries(values).some(([name, value]) => before[name as keyof Partner] !== value)
    if (!isNew) return before
    const changed = { ...values, updated_at: caller.app.clock.now() }
    const after = await tx.updateTable('partners').set(changed).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()
    await audit(tx, caller, action, { id, partner_id: id }, { before, after })
    return after
  })
}

async function partnerIn(db: Kysely<Tables>, id: number): Promise<Partner> {
  return (await db.selectFrom('partners').select(columns).where('id', '=', id).executeTakeFirst()) ?? notFound('partner')
}
