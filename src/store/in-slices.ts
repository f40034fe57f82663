/** A database that yields to the event loop once a time slice is used up: SQLite answers synchronously, so a series of statements would block the loop. */

import type { Kysely } from 'kysely'
import { endOfSlice } from '../lib/work/slices.ts'
import { pausing } from './pausing.ts'
import type { Tables } from './rows/tables.ts'

/** For work of many statements; small requests need no pause. */
export function inSlices(db: Kysely<Tables>): Kysely<Tables> {
  return pausing(db, endOfSlice)
}
