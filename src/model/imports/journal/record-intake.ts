/** The record of an import or push: who, when, from which file, and what it did. */

import type { Kysely } from 'kysely'
import type { IntakeRow } from '../../../store/rows/intakes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { actorOf, audit } from '../../core/audit.ts'
import { draftEvents } from '../../core/events/drafts.ts'
import type { Managing } from '../../core/tenancy.ts'
import type { Target } from '../refs.ts'
import type { ImportSummary } from '../summary.ts'
import { moveIntake } from './intake-states.ts'

export interface IntakeAbout {
  readonly via: IntakeRow['via']
  readonly file_name?: string
  readonly sha256?: string
  readonly bytes?: number
  /** What is told before anything was read. */
  readonly notices?: readonly string[]
  /** The options of the mapping, as JSON. */
  readonly mapping?: string
  /** The presets by which its header was recognised, separated by commas. */
  readonly recognised_as?: string
}

export interface NewIntake {
  readonly target: Target
  readonly about: IntakeAbout
}

export async function beginIntake(tx: Kysely<Tables>, caller: Managing, target: Target, about: IntakeAbout): Promise<number> {
  const [id] = await beginIntakes(tx, caller, [{ target, about }])
  return id as number
}

/** In the order of what is given. */
export async function beginIntakes(
  tx: Kysely<Tables>,
  caller: Managing,
  given: readonly NewIntake[],
  state: 'storing' | 'waiting' = 'storing',
): Promise<number[]> {
  const now = caller.app.clock.now()
  const rows = given.map(({ target, about }) => ({
    partner_id: target.partnerId,
    account_id: target.accountId ?? null,
    via: about.via,
    actor: actorOf(caller),
    file_name: about.file_name ?? null,
    sha256: about.sha256 ?? null,
    mapping: about.mapping ?? null,
    recognised_as: about.recognised_as ?? null,
    bytes: about.bytes ?? null,
    state,
    counts: '{}',
    created_at: now,
    began_at: state === 'storing' ? now : null,
    ended_at: null,
    undone_at: null,
    faults: null,
    notices: about.notices === undefined ? null : JSON.stringify(about.notices),
    undo: null,
    is_ordered: 1 as const,
  }))
  const made = await tx.insertInto('intakes').values(rows).returning('id').execute()
  // Ids are given in the order of the rows, but not said to be returned in it.
  return made.map(({ id }) => id).toSorted((a, b) => a - b)
}

/** What is stored from now on comes after everything that has ended by now. A resumed upload keeps its first beginning. */
export async function beginStoring(tx: Kysely<Tables>, caller: Managing, id: number): Promise<number> {
  await tx
    .updateTable('intakes')
    .set({ began_at: caller.app.clock.now(), is_ordered: 1 })
    .where('id', '=', id)
    .where('began_at', 'is', null)
    .execute()
  await moveIntake(tx, id, 'storing')
  return id
}

/** An upload has ended only when no task is left for it. */
export async function endIntake(
  tx: Kysely<Tables>,
  caller: Managing,
  { partnerId, accountId }: Target,
  id: number,
  { kinds, notices }: Pick<ImportSummary, 'kinds' | 'notices'>,
  isOver: boolean,
): Promise<void> {
  const all = Object.values(kinds)
  const figures = {
    counts: JSON.stringify(kinds),
    lines: all.reduce((sum, { accepted }) => sum + accepted, 0),
    stored: all.reduce((sum, { created, updated, unchanged }) => sum + created + updated + unchanged, 0),
  }
  const told = { ...figures, ...(notices?.length && { notices: JSON.stringify(notices) }) }
  const now = caller.app.clock.now()
  if (!isOver) await tx.updateTable('intakes').set(told).where('id', '=', id).execute()
  else if (await moveIntake(tx, id, 'stored', { ...told, ended_at: now }))
    await draftEvents(tx, [{ type: 'intake.completed', record_id: id, at: now, partner_id: partnerId, account_id: accountId ?? null }])
  await audit(tx, caller, 'intake.store', { id, partner_id: partnerId, account_id: accountId }, { after: { kinds } })
}
