/** Fills test partners with the demo's world and empties them: a step in each round, so that nothing waits for it. What is measured comes as one file, which a thread stores. */

import { randomUUID } from 'node:crypto'
import type { Job } from '../jobs/loop.ts'
import { dayNumber } from '../lib/time/days.ts'
import type { App } from '../model/core/app.ts'
import type { OperatorCaller, StaffCaller } from '../model/core/caller.ts'
import { allPages } from '../model/core/paging.ts'
import { createUploadFile, removeUpload } from '../model/intakes/upload-files.ts'
import { createUpload } from '../model/intakes/uploads.ts'
import { listAccounts } from '../model/partners/accounts.ts'
import { emptySome, type Filling, isBeingStored, keepFilling, nextFilling } from '../model/partners/test-partners/fillings.ts'
import { endAccounts } from '../model/upkeep/ended-accounts.ts'
import { linesOf, sitesOf } from './measure.ts'
import { type DemoIds, idOf, noIds, readAccount } from './read.ts'
import { buildRows } from './rows.ts'
import { demoPartner, worldApart } from './world.ts'

const linesAtOnce = 200
/** Enough for every figure that compares with the month before. */
const measuredDays = 60

export function testPartnersJob(app: App): Job {
  return { name: 'tests', everySeconds: 2, isDue: async () => (await nextFilling(app)) !== undefined, run: (signal) => workOn(app, signal) }
}

async function workOn(app: App, signal: AbortSignal): Promise<void> {
  const caller: OperatorCaller = { kind: 'operator', app, requestId: randomUUID() }
  for (let next = await nextFilling(app); next !== undefined && !signal.aborted; next = await nextFilling(app))
    if (!(await step(caller, next, signal).catch((error: unknown) => givingUp(signal, error)))) return
}

/** A service that stops begins the step anew once it is up again. */
function givingUp(signal: AbortSignal, error: unknown): false {
  if (!signal.aborted) throw error
  return false
}

/** False if the next step has to wait. */
async function step(caller: OperatorCaller, filling: Filling, signal: AbortSignal): Promise<boolean> {
  const { app } = caller
  const { state, intake_id, fillings } = filling
  if (state !== 'filling') {
    if (await emptySome(caller, filling)) return true
    // Their domains are free once nothing of the accounts is left.
    await endAccounts(caller, signal)
    if (signal.aborted) return false
    const isAgain = state === 'refilling'
    await keepFilling(app, filling, isAgain ? { state: 'filling', fillings: fillings + 1 } : { state: 'empty' })
  } else if (intake_id === null) await keepFilling(app, filling, { intake_id: await fill(caller, filling, signal) })
  else {
    if (await isBeingStored(app, intake_id)) return false
    await keepFilling(app, filling, { state: 'filled' })
  }
  return true
}

/** What an interrupted round has made is found again. */
async function fill(caller: OperatorCaller, { partner_id, home, fillings }: Filling, signal: AbortSignal): Promise<number> {
  const ids = noIds()
  ids.partners.set(demoPartner, partner_id)
  for (const account of await allPages((after) => listAccounts(caller, after, { partner_id }))) await readAccount(caller, ids, account)
  ids.accounts.set(demoPartner, home)
  const world = worldApart(partner_id, fillings)
  await buildRows(caller, ids, world)
  const staff: StaffCaller = {
    ...caller,
    kind: 'staff',
    partnerId: partner_id,
    accountId: home,
    userId: idOf(ids.users, world.deskAdmin.login),
    role: 'admin',
    customers: 'all',
  }
  return sendFile(staff, ids, signal)
}

async function sendFile(staff: StaffCaller, ids: DemoIds, signal: AbortSignal): Promise<number> {
  const { settings, clock } = staff.app
  const last = dayNumber(clock.now().slice(0, 10))
  const receiving = await createUploadFile(settings)
  try {
    for (const lines of inBatches(linesOf(sitesOf(ids, demoPartner), { first: last - measuredDays + 1, last, told: last }))) {
      signal.throwIfAborted()
      await receiving.append(Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`))
    }
    const target = { partnerId: staff.partnerId }
    const options = { target, words: {}, createMissing: true, isDryRun: false, counts: 'daily' as const }
    return (await createUpload(staff, await receiving.finish(), 'The world of the test', options)).id
  } catch (error) {
    await receiving.discard()
    await removeUpload(settings, receiving.name)
    throw error
  }
}

function* inBatches<T>(all: Iterable<T>): Generator<T[]> {
  let batch: T[] = []
  for (const one of all) {
    if (batch.push(one) < linesAtOnce) continue
    yield batch
    batch = []
  }
  yield batch
}
