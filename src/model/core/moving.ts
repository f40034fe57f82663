/** The state of a move to another database, stored in both databases, so that neither is served while it is incomplete or outdated. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { movingFact } from '../../store/bulk/bulk.ts'
import type { TableProof } from '../../store/bulk/copy-table.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Store } from '../../store/store.ts'
import { readStoredValue, setStoredValue } from './stored-values.ts'

export interface Moving {
  /** Identifies the move; the same in both databases. */
  readonly id: string
  readonly role: 'source' | 'target'
  /** `moved` is set in a source whose data is complete in the other database. */
  readonly state: 'moving' | 'moved'
  /** The other database. */
  readonly place: string
  readonly began_at: string
  /** In a target: the tables that were found equal on both sides. */
  readonly proven: Readonly<Record<string, TableProof>>
}

export async function readMoving(db: Kysely<Tables>): Promise<Moving | undefined> {
  const value = await readStoredValue(db, movingFact)
  return value === undefined ? undefined : (JSON.parse(value) as Moving)
}

export function setMoving(tx: Kysely<Tables>, moving: Moving): Promise<void> {
  return setStoredValue(tx, movingFact, JSON.stringify(moving))
}

export async function forgetMoving(tx: Kysely<Tables>): Promise<void> {
  await tx.deleteFrom('facts').where('name', '=', movingFact).execute()
}

/** Refuses a target that is incomplete, and a source that was moved away. During the move, the source can still be read. */
export async function refuseMovedDatabase({ db, engine }: Store): Promise<void> {
  const moving = await readMoving(db)
  if (moving?.role === 'target')
    refuse(
      'unavailable',
      `The database ${engine.place} is not whole yet: it is being filled from ${moving.place}. Run marquee move there again.`,
    )
  if (moving?.state === 'moved')
    refuse('unavailable', `The database ${engine.place} was moved to ${moving.place}: use that one, and delete this one.`)
}
