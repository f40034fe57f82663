/** The feed: what happened at a partner, in the order in which it was committed, for keys that may see it. */

import type { Kysely } from 'kysely'
import { refuse } from '../../../lib/failures.ts'
import { type Event, type EventName, eventNames, type Feed } from '../../../resources/event.ts'
import type { EventRow } from '../../../store/rows/events.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import { lastEvent } from '../../core/events/order.ts'
import { cursorAfter, placeOfCursor } from './cursors.ts'

type Db = Kysely<Tables>

export interface FeedQuery {
  readonly after?: string | undefined
  readonly types?: string | undefined
  readonly account_id?: number | undefined
}

const mostEvents = 100
/** A rare type is searched for among this many events of the partner at a time. */
const searchedAtOnce = 2_000

export async function readFeed(caller: PartnerCaller, query: FeedQuery): Promise<Feed> {
  const types = typesIn(query.types)
  return caller.app.store.snapshot(async (db) => {
    const last = await lastEvent(db)
    const after = await placeOfCursor(db, query.after)
    const some = await eventsAfter(db, caller, after, types, query.account_id)
    const events = some.rows.map(shown)
    const goesOnAfter = some.end ?? last
    return { cursor: goesOnAfter === undefined ? cursorAfter(undefined) : cursorAfter(goesOnAfter), more: some.end !== undefined, events }
  })
}

/** Whether there may be something to read; asked by whoever waits. */
export async function isAnyEventAfter(caller: PartnerCaller, query: FeedQuery): Promise<boolean> {
  const { events, more } = await readFeed(caller, query)
  return events.length > 0 || more
}

/** `user.*` names all types that begin so; null means all. */
export function typesIn(text: string | undefined): readonly EventName[] | null {
  if (text === undefined) return null
  const words = text.split(',').map((word) => word.trim())
  return words.flatMap((word) => {
    const named = eventNames.filter((name) => name === word || word === '*' || (word.endsWith('.*') && name.startsWith(word.slice(0, -1))))
    return named.length > 0 ? named : refuse('bad_request', `types must be among ${eventNames.join(', ')}, or such as user.*`)
  })
}

interface Found {
  readonly rows: EventRow[]
  /** The last event that was looked at, where there may be more; undefined where all have been. */
  readonly end: Pick<EventRow, 'place' | 'uid'> | undefined
}

async function eventsAfter(
  db: Db,
  { partnerId, accountIds }: PartnerCaller,
  after: number,
  types: readonly EventName[] | null,
  accountId: number | undefined,
): Promise<Found> {
  const searched = db.selectFrom('events').select(['place', 'uid']).where('partner_id', '=', partnerId).where('place', '>', after)
  const [end] = await searched
    .orderBy('place')
    .offset(searchedAtOnce - 1)
    .limit(1)
    .execute()
  let events = db.selectFrom('events').selectAll().where('partner_id', '=', partnerId).where('place', '>', after)
  if (end !== undefined) events = events.where('place', '<=', end.place)
  if (types !== null) events = events.where('type', 'in', types)
  if (accountIds !== null) events = events.where('account_id', 'in', accountIds)
  if (accountId !== undefined) events = events.where('account_id', '=', accountId)
  const rows = await events
    .orderBy('place')
    .limit(mostEvents + 1)
    .execute()
  return rows.length > mostEvents ? { rows: rows.slice(0, mostEvents), end: rows[mostEvents - 1] } : { rows, end }
}

function shown(row: EventRow): Event {
  const { uid, type, at, account_id, record_id, changed } = row
  return { id: `evt_${uid}`, type: type as EventName, created_at: at, account_id, record_id, changed, cursor: cursorAfter(row) }
}
