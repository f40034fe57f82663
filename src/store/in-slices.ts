/** A database that yields to the event loop once a time slice is used up: SQLite answers synchronously, so a series of statements would block the loop. */

import type { Kysely, KyselyPlugin } from 'kysely'
import { endOfSlice } from '../lib/work/slices.ts'
import type { Tables } from './rows/tables.ts'

const pausing: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    await endOfSlice()
    return result
  },
}

/** For work of many statements; small requests need no pause. */
export function inSlices(db: Kysely<Tables>): Kysely<Tables> {
  return db.withPlugin(pausing)
}
