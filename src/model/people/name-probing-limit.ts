/** Limits how often a partner may learn that a name is taken: enough for honest work, too little to search for people elsewhere. */

import { refuse, saysTaken } from '../../lib/failures.ts'
import { audit } from '../core/audit.ts'
import { readSpent, spend } from '../core/budgets.ts'
import type { PartnerCaller, StaffCaller } from '../core/caller.ts'
import type { Managing } from '../core/tenancy.ts'
import { defaultLimits } from '../partners/partners.ts'

/**
 * Runs work that may answer that a name is taken, and counts such answers. Once the budget is spent nothing is looked up, because refusing only taken names
 * would still reveal them.
 */
export async function countingTakenAnswers<T>(caller: Managing, work: () => Promise<T>): Promise<T> {
  if (caller.kind === 'operator') return work()
  const most = caller.kind === 'partner' ? caller.limits.takenPerHour : await mostTakenOf(caller)
  if (most === 0) return work()
  if ((await readSpent(caller.app.store.db, budgetOf(caller))) >= most) return refuseUntilNextHour(caller)
  try {
    return await work()
  } catch (error) {
    if (saysTaken(error)) await spendOne(caller, most)
    throw error
  }
}

/** Recorded in the audit log once an hour, by the answer that spends the last unit. */
function spendOne(caller: PartnerCaller | StaffCaller, most: number): Promise<void> {
  return caller.app.store.write(async (tx) => {
    if ((await spend(tx, budgetOf(caller))) !== most) return
    await audit(tx, caller, 'partner.taken_budget_spent', { id: caller.partnerId })
  })
}

/** Staff and keys of a partner spend one budget. */
async function mostTakenOf({ app, partnerId }: StaffCaller): Promise<number> {
  const partner = app.store.db.selectFrom('partners').select('taken_per_hour').where('id', '=', partnerId)
  return (await partner.executeTakeFirstOrThrow()).taken_per_hour ?? defaultLimits.takenPerHour
}

function budgetOf({ app, partnerId }: PartnerCaller | StaffCaller) {
  return { name: `taken:${partnerId}`, begins_at: `${app.clock.now().slice(0, 13)}:00:00Z` }
}

function refuseUntilNextHour({ app }: PartnerCaller | StaffCaller): never {
  const [minutes = 0, seconds = 0] = app.clock.now().slice(14, 19).split(':').map(Number)
  const wait = { 'retry-after': String(3600 - minutes * 60 - seconds) }
  return refuse('too_many_requests', 'Too many names were asked for that are taken; try again in an hour', wait)
}
