/** Undoes the creation of businesses, sites, competitors and keywords, unless something hangs on them by now. */

import type { Kysely } from 'kysely'
import { livingAmong } from '../../store/living-owners.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { auditAll } from '../core/audit.ts'
import type { Managing } from '../core/tenancy.ts'
import type { OwnerKind } from '../imports/journal/journal.ts'
import { heldAmong, removableTables } from '../partners/dependents.ts'
import { removeAll } from '../partners/removal.ts'
import type { StepOutcome } from './step-outcome.ts'

export async function undoOwners(
  caller: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  kind: OwnerKind,
  ids: readonly number[],
): Promise<StepOutcome> {
  const { engine, lockAll } = caller.app.store
  const isShared = kind === 'business' || kind === 'site'
  // Nobody hangs anything on them from here on; those of measured data are locked with their account.
  if (isShared) await lockAll(tx, removableTables[kind], ids)
  const held = await heldAmong(engine, tx, kind, accountId, [...(await livingAmong(tx, removableTables[kind], accountId, ids))])
  const free = ids.filter((id) => !held.has(id))
  const gone = await removeAll(engine, tx, kind, accountId, free)
  if (isShared && gone.length > 0) {
    const changes = gone.map((id) => ({ subject: { id, account_id: accountId } }))
    await auditAll(tx, caller, `${kind}.delete`, changes)
  }
  return { undone: free.length, left: ids.filter((id) => held.has(id)).map((id) => ({ kind, what: `${kind} ${id}` })) }
}
