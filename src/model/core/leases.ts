/** Leases: of all processes on one database, one at a time has the right to do a job, for as long as it renews it. */

import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from './app.ts'

export interface LeaseTerms {
  readonly name: string
  /** How long the job stays with a process that has gone silent. */
  readonly seconds: number
  /** After the job was done to its end, nobody gets the lease again before this has passed. */
  readonly everySeconds?: number
}

export interface Lease {
  /** Another `seconds` from now; false when another process has the lease by now, and this one must stop. */
  renew(): Promise<boolean>
  /** Lets the next process have it at once. */
  release(outcome: 'done' | 'given up'): Promise<void>
}

/** Null when another process has the lease, or when the job was done not long ago. */
export async function claimLease(app: App, terms: LeaseTerms): Promise<Lease | null> {
  if (!(await isFree(app, terms))) return null
  const holder = randomUUID()
  if (!(await app.store.write((tx) => claim(tx, app.clock.now(), terms, holder)))) return null
  const { name, seconds } = terms
  return {
    renew: () => change(app, name, holder, { expires_at: secondsAfter(app.clock.now(), seconds) }),
    async release(outcome) {
      const now = app.clock.now()
      await change(app, name, holder, { expires_at: now, holder: '', ...(outcome === 'done' && { done_at: now }) })
    },
  }
}

/** Does the work if nobody else does, and renews the lease meanwhile; the signal says that it was lost. False when the work was not begun. */
export async function runLeased(app: App, terms: LeaseTerms, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const lease = await claimLease(app, terms)
  if (lease === null) return false
  const lost = new AbortController()
  const renew = () => lease.renew().then((isHeld) => isHeld || lost.abort())
  // A renewal that fails is tried again; if none succeeds the lease expires, as it must.
  const timer = setInterval(() => void renew().catch(() => {}), (terms.seconds * 1000) / 3)
  timer.unref()
  let outcome: 'done' | 'given up' = 'given up'
  try {
    await work(lost.signal)
    if (!lost.signal.aborted) outcome = 'done'
  } finally {
    clearInterval(timer)
    await lease.release(outcome)
  }
  return true
}

export interface KeptLease {
  /** Claims the lease, or renews it once half of its time is over; false when another process has it. */
  hold(): Promise<boolean>
  release(): Promise<void>
}

/** For work in short rounds: the lease stays with the process between them, so that a round does not cost two more transactions. */
export function keepLease(app: App, terms: LeaseTerms): KeptLease {
  let lease: Lease | null = null
  let renewAt = 0
  return {
    async hold() {
      if (lease !== null && performance.now() < renewAt) return true
      if (lease !== null && !(await lease.renew())) lease = null
      lease ??= await claimLease(app, terms)
      renewAt = performance.now() + terms.seconds * 500
      return lease !== null
    },
    async release() {
      await lease?.release('given up')
      lease = null
    },
  }
}

/** Read first: most processes find most leases taken, and reading costs no sync of the disk. */
async function isFree({ store, clock }: App, { name, everySeconds = 0 }: LeaseTerms): Promise<boolean> {
  const lease = await store.db.selectFrom('leases').select(['expires_at', 'done_at']).where('name', '=', name).executeTakeFirst()
  const now = clock.now()
  return lease === undefined || (lease.expires_at <= now && isDue(lease.done_at, now, everySeconds))
}

function isDue(doneAt: string | null, now: string, everySeconds: number): boolean {
  return doneAt === null || secondsAfter(doneAt, everySeconds) <= now
}

async function claim(tx: Kysely<Tables>, now: string, { name, seconds, everySeconds = 0 }: LeaseTerms, holder: string): Promise<boolean> {
  const expires_at = secondsAfter(now, seconds)
  const claimed = await tx
    .insertInto('leases')
    .values({ name, holder, expires_at, done_at: null })
    .onConflict((taken) =>
      taken
        .column('name')
        .doUpdateSet({ holder, expires_at })
        .where('leases.expires_at', '<=', now)
        .where((lease) => lease.or([lease('leases.done_at', 'is', null), lease('leases.done_at', '<=', secondsAfter(now, -everySeconds))])),
    )
    .returning('holder')
    .executeTakeFirst()
  return claimed !== undefined
}

async function change(
  { store }: App,
  name: string,
  holder: string,
  values: { expires_at: string; holder?: string; done_at?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await store.write((tx) =>
    tx.updateTable('leases').set(values).where('name', '=', name).where('holder', '=', holder).executeTakeFirst(),
  )
  return numUpdatedRows > 0n
}
