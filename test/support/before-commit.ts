/** Puts two changes into the order that races have: the second begins when the first has done its work and has not yet committed. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from '../../src/model/core/app.ts'
import type { Store } from '../../src/store/store.ts'

/** Runs `first` with an app whose writes begin `other` at their end, and commit once it has ended or waits for them; both must succeed. */
export async function beforeCommit(app: App, first: (slow: App) => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  // Outside of the write that begins it, in which no other may begin.
  const outside = AsyncLocalStorage.snapshot()
  let begun: Promise<unknown> | undefined
  let hasEnded = false
  const begin = async () => {
    begun ??= outside(other)
    const end = () => {
      hasEnded = true
    }
    begun.then(end, end)
    while (!hasEnded && !(await isWaiting(app))) await sleep(5)
  }
  const write: Store['write'] = (work, time) =>
    app.store.write(async (tx) => {
      const result = await work(tx)
      await begin()
      return result
    }, time)
  await first({ ...app, store: { ...app.store, write } })
  await (begun ?? Promise.reject(new Error('The first change wrote nothing.')))
}

/** An SQLite write waits for the one before by itself; a connection to PostgreSQL may wait for a row. */
async function isWaiting({ store, settings }: App): Promise<boolean> {
  if (settings.databaseUrl === undefined) return true
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await waiting.execute(store.db)).rows.length > 0
}
