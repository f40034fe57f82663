/** Writes for which nobody waits: what was last seen, opened, used. A page must neither wait for them nor fail with them. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { type App, perApp } from './app.ts'

/** Lost where the disk is full or the database is gone; the next one says the same. */
export function writeLate(app: App, work: (tx: Kysely<Tables>) => Promise<unknown>): void {
  const pending = pendingOn(app)
  const writing: Promise<unknown> = app.store
    .write(work)
    .catch(() => {})
    .finally(() => pending.delete(writing))
  pending.add(writing)
}

/** Resolves when all that were begun are done or lost. */
export async function lateWritesDone(app: App): Promise<void> {
  await Promise.allSettled(pendingOn(app))
}

const pendingOn = perApp((app) => {
  app.beforeClose.push(() => lateWritesDone(app))
  return new Set<Promise<unknown>>()
})
