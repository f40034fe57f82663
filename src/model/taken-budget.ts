/** How often a partner may learn that a name is taken: enough for honest work, too little to search for people elsewhere. */

import { Failure, refuse } from '../lib/failures.ts'
import { audit } from './audit.ts'
import type { PartnerCaller } from './caller.ts'
import { onGround } from './ground.ts'
import type { Managing } from './within.ts'

interface Spent {
  readonly hour: string
  count: number
}

const spentBy = onGround(() => new Map<number, Spent>())

/** Runs work that may answer that a name is taken, and counts when it does. */
export async function countingTakenAnswers<T>(caller: Managing, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (saysTaken(error)) await spend(caller)
    throw error
  }
}

function saysTaken(error: unknown): boolean {
  return error instanceof Failure && (error.details.faults ?? []).some(({ code }) => code === 'taken')
}

async function spend(caller: Managing): Promise<void> {
  if (caller.kind === 'operator' || caller.limits.takenPerHour === 0) return
  const spent = spentThisHour(caller)
  spent.count += 1
  if (spent.count <= caller.limits.takenPerHour) return
  if (spent.count === caller.limits.takenPerHour + 1) await record(caller)
  refuse('too_many_requests', 'Too many names were asked for that are taken; try again in an hour', { 'retry-after': '3600' })
}

function spentThisHour({ ground, partnerId }: PartnerCaller): Spent {
  const hour = ground.clock.now().slice(0, 13)
  const known = spentBy(ground).get(partnerId)
  const spent = known?.hour === hour ? known : { hour, count: 0 }
  spentBy(ground).set(partnerId, spent)
  return spent
}

async function record(caller: PartnerCaller): Promise<void> {
  await caller.ground.store.write((tx) =>
    audit(tx, caller, { action: 'partner.taken_budget_spent', subject_type: 'Partner', subject_id: caller.partnerId }),
  )
}
