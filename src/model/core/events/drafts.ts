/** Events are written in the transaction of the change, without a place: the transaction may commit later than others that began after it. */

import { randomBytes } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import type { EventName } from '../../../resources/event.ts'
import { repeatedInsert } from '../../../store/repeated-inserts.ts'
import type { EventDraftRow } from '../../../store/rows/events.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { toldActions } from './told-actions.ts'

export interface NewEvent {
  readonly type: EventName
  readonly at: string
  readonly record_id: number
  /** What is left out is found by the record when the event gets its place. */
  readonly partner_id?: number | null
  readonly account_id?: number | null
  readonly changed?: string | null
}

export async function draftEvents(tx: Kysely<Tables>, some: readonly NewEvent[]): Promise<void> {
  if (some.length === 0) return
  const rows = some.map(({ partner_id = null, account_id = null, changed = null, ...event }) => {
    return { uid: randomBytes(16).toString('base64url'), partner_id, account_id, changed, ...event }
  })
  // Nearly every change tells one event, and its statement is built once.
  await (rows.length === 1 ? insertOne(tx, rows) : tx.insertInto('event_drafts').values(rows).execute())
}

const columns = ['uid', 'type', 'at', 'record_id', 'partner_id', 'account_id', 'changed'] as const
const insertOne = repeatedInsert(columns, (db, rows) => db.insertInto('event_drafts').values(rows as readonly Insertable<EventDraftRow>[]))

interface AuditedChange {
  readonly subject_id: number | null
  readonly partner_id: number | null
  readonly account_id: number | null
  readonly at: string
  readonly before?: object | undefined
  readonly after?: object | undefined
}

/** What is told of audited changes, if anything. */
export function eventsOf(action: string, changes: readonly AuditedChange[]): NewEvent[] {
  const told = toldActions[action]
  if (told === undefined) return []
  const { type, onlyWith } = told
  return changes.flatMap(({ subject_id, before, after, ...rest }) => {
    const changed = told.changed ?? changedNames(before, after)
    const isTold = subject_id !== null && (onlyWith === undefined || changed?.split(',').includes(onlyWith))
    return isTold ? [{ type, record_id: subject_id, changed, at: rest.at, partner_id: rest.partner_id, account_id: rest.account_id }] : []
  })
}

/** Follow from every change. */
const implied = new Set(['updated_at', 'updated_by'])

/** Of a record that was there before and after. */
function changedNames(before: object | undefined, after: object | undefined): string | null {
  if (before === undefined || after === undefined || Array.isArray(before) || Array.isArray(after)) return null
  const [was, is] = [before as Readonly<Record<string, unknown>>, after as Readonly<Record<string, unknown>>]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !implied.has(name))
  const changed = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
  return changed.length === 0 ? null : changed.join()
}
