/** The origins whose pages may read with a partner's tokens: exact https origins, set by the operator or by an admin of the partner. */

import { type FieldError, invalid, refuse } from '../../../lib/failures.ts'
import { audit } from '../../core/audit.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { change, refuseMeanwhile } from '../../core/transaction.ts'

export const mostOrigins = 20

/** Parses the column's format. */
export function originsIn(text: string | null): readonly string[] {
  return text === null ? [] : text.split(' ')
}

/** The text that is stored; null for none. Blanks, commas and lines separate the origins. */
export function checkedOrigins(given: string): string | null {
  const all = [...new Set(given.split(/[\s,]+/).filter((one) => one !== ''))]
  const fault = faultIn(all)
  if (fault !== null) invalid([fault])
  return all.length === 0 ? null : all.toSorted().join(' ')
}

function faultIn(all: readonly string[]): FieldError | null {
  if (all.length > mostOrigins) return { field: 'origins', code: 'too_many', limit: mostOrigins }
  return all.every(isOrigin) ? null : { field: 'origins', code: 'invalid' }
}

/** As browsers send it: without a path, without a default port, in lower case. */
function isOrigin(text: string): boolean {
  return /^https:\/\/[a-z0-9.-]+(?::\d+)?$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

export async function readOrigins(staff: StaffCaller): Promise<string> {
  return (await ownOrigins(staff, staff.app.store.db)) ?? ''
}

export function setOrigins(staff: StaffCaller, given: string, was: string): Promise<void> {
  const { app, partnerId } = staff
  const origins = checkedOrigins(given)
  return change(staff, async (tx) => {
    await app.store.lock(tx, 'partners', partnerId)
    const before = await ownOrigins(staff, tx)
    if ((before ?? '') !== was) refuseMeanwhile()
    if (before === origins) return
    await tx.updateTable('partners').set({ origins, updated_at: app.clock.now() }).where('id', '=', partnerId).execute()
    await audit(tx, staff, 'partner.set', { id: partnerId, partner_id: partnerId }, { before: { origins: before }, after: { origins } })
  })
}

async function ownOrigins({ partnerId, role }: StaffCaller, db: StaffCaller['app']['store']['db']): Promise<string | null> {
  if (role !== 'admin') refuse('forbidden', 'Only an admin of the staff may do that')
  return (await db.selectFrom('partners').select('origins').where('id', '=', partnerId).executeTakeFirstOrThrow()).origins
}
