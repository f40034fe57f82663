/** Keys, which identify a partner: issued, listed, rotated and revoked; only their hashes are stored. */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../../lib/failures.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { type Action, audit, auditAll } from '../../core/audit.ts'
import type { KeyScope, OperatorCaller, PartnerCaller } from '../../core/caller.ts'
import { writeLate } from '../../core/late-writes.ts'
import type { Managing } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import { makeKey, makePassword, makePublicPart } from './key-format.ts'

export const keyScopes: readonly KeyScope[] = ['provision', 'report', 'read', 'ingest', 'login_link', 'keys', 'staff', 'events']
export const usualScopes: readonly KeyScope[] = ['provision', 'report']
const secondsPerDay = 86_400

export interface Key {
  readonly id: number
  readonly partner_id: number
  readonly public_part: string
  readonly label: string
  readonly scopes: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
  /** 1 if an agent may write with it without a dry run first. */
  readonly writes_directly: 0 | 1
  /** The key with which it was issued; null if the operator issued it. */
  readonly issued_by: number | null
  readonly account_ids: string | null
}

/** A new key with its secrets, which are shown only once. */
export interface FreshKey {
  readonly key: string
  readonly password: string
  readonly record: Key
}

export interface NewKey {
  readonly label?: string
  readonly scopes?: readonly KeyScope[]
  readonly expires_at?: string | null
  readonly writes_directly?: 0 | 1
  readonly issued_by?: number | null
  readonly account_ids?: string | null
}

export const keyColumns = [
  'id',
  'partner_id',
  'public_part',
  'label',
  'scopes',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
  'writes_directly',
  'issued_by',
  'account_ids',
] as const

export function issueKey(caller: OperatorCaller, partnerId: number, wish: NewKey = {}): Promise<FreshKey> {
  return change(caller, async (tx) => {
    const partner = await tx.selectFrom('partners').select('id').where('id', '=', partnerId).executeTakeFirst()
    return partner === undefined ? notFound('partner') : insertKey(tx, caller, partnerId, wish)
  })
}

export async function insertKey(tx: Kysely<Tables>, caller: Managing, partnerId: number, wish: NewKey): Promise<FreshKey> {
  const { app } = caller
  const public_part = makePublicPart()
  const [key, password] = [makeKey(public_part), makePassword()]
  const record = await tx
    .insertInto('keys')
    .values({
      partner_id: partnerId,
      public_part,
      key_hash: hashKey(app, key),
      password_hash: hashKey(app, password),
      label: wish.label ?? '',
      scopes: (wish.scopes ?? usualScopes).join(' '),
      created_at: app.clock.now(),
      expires_at: wish.expires_at ?? null,
      writes_directly: wish.writes_directly ?? 0,
      issued_by: wish.issued_by ?? null,
      account_ids: wish.account_ids ?? null,
    })
    .returning(keyColumns)
    .executeTakeFirstOrThrow()
  await audit(tx, caller, 'key.issue', { id: record.id, partner_id: partnerId }, { after: record })
  return { key, password, record }
}

export async function listKeys(caller: OperatorCaller, partnerId?: number): Promise<Key[]> {
  const keys = caller.app.store.db.selectFrom('keys').select(keyColumns).orderBy('id')
  return partnerId === undefined ? keys.execute() : keys.where('partner_id', '=', partnerId).execute()
}

/** Creates a key like the old one that expires no later; the old one stays valid for a while, so that clients can switch. */
export function rotateKey(caller: OperatorCaller, publicPart: string, graceDays?: number): Promise<FreshKey> {
  return change(caller, async (tx) => replaceKey(tx, caller, await keyNamed(tx, publicPart), graceDays))
}

