/**
 * Parked uploads: files that could not be stored for an hour. They let later files pass and never go on by themselves, because a later file may have corrected
 * them: somebody releases them, told what was stored since, or cancels them.
 */

import type { Kysely } from 'kysely'
import { Failure, refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { IntakeTaskRow } from '../../store/rows/intakes.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import { draftEvents } from '../core/events/drafts.ts'
import type { Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { moveIntake } from '../imports/journal/intake-states.ts'
import { findIntake, type IntakeRecord } from './intakes.ts'
import { intakeWord } from './later-intakes.ts'
import { removeUpload } from './upload-files.ts'
import type { KeptOptions } from './uploads.ts'

/** So long a task that fails is tried again. */
const patienceSeconds = 60 * 60
const parkedDays = 30
const heldDays = 7
const mostTold = 10

/** So begins what was stored meanwhile. */
export const sinceItCame = 'Stored since it came'

/** Whether a task has failed for so long that its file is to rest. */
export function hasFailedForLong({ clock }: App, since: string | null): boolean {
  return since !== null && since <= secondsAfter(clock.now(), -patienceSeconds)
}

/** Remembered in the database, so that a process which starts anew goes on counting. */
export async function noteFailure({ store }: App, { intake_id, task }: IntakeTaskRow, since: string, error: unknown): Promise<void> {
  await store.write(async (tx) => {
    const failing = tx.updateTable('intake_tasks').set({ failing_since: since }).where('intake_id', '=', intake_id)
    await failing.where('failing_since', 'is', null).execute()
    if (task !== 'preview')
      await tx
        .updateTable('intakes')
        .set({ reason: reasonOf(task, error) })
        .where('id', '=', intake_id)
        .execute()
  })
}

/** What it has stored is taken back next, before any later file of the partner. */
export async function park({ store }: App, { intake_id }: IntakeTaskRow): Promise<void> {
  await store.write((tx) => moveIntake(tx, intake_id, 'parking'))
}

/** From now on later files pass. */
export async function rest({ store, clock }: App, { intake_id }: IntakeTaskRow): Promise<void> {
  await store.write(async (tx) => {
    if (!(await moveIntake(tx, intake_id, 'parked', { counts: '{}', lines: 0, stored: 0, bytes_read: 0, began_at: null }))) return
    await tx.updateTable('intake_tasks').set({ parked_at: clock.now() }).where('intake_id', '=', intake_id).execute()
    await draftEvents(tx, [{ type: 'intake.parked', record_id: intake_id, at: clock.now() }])
  })
}

function reasonOf(task: string, error: unknown): string {
  const what = task === 'undo' ? 'undoing' : 'storing'
  if (error instanceof Failure && error.code === 'unavailable')
    return `${error.details.sentence ?? 'The database cannot be used'}: ${what} it failed`
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} it failed; the operator finds the cause in the log of the service`
}

/** The file has its turn again; a repetition changes nothing. One that was refused because its key was revoked is stored as if that were in use, which only the operator may decide. */
export function releaseUpload(caller: Managing, id: number): Promise<IntakeRecord> {
  return change(caller, async (tx) => {
    const intake = await findIntake(caller, id, tx)
    if (intake.state === 'waiting') return intake
    const { task, options } = await restingTask(tx, caller, id)
    const isHeld = task === 'held'
    if (isHeld && caller.kind !== 'operator')
      refuse('conflict', `The key of this ${intakeWord(caller)} was revoked: only the operator can release it`)
    const since = await storedSince(tx, intake)
    const told = since === null ? [] : [since]
    const kept = isHeld ? JSON.stringify({ ...(JSON.parse(options) as KeptOptions), isReleased: true }) : options
    const again = { task: 'store', options: kept, attempts: 0, failing_since: null, parked_at: null, seen_at: caller.app.clock.now() }
    await tx.updateTable('intake_tasks').set(again).where('intake_id', '=', id).execute()
    const before = intake.notices.map(({ message }) => message)
    const notices = JSON.stringify([...before, ...told])
    await moveIntake(tx, id, 'waiting', { refused: 0, faults: null, ended_at: null, reason: null, notices })
    await audit(tx, caller, 'intake.release', intake)
    return findIntake(caller, id, tx)
  })
}

async function restingTask(tx: Kysely<Tables>, caller: Managing, id: number) {
  const tasks = tx.selectFrom('intake_tasks').select(['task', 'options']).where('intake_id', '=', id)
  const found = await tasks.where((row) => row.or([row('task', '=', 'held'), row('parked_at', 'is not', null)])).executeTakeFirst()
  const word = intakeWord(caller)
  return (
    found ?? refuse('conflict', `Only ${word}s that are parked can be released, and those whose key was revoked, within ${heldDays} days`)
  )
}

/** What came meanwhile, in a sentence: where it tells the same records, the released file is the later one. */
async function storedSince(db: Kysely<Tables>, { id, partner_id, account_id, created_at }: IntakeRecord): Promise<string | null> {
  const others = db
    .selectFrom('intakes')
    .select(['id', 'file_name'])
    .where('partner_id', '=', partner_id)
    .where('id', '!=', id)
    .where('state', '=', 'stored')
    .where((row) => row.or([row('ended_at', '>', created_at), row.and([row('ended_at', '=', created_at), row('id', '>', id)])]))
  const sharing =
    account_id === null ? others : others.where((row) => row.or([row('account_id', 'is', null), row('account_id', '=', account_id)]))
  const found = await sharing
    .orderBy('id')
    .limit(mostTold + 1)
    .execute()
  if (found.length === 0) return null
  const named = found.slice(0, mostTold).map((other) => `${other.id}${other.file_name === null ? '' : ` (${other.file_name})`}`)
  const more = found.length > mostTold ? ' and others' : ''
  return `${sinceItCame}: ${named.join(', ')}${more}. Where they tell the same records, this one is now stored over them.`
}

/** After some days nobody misses them; without their tasks the files are deleted like others that nobody names. */
export async function dropRestingUploads({ store, clock, settings }: App): Promise<void> {
  const now = clock.now()
  const tasks = store.db
    .selectFrom('intake_tasks')
    .innerJoin('intakes', 'intakes.id', 'intake_tasks.intake_id')
    .select(['intake_id', 'reason', 'file'])
  const held = tasks.where('task', '=', 'held').where('ended_at', '<', secondsAfter(now, -heldDays * 86_400))
  const ids = (await held.execute()).map(({ intake_id }) => intake_id)
  if (ids.length > 0)
    await store.write((tx) => tx.deleteFrom('intake_tasks').where('intake_id', 'in', ids).where('task', '=', 'held').execute())
  for (const { intake_id, reason, file } of await tasks.where('parked_at', '<', secondsAfter(now, -parkedDays * 86_400)).execute()) {
    await store.write(async (tx) => {
      const why = `Nobody released it for ${parkedDays} days, so that it was cancelled and its file deleted. ${reason ?? ''}`.trim()
      if (!(await moveIntake(tx, intake_id, 'cancelled', { ended_at: now, reason: why }))) return
      await tx.deleteFrom('intake_tasks').where('intake_id', '=', intake_id).execute()
    })
    if (file !== null) await removeUpload(settings, file)
  }
}

/** How many rest, by reason. */
export async function parkedByReason(db: Kysely<Tables>): Promise<Readonly<Record<string, number>>> {
  const rows = await db
    .selectFrom('intakes')
    .select(({ fn }) => ['reason', fn.countAll<number>().as('count')])
    .where('state', 'in', ['parking', 'parked'])
    .groupBy('reason')
    .execute()
  return Object.fromEntries(rows.map(({ reason, count }) => [reason ?? 'unknown', Number(count)]))
}
