/** Keys that a partner issues with a key of its own: with at most its scopes and accounts, and never the right to issue more or to decide about staff. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../../fields/read.ts'
import { type FieldError, notFound, refuse } from '../../../lib/failures.ts'
import { textKinds } from '../../../lib/text-kinds.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import {
  type FreshPartnerKey,
  type KeyRotation,
  keyRotation,
  type NewPartnerKey,
  newPartnerKey,
  type PartnerKey,
  partnerKey,
} from '../../../resources/key.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { KeyScope, PartnerCaller, StaffCaller } from '../../core/caller.ts'
import { type ListPage, page } from '../../core/paging.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import { endKey, type FreshKey, insertKey, type Key, keyColumns, replaceKey } from './keys.ts'

type Db = Kysely<Tables>

export async function issueOwnKey(caller: PartnerCaller, draft: Draft<NewPartnerKey>): Promise<FreshPartnerKey> {
  const given = caller.scopes.filter((scope) => scope !== 'keys' && scope !== 'staff')
  const scopes = scopeWordsIn(given, draft.values.scopes)
  const accounts = await accountsIn(caller, draft.values.account_ids)
  const input = complete(newPartnerKey, draft, [...scopes.faults, ...accounts.faults])
  return change(caller, async (tx) => {
    const wish = { label: input.label ?? '', scopes: scopes.words, account_ids: accounts.ids, issued_by: caller.keyId }
    const expires_at = await endOf(tx, caller, input.days)
    return shownOnce(await insertKey(tx, caller, caller.partnerId, { ...wish, expires_at }))
  })
}

/** The caller's key, and those that were issued with it. */
export function listOwnKeys(caller: PartnerCaller, after?: string): Promise<ListPage<PartnerKey>> {
  return page(ownKeys(caller, caller.app.store.db).select(shownColumns), after)
}

export async function findOwnKey(caller: PartnerCaller, id: number): Promise<PartnerKey> {
  return (await ownKeys(caller, caller.app.store.db).select(shownColumns).where('id', '=', id).executeTakeFirst()) ?? notFound('key')
}

export async function rotateOwnKey(caller: PartnerCaller, id: number, draft: Draft<KeyRotation>): Promise<FreshPartnerKey> {
  await findOwnKey(caller, id)
  const { grace_days } = complete(keyRotation, draft)
  return change(caller, async (tx) => shownOnce(await replaceKey(tx, caller, await lockOwnKey(tx, caller, id), grace_days)))
}

/** Revokes a key and all keys issued with it; a key may revoke itself. A repetition changes nothing. */
export function revokeOwnKey(caller: PartnerCaller, id: number): Promise<PartnerKey> {
  return change(caller, async (tx) => shown(await endKey(tx, caller, await lockOwnKey(tx, caller, id))))
}

const shownColumns = Object.keys(partnerKey) as (keyof PartnerKey)[]

function ownKeys({ partnerId, keyId }: PartnerCaller, db: Db) {
  return db
    .selectFrom('keys')
    .where('partner_id', '=', partnerId)
    .where((key) => key.or([key('id', '=', keyId), key('issued_by', '=', keyId)]))
}

async function lockOwnKey(tx: Db, caller: PartnerCaller, id: number): Promise<Key> {
  await caller.app.store.lock(tx, 'keys', id)
  return (await ownKeys(caller, tx).select(keyColumns).where('id', '=', id).executeTakeFirst()) ?? notFound('key')
}

/** Of those that may be given. */
export function scopeWordsIn(given: readonly KeyScope[], text = ''): { words: KeyScope[]; faults: FieldError[] } {
  const words = [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))]
  const isGood = words.every((word) => given.some((scope) => scope === word))
  return { words: words as KeyScope[], faults: isGood ? [] : [{ field: 'scopes', code: 'inclusion', words: given }] }
}

const idList = textKinds.idList(200)

/** The accounts of a new key, which the caller must reach; without a list, those of the caller's key, and all for staff. */
export async function accountsIn(caller: PartnerCaller | StaffCaller, text = ''): Promise<{ ids: string | null; faults: FieldError[] }> {
  if (text === '') return { ids: caller.kind === 'staff' ? null : (caller.accountIds?.join() ?? null), faults: [] }
  const ids = idList.read(text)
  if (ids === undefined) return { ids: null, faults: [{ field: 'account_ids', code: 'invalid' }] }
  const found = await accountsWithin(caller).select('id').where('id', 'in', ids).execute()
  return { ids: ids.join(), faults: found.length === ids.length ? [] : [{ field: 'account_ids', code: 'does_not_exist' }] }
}

/** A key does not outlive the key it was issued with. */
async function endOf(tx: Db, { app, keyId }: PartnerCaller, days: number | undefined): Promise<string | null> {
  await app.store.lock(tx, 'keys', keyId)
  const own = await tx.selectFrom('keys').select(['expires_at', 'revoked_at']).where('id', '=', keyId).executeTakeFirstOrThrow()
  if (own.revoked_at !== null) refuse('forbidden', 'This key has just been revoked')
  const wanted = days === undefined ? null : secondsAfter(app.clock.now(), days * 86_400)
  return [own.expires_at, wanted].filter((end) => end !== null).toSorted()[0] ?? null
}

function shownOnce({ key, password, record }: FreshKey): FreshPartnerKey {
  return { key, password, ...shown(record) }
}

function shown(key: Key): PartnerKey {
  return Object.fromEntries(shownColumns.map((name) => [name, key[name]])) as PartnerKey
}
