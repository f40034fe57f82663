/** The audit log: records every change (who, what, before and after) in the same transaction as the change itself. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { Caller } from './caller.ts'

interface Entry {
  /** The action as `noun.verb`: `business.deactivate`. */
  readonly action: string
  readonly subject_type: string
  readonly subject_id: number | null
  readonly account_id?: number
  /** The partner concerned, if the caller is not a partner. */
  readonly partner_id?: number
  readonly before?: object
  readonly after?: object
}

/** Columns that are never recorded, in whatever row they occur. */
const unspoken = new Set([
  'password',
  'verifier',
  'key_hash',
  'password_hash',
  'crypted_password',
  'salt',
  'activation_code',
  'password_reset_code',
  'remember_token',
  'remember_token_expires_at',
])

export function audit(tx: Kysely<Tables>, caller: Caller, entry: Entry): Promise<void> {
  return auditAll(tx, caller, [entry])
}

/** For many changes in few statements; each entry is about another subject. */
export async function auditAll(tx: Kysely<Tables>, caller: Caller, entries: readonly Entry[]): Promise<void> {
  const details = new Map(entries.map(({ subject_id, before, after }) => [subject_id, detailOf(before, after)]))
  const rows = entries.map(({ before: _before, after: _after, ...entry }) => rowOf(caller, entry, details.get(entry.subject_id) ?? null))
  const made = await tx.insertInto('audit_entries').values(rows).returning(['id', 'subject_id']).execute()
  const spoken = made.flatMap(({ id, subject_id }) => {
    const detail = details.get(subject_id) ?? null
    return detail === null ? [] : [{ entry_id: id, detail }]
  })
  if (spoken.length > 0) await tx.insertInto('audit_details').values(spoken).execute()
}

function rowOf(caller: Caller, entry: Omit<Entry, 'before' | 'after'>, detail: string | null) {
  return {
    ...entry,
    at: caller.app.clock.now(),
    partner_id: caller.kind === 'operator' ? (entry.partner_id ?? null) : caller.partnerId,
    account_id: entry.account_id ?? null,
    actor: actorOf(caller),
    request_id: caller.requestId,
    // A keyed hash, because a plain hash of a short personal value could be guessed after the value is erased.
    detail_hash: detail === null ? null : caller.app.secrets.hmac('audit', detail),
  }
}

function detailOf(before: object | undefined, after: object | undefined): string | null {
  return before === undefined && after === undefined ? null : JSON.stringify({ before, after }, withoutSecrets)
}

export function actorOf(caller: Caller): string {
  if (caller.kind === 'partner') return `partner:${caller.partnerId} key:${caller.keyName}`
  return caller.kind === 'person' ? `user:${caller.userId}` : 'operator'
}

function withoutSecrets(name: string, value: unknown): unknown {
  return unspoken.has(name) ? undefined : value
}
