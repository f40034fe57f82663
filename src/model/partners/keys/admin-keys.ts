/** The keys of a partner as its admins have them at the desk: all of them, whoever issued them, and new ones with any scope. */

import { complete, type Draft } from '../../../fields/read.ts'
import { notFound, refuse } from '../../../lib/failures.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import { type KeyRotation, keyRotation, type NewPartnerKey, newPartnerKey } from '../../../resources/key.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { change, refuseMeanwhile } from '../../core/transaction.ts'
import { accountsIn, scopeWordsIn } from './issued-keys.ts'
import { endKey, type FreshKey, insertKey, isLive, type Key, keyColumns, keyScopes, replaceKey } from './keys.ts'

export const keysAtOnce = 50

interface Wanted {
  readonly which: 'live' | 'ended'
  /** Only those with a smaller id. */
  readonly before: number | null
}

/** The newest first; one more than are shown tells that there are older ones. */
export function listAllKeys(staff: StaffCaller, { which, before }: Wanted): Promise<Key[]> {
  const now = staff.app.clock.now()
  const keys = allKeys(staff, staff.app.store.db).where((key) => {
    const ended = key.or([key('revoked_at', 'is not', null), key('expires_at', '<=', now)])
    return which === 'ended'
      ? ended
      : key.and([key('revoked_at', 'is', null), key.or([key('expires_at', 'is', null), key('expires_at', '>', now)])])
  })
  const older = before === null ? keys : keys.where('id', '<', before)
  return older
    .select(keyColumns)
    .orderBy('id', 'desc')
    .limit(keysAtOnce + 1)
    .execute()
}

export async function findAnyKey(staff: StaffCaller, id: number): Promise<Key> {
  return (await allKeys(staff, staff.app.store.db).select(keyColumns).where('id', '=', id).executeTakeFirst()) ?? notFound('key')
}

/** By which a key that was issued meanwhile is noticed, and a form that is sent twice. */
export async function newestKey(staff: StaffCaller, db = staff.app.store.db): Promise<number> {
  const { newest } = await allKeys(staff, db)
    .select(({ fn }) => fn.max<number | null>('id').as('newest'))
    .executeTakeFirstOrThrow()
  return newest ?? 0
}

interface Issue {
  /** The newest key when the form was shown. */
  readonly newest: number
  readonly writesDirectly: boolean
}

export async function issueAnyKey(staff: StaffCaller, draft: Draft<NewPartnerKey>, { newest, writesDirectly }: Issue): Promise<FreshKey> {
  refuseUnlessAdmin(staff)
  const scopes = scopeWordsIn(keyScopes, draft.values.scopes)
  const accounts = await accountsIn(staff, draft.values.account_ids)
  const { label = '', days } = complete(newPartnerKey, draft, [...scopes.faults, ...accounts.faults])
  const { app, partnerId } = staff
  return change(staff, async (tx) => {
    await app.store.lock(tx, 'partners', partnerId)
    if ((await newestKey(staff, tx)) !== newest) refuseMeanwhile()
    const expires_at = days === undefined ? null : secondsAfter(app.clock.now(), days * 86_400)
    return insertKey(tx, staff, partnerId, {
      label,
      scopes: scopes.words,
      account_ids: accounts.ids,
      expires_at,
      writes_directly: writesDirectly ? 1 : 0,
    })
  })
}

/** What a form about a key was shown of. */
export function keyState({ expires_at, revoked_at }: Pick<Key, 'expires_at' | 'revoked_at'>): string {
  return `${expires_at ?? 'no end'} ${revoked_at ?? 'in use'}`
}

export async function rotateAnyKey(staff: StaffCaller, id: number, draft: Draft<KeyRotation>, was: string): Promise<FreshKey> {
  const { grace_days } = complete(keyRotation, draft)
  return change(staff, async (tx) => {
    await staff.app.store.lock(tx, 'keys', id)
    const old = (await allKeys(staff, tx).select(keyColumns).where('id', '=', id).executeTakeFirst()) ?? notFound('key')
    if (keyState(old) !== was) refuseMeanwhile()
    return replaceKey(tx, staff, old, grace_days)
  })
}

/** Revokes the key and all keys issued with it. A repetition changes nothing. */
export function revokeAnyKey(staff: StaffCaller, id: number): Promise<Key> {
  return change(staff, async (tx) => {
    await staff.app.store.lock(tx, 'keys', id)
    return endKey(tx, staff, (await allKeys(staff, tx).select(keyColumns).where('id', '=', id).executeTakeFirst()) ?? notFound('key'))
  })
}

/** How many keys in use were issued with each of these. */
export async function countIssued(staff: StaffCaller, id: number): Promise<number> {
  const { app } = staff
  const issued = allKeys(staff, app.store.db).select(['expires_at', 'revoked_at']).where('issued_by', '=', id)
  return (await issued.execute()).filter((key) => isLive(key, app.clock.now())).length
}

function allKeys(staff: StaffCaller, db: StaffCaller['app']['store']['db']) {
  refuseUnlessAdmin(staff)
  return db.selectFrom('keys').where('partner_id', '=', staff.partnerId)
}

function refuseUnlessAdmin({ role }: StaffCaller): void {
  if (role !== 'admin') refuse('forbidden', 'Only an admin of the staff may do that')
}
