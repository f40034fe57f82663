/** Cursors of the feed: a place in the order of events, with a part of the event's random name, by which a place of before a restore is told from the same place now. */

import type { Kysely } from 'kysely'
import { refuse } from '../../../lib/failures.ts'
import type { EventRow } from '../../../store/rows/events.ts'
import type { Tables } from '../../../store/rows/tables.ts'

type Placed = Pick<EventRow, 'place' | 'uid'>

/** Of a log that has no event yet. */
const beginning = 'start'
const markCharacters = 8

/** Goes on after the event; without one, from the beginning. */
export function cursorAfter(event: Placed | undefined): string {
  return event === undefined ? beginning : written('after', event)
}

function written(side: 'after' | 'from', { place, uid }: Placed): string {
  return `${side}-${place}-${uid.slice(0, markCharacters)}`
}

/** The place after which the cursor goes on. A cursor whose event is no longer kept, or was never in this database, is refused with the first one that goes on without a gap. */
export async function placeOfCursor(db: Kysely<Tables>, cursor: string | undefined): Promise<number> {
  const first = (await oldest(db))?.place ?? 1
  if (cursor === undefined) return first - 1
  if (cursor === beginning) return first === 1 ? 0 : refuseGone(db)
  const [, side, place, mark] = cursorShape.exec(cursor) ?? refuse('bad_request', 'The cursor is not one this service gave out.')
  const event = await db.selectFrom('events').select('uid').where('place', '=', Number(place)).executeTakeFirst()
  if (event?.uid.slice(0, markCharacters) !== mark) return refuseGone(db)
  return side === 'after' ? Number(place) : Number(place) - 1
}

const cursorShape = /^(after|from)-([1-9]\d{0,14})-([\w-]{8})$/

async function refuseGone(db: Kysely<Tables>): Promise<never> {
  const event = await oldest(db)
  const first = event === undefined ? beginning : written('from', event)
  return refuse(
    'gone',
    `Events after this cursor are not all kept, or it is of before the database was restored. The first cursor is ${first}`,
    {
      'first-cursor': first,
    },
  )
}

function oldest(db: Kysely<Tables>): Promise<Placed | undefined> {
  return db.selectFrom('events').select(['place', 'uid']).orderBy('place').limit(1).executeTakeFirst()
}
