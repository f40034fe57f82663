/** Test partners: partners of their own, with keys of their own, filled with a world in which nothing is real. Each partner has one at most. */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../../lib/failures.ts'
import type { TestPartnerRow } from '../../../store/rows/partners.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { OperatorCaller, StaffCaller } from '../../core/caller.ts'
import { change } from '../../core/transaction.ts'
import { testMark } from '../brands.ts'
import { type FreshKey, insertKey, keyScopes } from '../keys/keys.ts'
import { insertPartner, type Partner } from '../partners.ts'

export interface TestPartner extends Pick<TestPartnerRow, 'partner_id' | 'state' | 'changed_at'> {
  readonly name: string
}

/** By the operator for any partner, or for none: then nobody gets its mails. */
export function createTestPartner(
  caller: OperatorCaller,
  ofPartnerId: number | null,
  name: string,
): Promise<FreshKey & { partner: Partner }> {
  return change(caller, (tx) => insertTestPartner(tx, caller, ofPartnerId, name))
}

/** The key is only in this answer. */
export function createOwnTestPartner(staff: StaffCaller): Promise<FreshKey> {
  refuseMembers(staff)
  return change(staff, async (tx) => {
    await staff.app.store.lock(tx, 'partners', staff.partnerId)
    const { name } = await tx.selectFrom('partners').select('name').where('id', '=', staff.partnerId).executeTakeFirstOrThrow()
    const operator: OperatorCaller = { kind: 'operator', app: staff.app, requestId: staff.requestId }
    const made = await insertTestPartner(tx, operator, staff.partnerId, name)
    await audit(tx, staff, 'partner.test', { id: staff.partnerId }, { after: { partner_id: made.partner.id } })
    return made
  })
}

async function insertTestPartner(tx: Kysely<Tables>, operator: OperatorCaller, ofPartnerId: number | null, name: string) {
  const tests = tx.selectFrom('test_partners').select('partner_id')
  if (ofPartnerId !== null) {
    const known = tx.selectFrom('partners').select('id').where('id', '=', ofPartnerId)
    if ((await known.executeTakeFirst()) === undefined) notFound('partner')
    if ((await tests.where('of_partner_id', '=', ofPartnerId).executeTakeFirst()) !== undefined)
      refuse('conflict', 'There is a test partner already. It can be emptied and filled anew.')
    if ((await tests.where('partner_id', '=', ofPartnerId).executeTakeFirst()) !== undefined)
      refuse('conflict', 'This is a test partner itself, which has no other.')
  }
  const { partner } = await insertPartner(tx, operator, named(name))
  const row = { partner_id: partner.id, of_partner_id: ofPartnerId, state: 'filling' as const, fillings: 1, intake_id: null }
  await tx
    .insertInto('test_partners')
    .values({ ...row, changed_at: operator.app.clock.now() })
    .execute()
  return { partner, ...(await insertKey(tx, operator, partner.id, { label: 'test', scopes: keyScopes })) }
}

function named(name: string): string {
  const text = name.trim()
  return text.endsWith(testMark) ? text : `${text.slice(0, 240)} ${testMark}`
}

/** That of the partner whose staff asks; null if there is none. */
export async function findOwnTestPartner(staff: StaffCaller): Promise<TestPartner | null> {
  refuseMembers(staff)
  return (await ownTest(staff.app.store.db, staff)) ?? null
}

/** Whether the staff work for a test partner. */
export async function isTestPartner({ store }: App, partnerId: number): Promise<boolean> {
  const found = store.db.selectFrom('test_partners').select('partner_id').where('partner_id', '=', partnerId)
  return (await found.executeTakeFirst()) !== undefined
}

/** Done in the background: everything in the test partner goes, and `filling` makes its world anew. */
export function emptyTestPartner(staff: StaffCaller, then: 'empty' | 'filling'): Promise<void> {
  refuseMembers(staff)
  return change(staff, async (tx) => {
    await staff.app.store.lock(tx, 'partners', staff.partnerId)
    const test = (await ownTest(tx, staff)) ?? notFound('test partner')
    if (test.state !== 'filled' && test.state !== 'empty')
      refuse('conflict', 'It is being filled or emptied. Please wait until that is done.')
    const state = then === 'empty' ? 'emptying' : 'refilling'
    const values = { state, intake_id: null, changed_at: staff.app.clock.now() } as const
    await tx.updateTable('test_partners').set(values).where('partner_id', '=', test.partner_id).execute()
    await audit(tx, staff, 'partner.test', { id: staff.partnerId }, { after: { partner_id: test.partner_id, state } })
  })
}

function ownTest(db: Kysely<Tables>, { partnerId }: StaffCaller) {
  return db
    .selectFrom('test_partners')
    .innerJoin('partners', 'partners.id', 'test_partners.partner_id')
    .select(['test_partners.partner_id', 'test_partners.state', 'test_partners.changed_at', 'partners.name'])
    .where('of_partner_id', '=', partnerId)
    .executeTakeFirst()
}

function refuseMembers({ role }: StaffCaller): void {
  if (role !== 'admin') refuse('forbidden', 'Only an admin concerns themselves with the test partner')
}
