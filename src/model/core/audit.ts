/** The audit log: records every change (who, what, before and after) in the same transaction as the change itself, and the event that tells of it. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { Caller } from './caller.ts'
import { draftEvents, eventsOf } from './events/drafts.ts'
import { expectEvent } from './events/order.ts'

/** The type of the subject by the noun of the action: what belongs to a site is recorded with the site, abilities with their user. */
const subjectTypes = {
  abilities: 'User',
  account: 'Account',
  annotation: 'Site',
  business: 'Business',
  competitor: 'Site',
  database: 'Database',
  intake: 'Intake',
  key: 'Key',
  keyword: 'Site',
  location: 'Site',
  page: 'Site',
  partner: 'Partner',
  review: 'Site',
  reviewer: 'Reviewer',
  schedule: 'ReportSchedule',
  secret: 'Secret',
  site: 'Site',
  source: 'Source',
  staff: 'User',
  suppression: 'Suppression',
  switch: 'Switch',
  token: 'Token',
  user: 'User',
} as const

/** `business.deactivate` */
export type Action = `${keyof typeof subjectTypes}.${string}`

export interface Subject {
  readonly id: number | null
  readonly account_id?: number | null | undefined
  /** The partner concerned, if the caller is not a partner. */
  readonly partner_id?: number
}

/** The record, or what changed of it, before and after. */
interface Detail {
  readonly before?: object
  readonly after?: object
}

/** Columns that are never recorded, in whatever row they occur. */
const unspoken = new Set([
  'password',
  'verifier',
  'key_hash',
  'password_hash',
  'token_hash',
  'crypted_password',
  'salt',
  'activation_code',
  'password_reset_code',
  'remember_token',
  'remember_token_expires_at',
])

export function audit(tx: Kysely<Tables>, caller: Caller, action: Action, subject: Subject, detail: Detail = {}): Promise<void> {
  return auditAll(tx, caller, action, [{ subject, ...detail }])
}

/** For many changes in few statements; each is about another subject. */
export async function auditAll(
  tx: Kysely<Tables>,
  caller: Caller,
  action: Action,
  changes: readonly (Detail & { readonly subject: Subject })[],
): Promise<void> {
  const details = new Map(changes.map(({ subject, before, after }) => [subject.id, detailOf(before, after)]))
  const rows = changes.map(({ subject }) => rowOf(caller, action, subject, details.get(subject.id) ?? null))
  const made = await tx.insertInto('audit_entries').values(rows).returning(['id', 'subject_id']).execute()
  const spoken = made.flatMap(({ id, subject_id }) => {
    const detail = details.get(subject_id) ?? null
    return detail === null ? [] : [{ entry_id: id, detail }]
  })
  if (spoken.length > 0) await tx.insertInto('audit_details').values(spoken).execute()
  const told = rows.map((row, index) => ({ ...row, before: changes[index]?.before, after: changes[index]?.after }))
  const events = eventsOf(action, told)
  if (events.length > 0) expectEvent(caller.app)
  await draftEvents(tx, events)
}

function rowOf(caller: Caller, action: Action, { id, account_id, partner_id }: Subject, detail: string | null) {
  return {
    action,
    subject_type: subjectTypes[action.split('.')[0] as keyof typeof subjectTypes],
    subject_id: id,
    at: caller.app.clock.now(),
    partner_id: caller.kind === 'operator' ? (partner_id ?? null) : caller.partnerId,
    account_id: account_id ?? null,
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
  switch (caller.kind) {
    case 'partner':
      return `partner:${caller.partnerId} key:${caller.keyName}`
    case 'staff':
    case 'person':
      return `user:${caller.userId}`
    case 'operator':
      return 'operator'
  }
}

function withoutSecrets(name: string, value: unknown): unknown {
  return unspoken.has(name) ? undefined : value
}
