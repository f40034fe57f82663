/** Leases: only one process on the database at a time may do a job, as long as it renews its lease. */

import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { hasEnded, ownProcessName } from '../../lib/processes/process-names.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from './app.ts'

export interface LeaseTerms {
  readonly name: string
  /** How long the lease of a process that stopped renewing lasts. */
  readonly seconds: number
  /** After the job was completed, nobody gets the lease again for this long. */
  readonly everySeconds?: number
}

export interface Lease {
  /** Extends the lease to `seconds` from now; false if another process has it by now, and this one must stop. */
  renew(): Promise<boolean>
  /** Releases the lease, so that another process can have it at once. */
  release(outcome: 'done' | 'given up'): Promise<void>
}

/** Returns null if another process has the lease, or if the job was done recently. */
export async function claimLease(app: App, terms: LeaseTerms): Promise<Lease | null> {
  const last = await lastLease(app, terms)
  if (!last.isFree) return null
  const holder = `${randomUUID()} ${ownProcessName()}`
  if (!(await app.store.write((tx) => claim(tx, app.clock.now(), terms, holder, last.gone)))) return null
  const { name, seconds } = terms
  return {
    renew: () => change(app, name, holder, { expires_at: secondsAfter(app.clock.now(), seconds) }),
    async release(outcome) {
      const now = app.clock.now()
      await change(app, name, holder, { expires_at: now, holder: '', ...(outcome === 'done' && { done_at: now }) })
    },
  }
}

/** Does the work if no other process does, and renews the lease meanwhile; the signal aborts when the lease is lost. Returns false if the work was not begun. */
export async function runLeased(app: App, terms: LeaseTerms, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const lease = await claimLease(app, terms)
  if (lease === null) return false
  const lost = new AbortController()
  const renew = () => lease.renew().then((isHeld) => isHeld || lost.abort())
  // A failed renewal is retried; if none succeeds, the lease expires.
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
  /** Claims the lease, or renews it after half of its time; false if another process has it. */
  hold(): Promise<boolean>
  release(): Promise<void>
}

/** For work in short rounds: the process keeps the lease between them, so that a round does not cost two more transactions. */
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

/** Reads before it writes: most processes find the lease taken, and a read needs no disk sync. A lease is free too if the process that holds it was killed. */
async function lastLease({ store, clock }: App, { name, everySeconds = 0 }: LeaseTerms): Promise<{ isFree: boolean; gone: string | null }> {
  const found = store.db.selectFrom('leases').select(['expires_at', 'done_at', 'holder']).where('name', '=', name)
  const { expires_at, done_at, holder } = (await found.executeTakeFirst()) ?? { expires_at: '', done_at: null, holder: '' }
  const now = clock.now()
  const gone = expires_at > now && isHolderGone(holder) ? holder : null
  return { isFree: (expires_at <= now || gone !== null) && isDue(done_at, now, everySeconds), gone }
}

/** The holder is a random id, and the name of the process unless an older version holds the lease. */
function isHolderGone(holder: string): boolean {
  return hasEnded(holder.slice(holder.indexOf(' ') + 1))
}

function isDue(doneAt: string | null, now: string, everySeconds: number): boolean {
  return doneAt === null || secondsAfter(doneAt, everySeconds) <= now
}

/** `gone` holds the lease although it has ended. */
async function claim(
  tx: Kysely<Tables>,
  now: string,
  { name, seconds, everySeconds = 0 }: LeaseTerms,
  holder: string,
  gone: string | null,
): Promise<boolean> {
  const expires_at = secondsAfter(now, seconds)
  const claimed = await tx
    .insertInto('leases')
    .values({ name, holder, expires_at, done_at: null })
    .onConflict((taken) =>
      taken
        .column('name')
        .doUpdateSet({ holder, expires_at })
        .where((lease) => lease.or([lease('leases.expires_at', '<=', now), lease('leases.holder', '=', gone ?? '')]))
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