/** Keys that the old key issued, and sources that it made, belong to the new one from now on. */
export async function replaceKey(tx: Kysely<Tables>, caller: Managing, old: Key, graceDays = 7): Promise<FreshKey> {
  const { clock } = caller.app
  if (!isLive(old, clock.now())) refuse('conflict', `The key ${old.public_part} is no longer valid: issue a new one instead`)
  const ends = secondsAfter(clock.now(), graceDays * secondsPerDay)
  await update(tx, caller, 'key.rotate', old, { expires_at: old.expires_at !== null && old.expires_at < ends ? old.expires_at : ends })
  const { id: _old, scopes, ...like } = old
  const fresh = await insertKey(tx, caller, old.partner_id, { ...like, scopes: scopes.split(' ') as KeyScope[] })
  await tx.updateTable('keys').set({ issued_by: fresh.record.id }).where('issued_by', '=', old.id).execute()
  await tx.updateTable('data_sources').set({ made_by_key: fresh.record.id }).where('made_by_key', '=', old.id).execute()
  return fresh
}

/** Once this returns, no request is served with the key; a repetition changes nothing. */
export function revokeKey(caller: OperatorCaller, publicPart: string): Promise<Key> {
  return change(caller, async (tx) => endKey(tx, caller, await keyNamed(tx, publicPart)))
}

/** Revokes the key and all keys issued with it. */
export async function endKey(tx: Kysely<Tables>, caller: Managing, key: Key): Promise<Key> {
  // The key is updated first: a request that is just issuing with it holds its row, so that its new key is seen here.
  const ended = key.revoked_at === null ? await update(tx, caller, 'key.revoke', key, { revoked_at: caller.app.clock.now() }) : key
  await endIssued(tx, caller, [key.id])
  return ended
}

/** What a key sent before it expired or was rotated is trusted; one that was revoked may have been in wrong hands. */
export async function isKeyRevoked({ app, keyId }: PartnerCaller): Promise<boolean> {
  const keys = app.store.db.selectFrom('keys').select('revoked_at').where('id', '=', keyId)
  return ((await keys.executeTakeFirst())?.revoked_at ?? null) !== null
}

/** The keys issued with these, and in turn those issued with them. */
async function endIssued(tx: Kysely<Tables>, caller: Managing, by: readonly number[]): Promise<void> {
  const live = await tx.selectFrom('keys').select(keyColumns).where('issued_by', 'in', by).where('revoked_at', 'is', null).execute()
  if (live.length === 0) return
  const ids = live.map(({ id }) => id)
  const revoked_at = caller.app.clock.now()
  await tx.updateTable('keys').set({ revoked_at }).where('id', 'in', ids).execute()
  const changes = live.map((before) => ({ subject: subjectOf(before), before, after: { ...before, revoked_at } }))
  await auditAll(tx, caller, 'key.revoke', changes)
  await endIssued(tx, caller, ids)
}

/** Parses the column's format: `7,9`. */
export function idsIn(text: string): number[] {
  return text.split(',').map(Number)
}

export function isLive({ revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>, now: string): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now)
}

export function hashKey({ secrets }: App, keyOrPassword: string): string {
  return secrets.hmac('lookup', keyOrPassword)
}

/** Hashes a key again under the current server secret, and its password if it was sent. The write happens after the request is answered. */
export function moveKey(app: App, { id, key_hash }: { id: number; key_hash: string }, key: string, password: string | null): void {
  const fresh = { key_hash: hashKey(app, key), ...(password !== null && { password_hash: hashKey(app, password) }) }
  writeLate(app, (tx) => tx.updateTable('keys').set(fresh).where('id', '=', id).where('key_hash', '=', key_hash).execute())
}

async function keyNamed(tx: Kysely<Tables>, publicPart: string): Promise<Key> {
  return (await tx.selectFrom('keys').select(keyColumns).where('public_part', '=', publicPart).executeTakeFirst()) ?? notFound('key')
}

async function update(tx: Kysely<Tables>, caller: Managing, action: Action, before: Key, values: Partial<Key>): Promise<Key> {
  const after = await tx.updateTable('keys').set(values).where('id', '=', before.id).returning(keyColumns).executeTakeFirstOrThrow()
  await audit(tx, caller, action, subjectOf(before), { before, after })
  return after
}

function subjectOf({ id, partner_id }: Key) {
  return { id, partner_id }
}
