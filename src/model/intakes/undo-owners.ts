/** Undoes the creation of businesses, sites, competitors and keywords, unless something hangs on them by now. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { Managing } from '../core/tenancy.ts'
import type { OwnerKind } from '../imports/journal.ts'
import { heldAmong, removableTables } from '../partners/dependents.ts'
import { removeAll } from '../partners/removal.ts'
import type { StepOutcome } from './step-outcome.ts'

const nouns: Partial<Record<OwnerKind, 'Business' | 'Site'>> = { business: 'Business', site: 'Site' }

export async function undoOwners(
  caller: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  kind: OwnerKind,
  ids: readonly number[],
): Promise<StepOutcome> {
  const { engine, lock } = caller.app.store
  const noun = nouns[kind]
  // Nobody hangs anything on them from here on; those of measured data are locked with their account.
  if (noun !== undefined) for (const id of ids) await lock(tx, removableTables[kind], id)
  const held = await heldAmong(engine, tx, kind, accountId, ids)
  const free = ids.filter((id) => !held.has(id))
  for (const id of await removeAll(engine, tx, kind, accountId, free)) {
    if (noun !== undefined) await audit(tx, caller, { action: `${kind}.delete`, subject_type: noun, subject_id: id, account_id: accountId })
  }
  return { undone: free.length, left: ids.filter((id) => held.has(id)).map((id) => ({ kind, what: `${kind} ${id}` })) }
}
