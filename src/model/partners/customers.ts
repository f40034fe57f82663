/** Customers: what belongs to an account as a whole. Its businesses are deactivated together, and those come back together; archived, it gets no mail. */

import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { complete, type Draft, draftOf } from '../../fields/read.ts'
import { notFound } from '../../lib/failures.ts'
import { oneLine } from '../../lib/one-line.ts'
import { batchesOf } from '../../lib/work/batches.ts'
import { type ChangedCustomer, type CustomerRecord, changedCustomer } from '../../resources/account.ts'
import { type Business, business } from '../../resources/business.ts'
import type { AccountRow, Tables } from '../../store/rows/tables.ts'
import { type Action, audit, auditAll } from '../core/audit.ts'
import { accountsWithin, type Managing } from '../core/tenancy.ts'
import { change, refuseMeanwhile } from '../core/transaction.ts'

type Db = Kysely<Tables>

const entriesPerStatement = 200
const businessColumns = Object.keys(business) as (keyof Business)[]

export async function findCustomer(caller: Managing, id: number, db: Db = caller.app.store.db): Promise<CustomerRecord> {
  const accounts = accountsWithin(caller, db).select(['accounts.id', 'accounts.name', 'time_zone', 'region', 'tags', 'archived_at'])
  const { id: account_id, time_zone, ...found } = (await accounts.where('accounts.id', '=', id).executeTakeFirst()) ?? notFound('account')
  return { account_id, ...found, time_zone: time_zone ?? 'UTC', ...(await countBusinesses(db, id)) }
}

/** Tells what a form about the customer shows from what it would show after a change. */
export function customerState({ name, time_zone, region, tags }: Pick<CustomerRecord, 'name' | 'time_zone' | 'region' | 'tags'>): string {
  return hash('sha256', JSON.stringify([oneLine(name), time_zone, region, tags]), 'base64url').slice(0, 22)
}

/** What is not given stays; with `was`, refused if somebody else has changed the customer meanwhile. A repetition changes nothing and records nothing. */
export async function changeCustomer(caller: Managing, id: number, draft: Draft<ChangedCustomer>, was?: string): Promise<CustomerRecord> {
  await findCustomer(caller, id)
  const { time_zone, region, tags } = complete(changedCustomer, draft)
  return changeLocked(caller, id, async (tx, before) => {
    if (was !== undefined && customerState(before) !== was) refuseMeanwhile()
    const wanted = {
      time_zone: time_zone ?? before.time_zone,
      region: region === undefined ? before.region : region || null,
      tags: tags === undefined ? before.tags : foldTags(tags),
    }
    if (customerState({ ...before, ...wanted }) === customerState(before)) return
    await update(tx, caller, 'account.change', before, wanted)
  })
}

/** Each label once, in the order in which they were given; null if there is none. */
export function foldTags(text: string): string | null {
  const tags = [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
  return tags.length === 0 ? null : tags.join(', ')
}

/** As `foldTags` keeps them. */
export function tagList(tags: string | null): string[] {
  return tags === null ? [] : tags.split(', ')
}

/** Gives the customer a label, or takes it away; what is so already changes nothing. */
export function tagCustomer(caller: Managing, id: number, tag: string, isWanted: boolean): Promise<CustomerRecord> {
  return changeLocked(caller, id, async (tx, before) => {
    const held = tagList(before.tags)
    if (held.includes(tag) === isWanted) return
    const tags = foldTags([...held.filter((one) => one !== tag), ...(isWanted ? [tag] : [])].join(','))
    complete(changedCustomer, draftOf(changedCustomer, { tags: tags ?? '' }))
    await update(tx, caller, 'account.change', before, { tags })
  })
}

/** All businesses that are active, which are remembered. */
export function deactivateCustomer(caller: Managing, id: number): Promise<CustomerRecord> {
  return changeLocked(caller, id, async (tx) => {
    const active = tx.updateTable('businesses').where('account_id', '=', id).where('aasm_state', '=', 'active')
    const values = { aasm_state: 'deactivated', is_deactivated_together: 1, updated_at: caller.app.clock.now() } as const
    await record(tx, caller, 'business.deactivate', 'active', await active.set(values).returning(businessColumns).execute())
  })
}

/** Only the businesses that were deactivated together. */
export function reactivateCustomer(caller: Managing, id: number): Promise<CustomerRecord> {
  return changeLocked(caller, id, async (tx) => {
    const together = tx.updateTable('businesses').where('account_id', '=', id).where('is_deactivated_together', '=', 1)
    const values = { aasm_state: 'active', is_deactivated_together: 0, updated_at: caller.app.clock.now() } as const
    await record(tx, caller, 'business.reactivate', 'deactivated', await together.set(values).returning(businessColumns).execute())
  })
}

/** Its schedules make no mail until it is taken out of the archive, and the reports that wait are not sent. */
export function archiveCustomer(caller: Managing, id: number): Promise<CustomerRecord> {
  return changeLocked(caller, id, async (tx, before) => {
    if (before.archived_at !== null) return
    await update(tx, caller, 'account.archive', before, { archived_at: caller.app.clock.now() })
    await tx.deleteFrom('mails').where('account_id', '=', id).where('kind', '=', 'report').where('state', '=', 'queued').execute()
  })
}

export function unarchiveCustomer(caller: Managing, id: number): Promise<CustomerRecord> {
  return changeLocked(caller, id, async (tx, before) => {
    if (before.archived_at !== null) await update(tx, caller, 'account.unarchive', before, { archived_at: null })
  })
}

function changeLocked(caller: Managing, id: number, work: (tx: Db, before: CustomerRecord) => Promise<void>): Promise<CustomerRecord> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'accounts', id)
    await work(tx, await findCustomer(caller, id, tx))
    return findCustomer(caller, id, tx)
  })
}

async function update(
  tx: Db,
  caller: Managing,
  action: Action,
  before: CustomerRecord,
  values: Partial<Pick<AccountRow, 'time_zone' | 'region' | 'tags' | 'archived_at'>>,
): Promise<void> {
  const { account_id: id } = before
  const changed = { ...values, updated_at: caller.app.clock.now() }
  await tx.updateTable('accounts').set(changed).where('id', '=', id).execute()
  await audit(tx, caller, action, { id, account_id: id }, { before, after: { ...before, ...values } })
}

async function record(
  tx: Db,
  caller: Managing,
  action: Action,
  aasm_state: Business['aasm_state'],
  businesses: readonly Business[],
): Promise<void> {
  for (const some of batchesOf(businesses, entriesPerStatement))
    await auditAll(
      tx,
      caller,
      action,
      some.map((after) => ({ subject: after, before: { ...after, aasm_state }, after })),
    )
}

async function countBusinesses(db: Db, account_id: number) {
  const rows = await db
    .selectFrom('businesses')
    .select(['aasm_state', 'is_deactivated_together', ({ fn }) => fn.countAll<number>().as('many')])
    .where('account_id', '=', account_id)
    .groupBy(['aasm_state', 'is_deactivated_together'])
    .execute()
  const sum = (counted: typeof rows) => counted.reduce((all, { many }) => all + Number(many), 0)
  return {
    active_businesses: sum(rows.filter((row) => row.aasm_state === 'active')),
    deactivated_businesses: sum(rows.filter((row) => row.aasm_state === 'deactivated')),
    deactivated_together: sum(rows.filter((row) => row.is_deactivated_together === 1)),
  }
}
