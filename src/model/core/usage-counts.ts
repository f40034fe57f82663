/** How much each key is used, counted in memory and added to the database every few seconds, off the path of requests. */

import type { Kysely } from 'kysely'
import type { Tables, UsageDayRow } from '../../store/rows/tables.ts'
import { type App, perApp } from './app.ts'

/** Whose use is counted. */
export type UsageOwner = Pick<UsageDayRow, 'partner_id' | 'key_id'>

/** The operator imports for a partner without a key. */
export const operatorKeyId = 0

interface Counting {
  /** What is not written yet, by day, partner and key. */
  unwritten: Map<string, UsageDayRow>
  timer: NodeJS.Timeout | null
  /** Resolves when the writes that were begun are over. */
  writing: Promise<void>
}

const flushMilliseconds = 5_000
/** While the database is away for long, what other keys do is not counted. */
const mostUnwritten = 10_000
const rowsPerStatement = 500

const countingOn = perApp((app): Counting => {
  app.beforeClose.push(() => writeUsage(app))
  return { unwritten: new Map(), timer: null, writing: Promise.resolve() }
})

/** To be called once a request of a known key is answered. */
export function countAnswer(app: App, owner: UsageOwner, status: number): void {
  const isRefused = status >= 400 && status < 500
  count(app, { ...today(app, owner), requests: 1, refused: isRefused ? 1 : 0, rate_limited: status === 429 ? 1 : 0 })
}

/** To be called once the records are committed. */
export function countRecords(app: App, owner: UsageOwner, records: number): void {
  if (records > 0) count(app, { ...today(app, owner), records })
}

/** Resolves when all that was counted until now is written, or could not be. */
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

function today({ clock }: App, { partner_id, key_id }: UsageOwner): UsageDayRow {
  return { partner_id, day: clock.now().slice(0, 10), key_id, requests: 0, refused: 0, rate_limited: 0, records: 0 }
}

function count(app: App, more: UsageDayRow): void {
  const counting = countingOn(app)
  add(counting, more)
  counting.timer ??= setTimeout(() => void writeUsage(app), flushMilliseconds).unref()
}

function add({ unwritten }: Counting, more: UsageDayRow): void {
  const name = `${more.day} ${more.partner_id} ${more.key_id}`
  const row = unwritten.get(name)
  if (row === undefined) {
    if (unwritten.size < mostUnwritten) unwritten.set(name, more)
  } else {
    for (const figure of figures) row[figure] += more[figure]
  }
}

const figures = ['requests', 'refused', 'rate_limited', 'records'] as const

async function writeUnwritten({ store }: App, counting: Counting): Promise<void> {
  // In one order for all processes, so that no two of them wait for each other's rows.
  const rows = [...counting.unwritten.values()].toSorted(byKey)
  counting.unwritten = new Map()
  if (rows.length === 0) return
  try {
    await store.write((tx) => addRows(tx, rows))
  } catch {
    // Nobody waits for this; while the database is away, the counts are kept for the next time.
    for (const row of rows) add(counting, row)
  }
}

function byKey(one: UsageDayRow, other: UsageDayRow): number {
  return one.partner_id - other.partner_id || (one.day < other.day ? -1 : Number(one.day > other.day)) || one.key_id - other.key_id
}

/** Adds to what this process or others have written before. */
async function addRows(tx: Kysely<Tables>, rows: readonly UsageDayRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    await tx
      .insertInto('usage_days')
      .values(rows.slice(at, at + rowsPerStatement))
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
