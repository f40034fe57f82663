/** Explains why a key is refused, or what it may do, so that the operator can answer a partner. */

import type { Kysely } from 'kysely'
import { numberOf } from '../../../lib/secrets.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { OperatorCaller } from '../../core/caller.ts'
import { defaultLimits } from '../partners.ts'
import { keyScopes } from './keys.ts'

export interface KeyExplained {
  readonly key: string
  readonly partner_id: number | null
  readonly partner: string | null
  readonly works: boolean
  /** Sentences, the most important first. */
  readonly reasons: readonly string[]
}

export async function explainKey({ app }: OperatorCaller, publicPart: string): Promise<KeyExplained> {
  const row = await keyRow(app.store.db, publicPart)
  const named = { key: publicPart, partner_id: row?.partner_id ?? null, partner: row?.partner_name ?? null }
  if (row === undefined) return { ...named, works: false, reasons: [unknown] }
  const isRetired = app.secrets.knows(row.key_hash) && !app.secrets.isInUse(row.key_hash)
  const refusals = [
    ...(row.revoked_at === null ? [] : [`It was revoked at ${row.revoked_at}${await byWhom(app.store.db, 'Key', row.id, 'key.revoke')}.`]),
    ...(row.expires_at === null || row.expires_at > app.clock.now() ? [] : [`It expired at ${row.expires_at}.`]),
    ...(row.state === 'active' ? [] : [`The partner ${row.partner_name} is suspended${await suspended(app.store.db, row.partner_id)}.`]),
    ...(isRetired ? [`It was last used under the server secret ${numberOf(row.key_hash)}, which is retired: issue a new key.`] : []),
  ]
  return { ...named, works: refusals.length === 0, reasons: [...refusals, ...(refusals.length === 0 ? whatItMay(row) : [])] }
}

const unknown =
  'There is no such key in this database: it was mistyped, it is of another installation, or a backup from before it was issued has been restored.'

type KeyFound = NonNullable<Awaited<ReturnType<typeof keyRow>>>

function keyRow(db: Kysely<Tables>, publicPart: string) {
  return db
    .selectFrom('keys')
    .innerJoin('partners', 'partners.id', 'keys.partner_id')
    .select(['keys.id', 'keys.partner_id', 'key_hash', 'scopes', 'keys.expires_at', 'revoked_at', 'last_used_at'])
    .select(['partners.name as partner_name', 'state', 'key_alone', 'reads_per_minute', 'writes_per_minute'])
    .where('public_part', '=', publicPart)
    .executeTakeFirst()
}

function whatItMay({ scopes, expires_at, last_used_at, key_alone, reads_per_minute, writes_per_minute }: KeyFound): string[] {
  const missing = keyScopes.filter((scope) => !scopes.split(' ').includes(scope))
  const [reads, writes] = [reads_per_minute ?? defaultLimits.readsPerMinute, writes_per_minute ?? defaultLimits.writesPerMinute]
  return [
    'The key is valid: a request that is refused with 401 came with another password, or with none where one is needed.',
    `Its scopes are ${scopes.replaceAll(' ', ', ')}${missing.length === 0 ? '' : `; what needs ${missing.join(', ')} is refused with 403`}.`,
    key_alone === 1
      ? 'Without the password it reads reports and nothing else.'
      : 'Without the password it is refused everywhere, as `partner set --key-alone off` says.',
    `All keys of the partner together may read ${perMinute(reads)} and write ${perMinute(writes)}; beyond that requests are refused with 429.`,
    last_used_at === null ? 'It has never been used.' : `It was last used at ${last_used_at}.`,
    ...(expires_at === null ? [] : [`It expires at ${expires_at}.`]),
  ]
}

function perMinute(limit: number): string {
  return limit === 0 ? 'without limit' : `${limit} times a minute`
}

async function suspended(db: Kysely<Tables>, partnerId: number): Promise<string> {
  const entry = await lastEntry(db, 'Partner', partnerId, 'partner.suspend')
  return entry === undefined ? '' : ` since ${entry.at}, by ${entry.actor}`
}

async function byWhom(db: Kysely<Tables>, subjectType: string, id: number, action: string): Promise<string> {
  const entry = await lastEntry(db, subjectType, id, action)
  return entry === undefined ? '' : ` by ${entry.actor}`
}

function lastEntry(db: Kysely<Tables>, subjectType: string, id: number, action: string) {
  return db
    .selectFrom('audit_entries')
    .select(['at', 'actor'])
    .where('subject_type', '=', subjectType)
    .where('subject_id', '=', id)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
