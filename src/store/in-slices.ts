/** A database that yields to the event loop once a time slice is used up: SQLite answers synchronously, so a series of statements would block the loop. */

import type { Kysely, KyselyPlugin } from 'kysely'
import { tooLong } from '../lib/work/deadline.ts'
import { endOfSlice } from '../lib/work/slices.ts'
import type { Tables } from './rows/tables.ts'

/** For work of many statements; small requests need no pause. Once `isOver`, the next statement fails, so that no work is done for a client who has gone. */
export function inSlices(db: Kysely<Tables>, isOver: () => boolean = () => false): Kysely<Tables> {
  return db.withPlugin(pausing(isOver))
}

function pausing(isOver: () => boolean): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await endOfSlice()
      if (isOver()) throw tooLong()
      return result
    },
  }
}
