/** Keeps files that came together, and what is said of them, until they are stored, thrown away or forgotten. */

import type { Kysely } from 'kysely'
import { refuse } from '../../../lib/failures.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { change, refuseMeanwhile } from '../../core/transaction.ts'
import { shownNames } from '../file-names.ts'
import { hostOf, removeUpload } from '../upload-files.ts'
import {
  type DeliveredFile,
  type Delivery,
  type DeliveryOptions,
  deliveriesOf,
  findDelivery,
  isOpen,
  packedFiles,
} from './delivered-files.ts'
import type { SortedFile } from './sorting.ts'
import type { Whose } from './whose.ts'

export const keptDays = 7
const mostKept = 20

/** Once this has returned, nothing of it is lost when the page is closed. */
export async function keepDelivery(
  caller: StaffCaller,
  sorted: readonly SortedFile[],
  options: DeliveryOptions,
  /** What the sender has said of all of them; else it is guessed. */
  said: Whose | null,
): Promise<number> {
  const { app, partnerId, userId } = caller
  const names = await shownNames(
    app,
    sorted.map(({ name }) => name),
  )
  const files = sorted.map(({ at: _, ...one }, place): DeliveredFile => {
    return { ...one, name: names[place] as string, whose: said ?? one.whose, words: {}, isLeftOut: false, intake: null, trial: null }
  })
  const now = app.clock.now()
  return change(caller, async (tx) => {
    const kept = tx.selectFrom('deliveries').select('id').where('partner_id', '=', partnerId).where('expires_at', '>', now)
    if ((await kept.limit(mostKept).execute()).length >= mostKept)
      refuse('too_many_requests', 'Too many files wait to be looked through; store some of them first, or throw them away')
    const { id } = await tx
      .insertInto('deliveries')
      .values({
        partner_id: partnerId,
        user_id: userId,
        options: JSON.stringify(options),
        files: packedFiles(files),
        version: 1,
        created_at: now,
        expires_at: secondsAfter(now, keptDays * 86_400),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, caller, 'partner.receive_files', { id: partnerId }, { after: { files: files.map(({ name }) => name) } })
    return id
  })
}

/** What a change leaves of a delivery. */
type Changed = Partial<Pick<Delivery, 'options' | 'files'>>

/** Refused where it was changed since the caller has seen it. */
export function changeDelivery(
  caller: StaffCaller,
  id: number,
  version: number,
  work: (delivery: Delivery, tx: Kysely<Tables>) => Promise<Changed> | Changed,
): Promise<void> {
  return change(caller, async (tx) => {
    const mine = deliveriesOf(caller, tx).select('deliveries.id').where('deliveries.id', '=', id)
    const counted = tx
      .updateTable('deliveries')
      .set({ version: version + 1 })
      .where('id', 'in', mine)
      .where('version', '=', version)
    const isFresh = (await counted.executeTakeFirst()).numUpdatedRows > 0n
    const delivery = await findDelivery(caller, id, tx)
    if (!isFresh) refuseMeanwhile()
    const { options, files } = await work(delivery, tx)
    const rest = { ...(options && { options: JSON.stringify(options) }), ...(files && { files: packedFiles(files) }) }
    if (Object.keys(rest).length > 0) await tx.updateTable('deliveries').set(rest).where('id', '=', id).execute()
  })
}

/** What is not stored yet is gone. */
export async function throwAway(caller: StaffCaller, id: number, version: number): Promise<void> {
  let left: readonly DeliveredFile[] = []
  await changeDelivery(caller, id, version, async ({ files }, tx) => {
    left = files.filter(isOpen)
    const { partnerId } = caller
    await tx.deleteFrom('deliveries').where('id', '=', id).execute()
    await audit(tx, caller, 'partner.discard_files', { id: partnerId }, { after: { files: left.map(({ name }) => name) } })
    return {}
  })
  await removeFiles(caller.app, left)
}

/** Files that nobody has stored in time; each host removes those on its own disk. */
export async function forgetDeliveries(app: App): Promise<void> {
  const now = app.clock.now()
  await app.store.write((tx) => tx.deleteFrom('deliveries').where('expires_at', '<=', now).execute())
}

async function removeFiles({ settings }: App, files: readonly DeliveredFile[]): Promise<void> {
  const here = hostOf(settings)
  for (const { file } of files) if (file !== null && file.host === here) await removeUpload(settings, file.name)
}
