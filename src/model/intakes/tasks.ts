/** The tasks of intakes: files to be imported and intakes to be undone, for each partner one after the other. */

import { type Kysely, sql } from 'kysely'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { EventName } from '../../resources/event.ts'
import type { IntakeTaskRow } from '../../store/rows/intakes.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { draftEvents } from '../core/events/drafts.ts'
import { deletedAccountIds, type Managing } from '../core/tenancy.ts'
import { moveIntake, type StateChange } from '../imports/journal/intake-states.ts'
import { deliveredFiles } from './deliveries/delivered-files.ts'
import { hostOf, removeAbandoned } from './upload-files.ts'

/** A host that was silent for this long counts as lost, with the files on its disk. */
const lostSeconds = 15 * 60
/** How often a host confirms that it has its files. */
const sayingSeconds = 60

type NewTask = Pick<IntakeTaskRow, 'intake_id' | 'partner_id' | 'task'> &
  Partial<Pick<IntakeTaskRow, 'host' | 'file' | 'options' | 'delivery_id'>>

export function addTask(tx: Kysely<Tables>, caller: Managing, task: NewTask): Promise<void> {
  return addTasks(tx, caller, [task])
}

export async function addTasks(tx: Kysely<Tables>, { app }: Managing, tasks: readonly NewTask[]): Promise<void> {
  const begins = {
    host: null,
    file: null,
    options: '{}',
    attempts: 0,
    failing_since: null,
    parked_at: null,
    erased: '[]',
    seen_at: app.clock.now(),
  }
  const rows = tasks.map((task) => ({ ...begins, delivery_id: null, ...task }))
  await tx.insertInto('intake_tasks').values(rows).execute()
}

/** Whether this process has something to do: a file on its disk, an intake to undo, or the tasks of a lost host. */
export async function isTaskDue({ store, clock, settings }: App): Promise<boolean> {
  const lostBefore = secondsAfter(clock.now(), -lostSeconds)
  const due = goingTasks(store.db).select('intake_id')
  const first = due.where((task) =>
    task.or([task('host', 'is', null), task('host', '=', hostOf(settings) ?? ''), task('seen_at', '<', lostBefore)]),
  )
  return (await first.limit(1).executeTakeFirst()) !== undefined
}

/** The first task of each partner; later ones wait for it, wherever their files are. Other tasks than files let them pass while they wait to be tried again. */
export async function firstTasks({ store }: App, isPassed: (task: IntakeTaskRow) => boolean = () => false): Promise<IntakeTaskRow[]> {
  const tasks = await goingTasks(store.db).selectAll().orderBy('intake_id').execute()
  const all = tasks.filter((task) => task.task === 'store' || !isPassed(task))
  return [...Map.groupBy(all, ({ partner_id }) => partner_id).values()].flatMap(([first]) => first ?? [])
}

export function findTask({ store }: App, intakeId: number): Promise<IntakeTaskRow | undefined> {
  return goingTasks(store.db).selectAll().where('intake_id', '=', intakeId).executeTakeFirst()
}

/** All but held and parked files, and those of deleted accounts, which rest with their files. */
function goingTasks(db: Kysely<Tables>) {
  const resting = deletedAccountIds(db)
  return db
    .selectFrom('intake_tasks')
    .where('task', '!=', 'held')
    .where('parked_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('intakes')
            .select('intakes.id')
            .whereRef('intakes.id', '=', 'intake_tasks.intake_id')
            .where('account_id', 'in', resting),
        ),
      ),
    )
}

/** Deletes files that a crash has left on the disk of this host. */
export async function removeAbandonedFiles(app: App): Promise<void> {
  const tasks = await app.store.db.selectFrom('intake_tasks').select('file').execute()
  await removeAbandoned(app.settings, new Set([...tasks.flatMap(({ file }) => file ?? []), ...(await deliveredFiles(app))]))
}

/** Confirms that the files of a host exist; writes rarely. */
export async function sayFilesAreHere({ store, clock }: App, host: string): Promise<void> {
  const before = secondsAfter(clock.now(), -sayingSeconds)
  const silent = store.db.selectFrom('intake_tasks').select('intake_id').where('host', '=', host).where('seen_at', '<=', before)
  if ((await silent.limit(1).executeTakeFirst()) === undefined) return
  await store.write((tx) => tx.updateTable('intake_tasks').set({ seen_at: clock.now() }).where('host', '=', host).execute())
}

/** Ends the tasks of lost hosts as interrupted, so that the sender knows to send the file again. */
export async function interruptLost({ store, clock }: App, here: string | null): Promise<void> {
  const lost = goingTasks(store.db)
    .select('intake_id')
    .where('seen_at', '<', secondsAfter(clock.now(), -lostSeconds))
    .where('host', 'is not', null)
  const elsewhere = here === null ? lost : lost.where('host', '!=', here)
  for (const { intake_id } of await elsewhere.execute())
    await store.write((tx) => endTask(tx, intake_id, 'interrupted', { ended_at: clock.now() }))
}

type Ended = StateChange & { readonly ended_at: string }

export type EndState = 'stored' | 'checked' | 'refused' | 'cancelled' | 'interrupted'

/** Ends an intake and its task in one transaction; false, and nothing is changed, where it was cancelled meanwhile. */
export async function endTask(tx: Kysely<Tables>, intakeId: number, state: EndState, figures: Ended): Promise<boolean> {
  if (!(await moveIntake(tx, intakeId, state, { reason: null, ...figures }))) return false
  await tx.deleteFrom('intake_tasks').where('intake_id', '=', intakeId).execute()
  const type = endsToldAs[state]
  if (type !== undefined) await draftEvents(tx, [{ type, record_id: intakeId, at: figures.ended_at }])
  return true
}

const endsToldAs: Readonly<Partial<Record<EndState, EventName>>> = {
  stored: 'intake.completed',
  refused: 'intake.failed',
  interrupted: 'intake.failed',
}

/** Ends an intake and keeps its file, which the operator may release. */
export async function holdTask(tx: Kysely<Tables>, intakeId: number, state: EndState, figures: Ended): Promise<boolean> {
  if (!(await moveIntake(tx, intakeId, state, figures))) return false
  await tx.updateTable('intake_tasks').set({ task: 'held' }).where('intake_id', '=', intakeId).execute()
  await draftEvents(tx, [{ type: 'intake.parked', record_id: intakeId, at: figures.ended_at }])
  return true
}

/** Marks an erased reviewer in all files still to be imported, so that the imports skip that reviewer. Returns the number of files. */
export async function eraseReviewerFromTasks({ store }: App, reviewer: string): Promise<number> {
  return store.write(async (tx) => {
    const tasks = await tx
      .updateTable('intake_tasks')
      .set({ erased: sql<string>`replace(substr(erased, 1, length(erased) - 1) || ${`,${JSON.stringify(reviewer)}]`}, '[,', '[')` })
      .where('task', '!=', 'undo')
      .returning('intake_id')
      .execute()
    return tasks.length
  })
}
