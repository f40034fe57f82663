/** Writes for which no request waits, such as when something was last seen or used. A page neither waits for them nor fails with them. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { type App, perApp } from './app.ts'

/** The write is lost if the disk is full or the database is unreachable; the next one repeats it. */
export function writeLate(app: App, work: (tx: Kysely<Tables>) => Promise<unknown>): void {
  const pending = pendingOn(app)
  const writing: Promise<unknown> = app.store
    .write(work)
    .catch(() => {})
    .finally(() => pending.delete(writing))
  pending.add(writing)
}

/** Resolves when all pending writes are done or have failed. */
export async function lateWritesDone(app: App): Promise<void> {
  await Promise.allSettled(pendingOn(app))
}

const pendingOn = perApp((app) => {
  app.beforeClose.push(() => lateWritesDone(app))
  return new Set<Promise<unknown>>()
})
