/** Of intakes of earlier versions: those that came after another one and may have delivered the same records. While they stand, undoing that one would take theirs away. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { IntakeCounts, IntakeState } from '../../resources/intake.ts'
import type { IntakeRow } from '../../store/rows/intakes.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Managing } from '../core/tenancy.ts'
import type { IntakeRecord } from './intakes.ts'

export interface LaterIntake extends Pick<IntakeRow, 'via' | 'state' | 'counts' | 'ended_at'> {
  readonly id: number
}

/** Of these nothing is stored. */
const without: readonly IntakeState[] = ['undone', 'cancelled', 'refused', 'checked']

const mostNamed = 5
const rowsPerRead = 200

/** The newest ones, and one more than are named. */
export async function laterIntakes(tx: Kysely<Tables>, intake: IntakeRecord): Promise<LaterIntake[]> {
  const later: LaterIntake[] = []
  for (let before = Number.MAX_SAFE_INTEGER, isMore = true; isMore && later.length <= mostNamed; ) {
    const some = await notSurelyEarlier(tx, intake, before)
    later.push(...some.filter((other) => isLater(other, intake) && mayOverlap(other, intake)))
    before = some.at(-1)?.id ?? 0
    isMore = some.length === rowsPerRead
  }
  return later.slice(0, mostNamed + 1)
}

/** The next intake of which something is stored, and which may be of the same account. */
export async function nextIntake(
  tx: Kysely<Tables>,
  { id, partner_id, account_id }: Pick<IntakeRecord, 'id' | 'partner_id' | 'account_id'>,
): Promise<number | undefined> {
  const later = tx
    .selectFrom('intakes')
    .select('id')
    .where('partner_id', '=', partner_id)
    .where('id', '>', id)
    .where('state', 'not in', without)
  const sharing =
    account_id === null ? later : later.where((row) => row.or([row('account_id', 'is', null), row('account_id', '=', account_id)]))
  return (await sharing.orderBy('id').limit(1).executeTakeFirst())?.id
}

export function refuseForLater(caller: Managing, later: readonly LaterIntake[]): never {
  const anyway = `${wishToUndo(caller)} this one is undone all the same, and takes what they delivered unchanged with it`
  return refuse('conflict', `${namesOf(later)} came later: ${adviceFor(later)}, or ${anyway}`)
}

function wishToUndo({ kind }: Managing): string {
  switch (kind) {
    case 'operator':
      return 'with --despite-later'
    case 'partner':
      return 'with despite_later=1'
    case 'staff':
      return 'if you wish so'
  }
}

/** What callers know an intake by. */
export function intakeWord({ kind }: Managing): string {
  return kind === 'staff' ? 'file' : 'intake'
}

export function namesOf(later: readonly LaterIntake[]): string {
  const names = later.slice(0, mostNamed).map(({ id, via, state }) => `${nouns[via]} ${id}${notes[state] ?? ''}`)
  const all = later.length > mostNamed ? [...names, 'others'] : names
  const text = all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const nouns = { import: 'import', push: 'push', upload: 'file', source: 'run of a source' } as const

const unfinished = ' (not ended)'
const notes: Partial<Record<IntakeState, string>> = {
  waiting: unfinished,
  checking: unfinished,
  storing: unfinished,
  cancelling: ' (being cancelled)',
  undoing: ' (being undone)',
}

function adviceFor([first, second]: readonly LaterIntake[]): string {
  if (second !== undefined) return 'undo these first, the last one first'
  if (first?.state === 'undoing' || first?.state === 'cancelling') return 'wait until that is done'
  return first?.ended_at === null ? 'cancel or undo that first' : 'undo that first'
}

/** An intake of all accounts may have touched each of them. */
function notSurelyEarlier(tx: Kysely<Tables>, intake: IntakeRecord, before: number): Promise<LaterIntake[]> {
  const { id, partner_id, account_id } = intake
  const others = tx
    .selectFrom('intakes')
    .select(['id', 'via', 'state', 'counts', 'ended_at'])
    .where('partner_id', '=', partner_id)
    .where('id', '!=', id)
    .where('id', '<', before)
    .where('is_ordered', '=', 0)
    .where('state', 'not in', without)
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '>=', beginningOf(intake))]))
  const sharing =
    account_id === null ? others : others.where((row) => row.or([row('account_id', 'is', null), row('account_id', '=', account_id)]))
  return sharing.orderBy('id', 'desc').limit(rowsPerRead).execute()
}

/** An upload may wait for long before it is stored, so its id says nothing. Two that were stored at the same time are each later than the other. */
function isLater({ id, ended_at }: LaterIntake, intake: IntakeRecord): boolean {
  if (ended_at === null || ended_at > beginningOf(intake)) return true
  return id > intake.id
}

function beginningOf({ began_at, created_at }: IntakeRecord): string {
  return began_at ?? created_at
}

/** What only one of them has said something about cannot be lost by the other: undo keeps what something hangs on. */
function mayOverlap(other: LaterIntake, { kinds, state }: IntakeRecord): boolean {
  const delivered = other.ended_at === null || other.state === 'interrupted' ? null : deliveredBy(other)
  const changed = kinds.filter(({ created, updated }) => created + updated > 0).map(({ kind }) => kind)
  // The counts of what was interrupted are not known.
  const isCounted = state === 'stored' || state === 'undoing'
  if (delivered === null) return !isCounted || changed.length > 0
  return isCounted ? changed.some((kind) => delivered.has(kind)) : delivered.size > 0
}

function deliveredBy({ counts }: LaterIntake): Set<string> {
  const kinds = Object.entries(JSON.parse(counts) as Record<string, Omit<IntakeCounts, 'kind'>>)
  return new Set(kinds.filter(([, { created, updated, unchanged }]) => created + updated + unchanged > 0).map(([kind]) => kind))
}
