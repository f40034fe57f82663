/** Packed months on a server: made ahead of the data, and closed some time after they are over. */

import type { ClosedMonth, MonthPartitions, SizedMonth, StoredMonth } from '../../store/month-tables.ts'
import { monthTableNames } from '../../store/month-tables.ts'
import { monthOf, nextMonth } from '../../store/packed-months.ts'
import type { App } from '../core/app.ts'

/** After the current one. */
const monthsAhead = 2
/** Most data of a month has arrived by then. */
const daysUntilClosed = 7
/** Of each part; smaller ones are read with a few pages whatever their order. */
const leastBytes = 128 * 1024

export async function areMonthsMissing({ store, clock }: App): Promise<boolean> {
  return store.engine.months !== null && missing(await store.engine.months.list(), clock.now()).length > 0
}

export async function makeMonthsAhead({ store, clock }: App): Promise<void> {
  const { months } = store.engine
  if (months === null) return
  for (const { table, month } of missing(await months.list(), clock.now())) await months.make(table, month)
}

/** The months from now on that have no partition yet. */
function missing(there: readonly StoredMonth[], now: string) {
  return monthTableNames.flatMap((table) =>
    fromNow(now)
      .filter((month) => !there.some((stored) => stored.table === table && stored.from <= month && month < stored.to))
      .map((month) => ({ table, month })),
  )
}

function fromNow(now: string): readonly number[] {
  const months = [monthOf(Date.parse(now) / 1000)]
  for (let ahead = 0; ahead < monthsAhead; ahead += 1) months.push(nextMonth(months.at(-1) as number))
  return months
}

export interface ClosedMonths {
  readonly closed: number
  /** Months that were in use, for which no time was left, or whose copy had missed changes; other copies are kept until the next night. */
  readonly postponed: number
  readonly rows: number
  readonly longest_lock_milliseconds: number
}

export async function closeMonths({ store, clock }: App, signal: AbortSignal): Promise<ClosedMonths> {
  const { months } = store.engine
  const done = months === null ? [] : await closeDue(months, clock.now(), signal)
  return {
    closed: done.filter(({ outcome }) => outcome === 'closed').length,
    postponed: done.filter(({ outcome }) => outcome !== 'closed').length,
    rows: done.reduce((sum, { rows }) => sum + rows, 0),
    longest_lock_milliseconds: Math.ceil(Math.max(0, ...done.map(({ lockedMilliseconds }) => lockedMilliseconds))),
  }
}

async function closeDue(months: MonthPartitions, now: string, signal: AbortSignal): Promise<readonly ClosedMonth[]> {
  const done: ClosedMonth[] = []
  for (const month of await toClose(months, now)) {
    if (signal.aborted) break
    done.push(await months.close(month, signal))
  }
  return done
}

/** The oldest first. */
async function toClose(months: MonthPartitions, now: string): Promise<readonly StoredMonth[]> {
  const before = Date.parse(now) / 1000 - daysUntilClosed * 86_400
  const isDue = ({ to, state, bytes, parts }: SizedMonth) => state === 'open' && bytes >= leastBytes * parts && to <= before
  return (await months.sizes()).filter(isDue).toSorted((one, other) => one.from - other.from)
}
