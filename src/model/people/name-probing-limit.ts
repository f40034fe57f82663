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
  const most = await mostTaken(caller)
  if (most === 0) return work()
  if ((await readSpent(caller.app.store.db, budgetOf(caller))) >= most) return refuseUntilNextHour(caller)
  try {
    return await work()
  } catch (error) {
    if (saysTaken(error)) await spendOne(caller, most)
    throw error
  }
}

/** Counts such answers of work that goes on after them; the work ends with the answer that is one too many. */
export class TakenAnswers {
  readonly #caller: Managing
  #most = 0
  #left = 0
  #given = 0

  constructor(caller: Managing) {
    this.#caller = caller
  }

  /** Before names are looked up. */
  async open(): Promise<void> {
    const caller = this.#caller
    if (caller.kind === 'operator') return
    this.#most = await mostTaken(caller)
    this.#left = this.#most - (await readSpent(caller.app.store.db, budgetOf(caller)))
    if (this.#most > 0 && this.#left <= 0) refuseUntilNextHour(caller)
  }

  give(): void {
    if (this.#caller.kind !== 'operator' && this.#most > 0 && this.#given >= this.#left) refuseUntilNextHour(this.#caller)
    this.#given += 1
  }

  /** After the transaction, however it ended: what was told stays told. */
  async spend(): Promise<void> {
    const [caller, many] = [this.#caller, this.#given]
    this.#given = 0
    if (caller.kind !== 'operator' && this.#most > 0) for (let i = 0; i < many; i++) await spendOne(caller, this.#most)
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
async function mostTaken(caller: PartnerCaller | StaffCaller): Promise<number> {
  if (caller.kind === 'partner') return caller.limits.takenPerHour
  const { app, partnerId } = caller
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
