/** Every change of the state of an intake goes through here, and only from a state that the new one may follow. */

import type { Kysely } from 'kysely'
import { type IntakeState, intakeStates } from '../../../resources/intake.ts'
import type { IntakeRow } from '../../../store/rows/intakes.ts'
import type { Tables } from '../../../store/rows/tables.ts'

export type StateChange = Partial<Omit<IntakeRow, 'id' | 'state' | 'bytes_read' | 'lines' | 'stored' | 'refused' | 'is_ordered'>> & {
  readonly lines?: number
  readonly stored?: number
  readonly refused?: number
  readonly bytes_read?: number
}

/** False, and nothing is changed, where its state has become another meanwhile. */
export async function moveIntake(tx: Kysely<Tables>, id: number, to: IntakeState, change: StateChange = {}): Promise<boolean> {
  const moved = tx
    .updateTable('intakes')
    .set({ ...change, state: to })
    .where('id', '=', id)
  const { numUpdatedRows } = await moved.where('state', 'in', statesBefore(to)).executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function hasState(db: Kysely<Tables>, id: number, states: readonly IntakeState[]): Promise<boolean> {
  const found = db.selectFrom('intakes').select('id').where('id', '=', id).where('state', 'in', states)
  return (await found.executeTakeFirst()) !== undefined
}

function statesBefore(to: IntakeState): IntakeState[] {
  const all = Object.entries(intakeStates) as [IntakeState, { readonly next: readonly string[] }][]
  return all.filter(([, { next }]) => next.includes(to)).map(([state]) => state)
}
