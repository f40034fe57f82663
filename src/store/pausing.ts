/** A database that pauses after each statement: SQLite answers within the call, so a series of statements would hold up whoever shares the thread. */

import type { Kysely } from 'kysely'
import type { Tables } from './rows/tables.ts'

/** Once `pause` throws, the statement fails, so that no work is done for a client who has gone. */
export function pausing(db: Kysely<Tables>, pause: () => Promise<void> | undefined): Kysely<Tables> {
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const waiting = pause()
      if (waiting !== undefined) await waiting
      return result
    },
  })
}
