/** Whether a partner has a client from 2012: three settings that such a client needs, set together. */

import { refuse } from '../../lib/failures.ts'
import { audit } from '../core/audit.ts'
import type { StaffCaller } from '../core/caller.ts'
import { change, refuseMeanwhile } from '../core/transaction.ts'
import { defaultLimits } from './partners.ts'

/** Which of the three are as such a client needs them. */
export interface OldClient {
  /** Element names made from data are written as they are, although they are not XML. */
  readonly hasLegacyNames: boolean
  /** The key alone opens reports. */
  readonly mayComeAlone: boolean
  /** Any number of answers may say that a name is taken. */
  readonly isUnlimited: boolean
  /** How many such answers an hour there may be; 0 for any number. */
  readonly takenPerHour: number
  /** By which a change that was made meanwhile is noticed. */
  readonly version: string
}

const columns = ['names', 'key_alone', 'taken_per_hour'] as const

export async function readOldClient(staff: StaffCaller): Promise<OldClient> {
  return oldClientIn(staff, await settingsOf(staff, staff.app.store.db))
}

/** Sets all three. Turned off, what was set otherwise than for such a client stays as it is. */
export function setOldClient(staff: StaffCaller, isOn: boolean, was: string): Promise<void> {
  const { app, partnerId } = staff
  if (staff.role !== 'admin') refuse('forbidden', 'Only an admin of the staff may do that')
  return change(staff, async (tx) => {
    await app.store.lock(tx, 'partners', partnerId)
    const before = await settingsOf(staff, tx)
    if (oldClientIn(staff, before).version !== was) refuseMeanwhile()
    const after = isOn ? ({ names: 'legacy', key_alone: 1, taken_per_hour: 0 } as const) : turnedOff(staff, before)
    if (columns.every((name) => after[name] === before[name])) return
    await tx
      .updateTable('partners')
      .set({ ...after, updated_at: app.clock.now() })
      .where('id', '=', partnerId)
      .execute()
    await audit(tx, staff, 'partner.set', { id: partnerId, partner_id: partnerId }, { before, after })
  })
}

type OwnSettings = Awaited<ReturnType<typeof settingsOf>>

function settingsOf({ partnerId }: StaffCaller, db: StaffCaller['app']['store']['db']) {
  return db.selectFrom('partners').select(columns).where('id', '=', partnerId).executeTakeFirstOrThrow()
}

function oldClientIn({ app }: StaffCaller, own: OwnSettings): OldClient {
  const takenPerHour = own.taken_per_hour ?? defaultLimits.takenPerHour
  return {
    hasLegacyNames: (own.names ?? app.settings.names) === 'legacy',
    mayComeAlone: own.key_alone === 1,
    isUnlimited: takenPerHour === 0,
    takenPerHour,
    version: JSON.stringify([own.names, own.key_alone, own.taken_per_hour]),
  }
}

/** Back to what the service has, unless the service itself writes names as such clients need them. */
function turnedOff({ app }: StaffCaller, { names, taken_per_hour }: OwnSettings) {
  const modern = app.settings.names === 'legacy' ? ('encoded' as const) : null
  return {
    names: names === 'encoded' ? names : modern,
    key_alone: 0 as const,
    taken_per_hour: taken_per_hour === 0 ? null : taken_per_hour,
  }
}
