/** How often a partner may learn that a name is taken: enough for honest work, too little to search for people elsewhere. */

import { Failure, refuse } from '../../lib/failures.ts'
import { perApp } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { PartnerCaller } from '../core/caller.ts'
import type { Managing } from '../core/tenancy.ts'

interface Spent {
  readonly hour: string
  count: number
  isRecorded: boolean
}

const spentBy = perApp(() => new Map<number, Spent>())

/**
 * Runs work that may answer that a name is taken, and counts when it does.
 * Once the budget is spent nothing is looked up at all: a refusal of the taken names alone would still tell them.
 */
export async function countingTakenAnswers<T>(caller: Managing, work: () => Promise<T>): Promise<T> {
  if (caller.kind === 'operator' || caller.limits.takenPerHour === 0) return work()
  const spent = spentThisHour(caller)
  if (spent.count >= caller.limits.takenPerHour) await refuseUntilNextHour(caller, spent)
  try {
    return await work()
  } catch (error) {
    if (saysTaken(error)) spent.count += 1
    throw error
  }
}

function saysTaken(error: unknown): boolean {
  return error instanceof Failure && (error.details.faults ?? []).some(({ code }) => code === 'taken')
}

async function refuseUntilNextHour(caller: PartnerCaller, spent: Spent): Promise<never> {
  if (!spent.isRecorded) {
    spent.isRecorded = true
    await record(caller)
  }
  const [minutes = 0, seconds = 0] = caller.app.clock.now().slice(14, 19).split(':').map(Number)
  const wait = { 'retry-after': String(3600 - minutes * 60 - seconds) }
  return refuse('too_many_requests', 'Too many names were asked for that are taken; try again in an hour', wait)
}

function spentThisHour({ app, partnerId }: PartnerCaller): Spent {
  const hour = app.clock.now().slice(0, 13)
  const known = spentBy(app).get(partnerId)
  const spent = known?.hour === hour ? known : { hour, count: 0, isRecorded: false }
  spentBy(app).set(partnerId, spent)
  return spent
}

async function record(caller: PartnerCaller): Promise<void> {
  await caller.app.store.write((tx) =>
    audit(tx, caller, { action: 'partner.taken_budget_spent', subject_type: 'Partner', subject_id: caller.partnerId }),
  )
}
