/** A database whose statements let others have the event loop once a slice is used up: SQLite answers at once, and a row of its statements would be one long turn. */

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

/** For work that takes many statements; small requests need no pause. */
export function inSlices(db: Kysely<Tables>): Kysely<Tables> {
  return db.withPlugin(pausing)
}
