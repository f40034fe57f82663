/** Takes businesses, sites, competitors and keywords back: another intake that refers to them has made them from then on, and what people hung something on stays. */

import type { Kysely } from 'kysely'
import { livingAmong } from '../../../store/living-owners.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit, auditAll } from '../../core/audit.ts'
import { addStep, type OwnerTouch, rangeOf } from '../../core/steps.ts'
import type { Managing } from '../../core/tenancy.ts'
import type { OwnerKind } from '../../imports/journal/journal.ts'
import { type Hanging, hangingOn, heldAmong, removableTables } from '../../partners/dependents.ts'
import { removeAll } from '../../partners/removal.ts'
import type { LeftRecord, StepOutcome } from './step-outcome.ts'
import { type How, noteGoing, noteRecordsGoing, type Trial } from './trial.ts'
import { usersOf } from './users-of-records.ts'

const noneHeld: ReadonlyMap<number, string> = new Map()

export async function undoRecords(
  caller: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  kind: OwnerKind,
  ids: readonly number[],
  made: { readonly intakeId: number; readonly since: number },
  { trial, takesPeople }: How,
): Promise<StepOutcome> {
  const { engine } = caller.app.store
  // Nobody hangs anything on them from here on; those of measured data are locked with their account.
  if (trial === undefined && isShared(kind)) await caller.app.store.lockAll(tx, removableTables[kind], ids)
  const living = [...(await livingAmong(tx, removableTables[kind], accountId, ids))]
  const users = await usersOf(tx, accountId, kind, living, { ...made, takesPeople })
  const held = takesPeople ? noneHeld : await heldAmong(engine, tx, kind, accountId, living, trial?.going)
  const free = living.filter((id) => !held.has(id) && !users.has(id))
  const taken = takesPeople ? await hangingOn(engine, tx, kind, accountId, free, trial?.going) : []
  await notePeoples(caller, tx, accountId, made.intakeId, taken, trial)
  if (trial !== undefined) noteRecordsGoing(trial, kind, free)
  else {
    await passOn(tx, accountId, kind, users, made.since)
    await removeFree(caller, tx, accountId, kind, free)
  }
  const left = living.flatMap((id): LeftRecord[] => {
    const why = users.get(id) ?? held.get(id)
    return why === undefined ? [] : [{ kind, of: kind, id, why }]
  })
  return { undone: living.length - left.length, left }
}

/** The audit log has an entry for each thing, because nobody else has asked for its end. */
async function notePeoples(
  caller: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  intakeId: number,
  taken: readonly Hanging[],
  trial: Trial | undefined,
): Promise<void> {
  for (const { table, of, id } of taken)
    if (trial !== undefined) noteGoing(trial, { kind: table, of, id, becomes: 'gone' })
    else await audit(tx, caller, 'intake.take', { id: intakeId, account_id: accountId }, { before: { table, [`${of}_id`]: id } })
}

function isShared(kind: OwnerKind): kind is 'business' | 'site' {
  return kind === 'business' || kind === 'site'
}

async function removeFree(
  caller: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  kind: OwnerKind,
  free: readonly number[],
): Promise<void> {
  const gone = await removeAll(caller.app.store.engine, tx, kind, accountId, free)
  if (!isShared(kind) || gone.length === 0) return
  const changes = gone.map((id) => ({ subject: { id, account_id: accountId } }))
  await auditAll(tx, caller, `${kind}.delete`, changes)
}

async function passOn(
  tx: Kysely<Tables>,
  accountId: number,
  kind: OwnerKind,
  users: ReadonlyMap<number, number>,
  since: number,
): Promise<void> {
  for (const [intake_id, some] of Map.groupBy(users, ([, intake]) => intake)) {
    const made = some.map(([id]) => id)
    const data = Buffer.from(JSON.stringify({ made, used: [], since } satisfies OwnerTouch))
    if (intake_id > 0) await addStep(tx, accountId, { intake_id, kind: `${kind} ids`, data, range: rangeOf(made) })
  }
}
