/** Uploads that were refused because their key was revoked: the file stays for some days, so that the operator can release it. */

import { refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { change } from '../core/transaction.ts'
import { findIntake, type IntakeRecord } from './intakes.ts'
import type { KeptOptions } from './uploads.ts'

const heldDays = 7

/** The file has its turn again, as if its key were in use. */
export function releaseUpload(caller: OperatorCaller, id: number): Promise<IntakeRecord> {
  return change(caller, async (tx) => {
    const intake = await findIntake(caller, id, tx)
    const held = tx.selectFrom('intake_tasks').select('options').where('intake_id', '=', id).where('task', '=', 'held')
    const { options } =
      (await held.executeTakeFirst()) ??
      refuse('conflict', `Only a file that was refused because its key was revoked can be released, within ${heldDays} days`)
    const released: KeptOptions = { ...(JSON.parse(options) as KeptOptions), isReleased: true }
    const task = { task: 'store', options: JSON.stringify(released), attempts: 0, seen_at: caller.app.clock.now() }
    await tx.updateTable('intake_tasks').set(task).where('intake_id', '=', id).execute()
    await tx.updateTable('intakes').set({ state: 'waiting', refused: 0, faults: null, ended_at: null }).where('id', '=', id).execute()
    await audit(tx, caller, 'intake.release', intake)
    return findIntake(caller, id, tx)
  })
}

/** After some days nobody misses them; without their tasks the files are deleted like others that nobody names. */
export async function dropHeldUploads({ store, clock }: App): Promise<void> {
  const before = secondsAfter(clock.now(), -heldDays * 86_400)
  const old = store.db
    .selectFrom('intake_tasks')
    .innerJoin('intakes', 'intakes.id', 'intake_tasks.intake_id')
    .select('intake_id')
    .where('task', '=', 'held')
    .where('ended_at', '<', before)
  const ids = (await old.execute()).map(({ intake_id }) => intake_id)
  if (ids.length === 0) return
  await store.write((tx) => tx.deleteFrom('intake_tasks').where('intake_id', 'in', ids).where('task', '=', 'held').execute())
}
