/** Creates the demo world if it is missing; running it again gives the same result. */

import { refuse } from '../lib/failures.ts'
import type { OperatorCaller } from '../model/core/caller.ts'
import { keepStoredValue, readStoredValue } from '../model/core/stored-values.ts'
import { createPartner, listPartners, type Partner, setPartner } from '../model/partners/partners.ts'
import { type DemoIds, idOf, readDemo } from './read.ts'
import { buildRows } from './rows.ts'
import { demoPartner, rivalPartner, wholeWorld } from './world.ts'

const partnerNames: readonly string[] = [demoPartner, rivalPartner]
const mark = 'demo_world'

export async function buildDemo(caller: OperatorCaller, tell: (made: string) => void = () => {}): Promise<DemoIds> {
  await markBegun(caller)
  for (const name of await missingPartners(caller)) await createPartner(caller, name)
  const ids = await readDemo(caller)
  await setPartner(caller, idOf(ids.partners, demoPartner), { reads_per_minute: 600_000, writes_per_minute: 60_000 })
  await buildRows(caller, ids, wholeWorld, tell)
  return ids
}

/** Partners that do not belong to the demo and must not be touched. */
export async function otherPartners(caller: OperatorCaller): Promise<readonly Partner[]> {
  const isBegun = await wasBegun(caller)
  return (await listPartners(caller)).filter(({ name }) => !isBegun || !partnerNames.includes(name))
}

/** Marked before anything is created, so that a half-made demo is recognized. */
async function markBegun(caller: OperatorCaller): Promise<void> {
  if (await wasBegun(caller)) return
  const namesake = (await listPartners(caller)).find(({ name }) => partnerNames.includes(name))
  if (namesake !== undefined) refuse('conflict', `The partner ${namesake.name} is not of the demo, and the demo would mix with it.`)
  await caller.app.store.write((tx) => keepStoredValue(tx, mark, 'begun'))
}

async function wasBegun({ app }: OperatorCaller): Promise<boolean> {
  return (await readStoredValue(app.store.db, mark)) !== undefined
}

async function missingPartners(caller: OperatorCaller): Promise<readonly string[]> {
  const known = (await listPartners(caller)).map(({ name }) => name)
  return partnerNames.filter((name) => !known.includes(name))
}
