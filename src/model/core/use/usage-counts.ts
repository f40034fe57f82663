/** Counts how much each key is used in memory, and adds it to the database every few seconds, outside of requests. */

import type { Kysely } from 'kysely'
import { batchesOf } from '../../../lib/work/batches.ts'
import type { UsageDayRow } from '../../../store/rows/processes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { type App, perApp } from '../app.ts'

/** The key whose use is counted. */
export type UsageOwner = Pick<UsageDayRow, 'partner_id' | 'key_id'>

/** The operator and the staff of a partner import without a key, so such imports are counted under 0. */
export const keylessId = 0

interface Counting {
  /** Counts that are not written yet, by day, partner and key. */
  unwritten: Map<string, UsageDayRow>
  timer: NodeJS.Timeout | null
  /** Resolves when all writes in progress are done. */
  writing: Promise<void>
}

const flushMilliseconds = 5_000
/** The limit on counts in memory: while the database is unreachable for long, further keys are not counted. */
const mostUnwritten = 10_000
const rowsPerStatement = 500

const countingOn = perApp((app): Counting => {
  app.beforeClose.push(() => writeUsage(app))
  return { unwritten: new Map(), timer: null, writing: Promise.resolve() }
})

/** Must be called once a request of a known key is answered. */
export function countAnswer(app: App, owner: UsageOwner, status: number): void {
  const row = rowOf(app, owner)
  row.requests += 1
  if (status >= 400 && status < 500) row.refused += 1
  if (status === 429) row.rate_limited += 1
}

/** Must be called once the records are committed. */
export function countRecords(app: App, owner: UsageOwner, records: number): void {
  if (records > 0) rowOf(app, owner).records += records
}

/** Resolves when everything counted so far is written, or the write has failed. */
export function writeUsage(app: App): Promise<void> {
  const counting = countingOn(app)
  if (counting.timer !== null) clearTimeout(counting.timer)
  counting.timer = null
  counting.writing = counting.writing.then(() => writeUnwritten(app, counting))
  return counting.writing
}

export async function forgetUsage(tx: Kysely<Tables>, before: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('usage_days').where('day', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}

/** The counts of today, to be added to. */
function rowOf(app: App, owner: UsageOwner): UsageDayRow {
  const counting = countingOn(app)
  counting.timer ??= setTimeout(() => void writeUsage(app), flushMilliseconds).unref()
  return unwrittenRow(counting, owner, app.clock.now().slice(0, 10))
}

function unwrittenRow({ unwritten }: Counting, { partner_id, key_id }: UsageOwner, day: string): UsageDayRow {
  const name = `${day} ${partner_id} ${key_id}`
  const known = unwritten.get(name)
  if (known !== undefined) return known
  const row = { partner_id, day, key_id, requests: 0, refused: 0, rate_limited: 0, records: 0 }
  if (unwritten.size < mostUnwritten) unwritten.set(name, row)
  return row
}

const figures = ['requests', 'refused', 'rate_limited', 'records'] as const

async function writeUnwritten({ store }: App, counting: Counting): Promise<void> {
  // Sorted in the same order in all processes, so that no deadlock arises.
  const rows = [...counting.unwritten.values()].toSorted(byKey)
  counting.unwritten = new Map()
  if (rows.length === 0) return
  try {
    await store.write((tx) => addRows(tx, rows))
  } catch {
    // No request waits for this; while the database is unreachable, the counts are kept for the next time.
    for (const row of rows) {
      const kept = unwrittenRow(counting, row, row.day)
      for (const figure of figures) kept[figure] += row[figure]
    }
  }
}

function byKey(one: UsageDayRow, other: UsageDayRow): number {
  return one.partner_id - other.partner_id || (one.day < other.day ? -1 : Number(one.day > other.day)) || one.key_id - other.key_id
}

/** Adds to what this or other processes have written before. */
async function addRows(tx: Kysely<Tables>, rows: readonly UsageDayRow[]): Promise<void> {
  for (const some of batchesOf(rows, rowsPerStatement)) {
    await tx
      .insertInto('usage_days')
      .values(some)
      .onConflict((taken) =>
        taken.columns(['partner_id', 'day', 'key_id']).doUpdateSet((row) => ({
          requests: row('usage_days.requests', '+', row.ref('excluded.requests')),
          refused: row('usage_days.refused', '+', row.ref('excluded.refused')),
          rate_limited: row('usage_days.rate_limited', '+', row.ref('excluded.rate_limited')),
          records: row('usage_days.records', '+', row.ref('excluded.records')),
        })),
      )
      .execute()
  }
}
