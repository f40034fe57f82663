/** Removes what was measured in old months, for all accounts. */

import type { Kysely } from 'kysely'
import { isoTime } from '../../lib/time/clock.ts'
import { livingIn } from '../../store/living-owners.ts'
import type { MonthPartitions } from '../../store/month-tables.ts'
import { monthOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { allSeries, type Series, type SeriesName } from '../../store/series.ts'
import { deleteMonths, monthRows, ownerColumn } from '../../store/series-rows.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { drawVersion, renewMeasuredVersions } from '../core/report-version.ts'
import { padded, parts } from '../imports/batches.ts'
import { countOldPeriods, removeOldPeriods } from './old-periods.ts'

const ownersAtOnce = 100

export interface OldMonths {
  /** The first day that is kept. */
  readonly before: string
  /** The first day of the oldest month; null if there is none. */
  readonly since: string | null
  readonly accounts: number
  /** The number of entries, by kind. */
  readonly entries: Readonly<Record<SeriesName, number>>
  readonly periods: number
}

/** Everything before the current month and the given number of months before it. */
export async function findOldMonths({ app }: OperatorCaller, keepMonths: number): Promise<OldMonths> {
  const before = firstKept(app, keepMonths)
  const entries = Object.fromEntries(allSeries.map(({ name }) => [name, 0])) as Record<SeriesName, number>
  let since = Number.POSITIVE_INFINITY
  let [accounts, periods] = [0, 0]
  for (const accountId of await accountIds(app)) {
    const found = await Promise.all(allSeries.map((kind) => countOld(app, kind, accountId, before)))
    for (const { name, count } of found) entries[name] += count
    const together = await countOldPeriods(app, accountId, dayOf(before))
    periods += together.count
    since = Math.min(since, together.first, ...found.map(({ first }) => first))
    if ([together, ...found].some(({ count }) => count > 0)) accounts += 1
  }
  return { before: dayOf(before), since: since === Number.POSITIVE_INFINITY ? null : dayOf(monthOf(since)), accounts, entries, periods }
}

export async function removeOldMonths(caller: OperatorCaller, keepMonths: number): Promise<OldMonths> {
  const old = await findOldMonths(caller, keepMonths)
  if (old.accounts === 0) return old
  const before = firstKept(caller.app, keepMonths)
  const { months } = caller.app.store.engine
  if (months === null) await removeRows(caller, before, old)
  else await removePartitions(caller, months, before, old)
  for (const accountId of await accountIds(caller.app)) await removeOldPeriods(caller.app, accountId, old.before)
  return old
}

function firstKept({ clock }: App, keepMonths: number): number {
  const now = new Date(clock.now())
  return Math.max(0, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keepMonths, 1) / 1000)
}

function dayOf(seconds: number): string {
  return isoTime(seconds * 1000).slice(0, 10)
}

async function accountIds({ store }: App): Promise<readonly number[]> {
  return (await store.db.selectFrom('accounts').select('id').orderBy('id').execute()).map(({ id }) => id)
}

async function countOld({ store }: App, kind: Series, accountId: number, before: number) {
  const { bytes, first } = await monthRows(store.db, kind.table, accountId)
    .select(({ fn }) => [fn.sum<number | null>(fn('length', ['data'])).as('bytes'), fn.min<number | null>('starts_at').as('first')])
    .where('starts_at', '<', before)
    .where(ownerColumn(kind), 'in', livingIn(store.db, kind.owners, accountId))
    .executeTakeFirstOrThrow()
  return { name: kind.name, count: Number(bytes ?? 0) / (4 * kind.layout.words), first: first ?? Number.POSITIVE_INFINITY }
}

function note(tx: Kysely<Tables>, caller: OperatorCaller, old: OldMonths): Promise<void> {
  return audit(tx, caller, 'database.remove_months', { id: null }, { before: old })
}

/** One transaction: reports of before and after have different versions. */
async function removePartitions(caller: OperatorCaller, months: MonthPartitions, before: number, old: OldMonths): Promise<void> {
  const stored = await months.list()
  await caller.app.store.write(async (tx) => {
    await months.lockWriters(tx)
    await note(tx, caller, old)
    await renewAllVersions(tx)
    await months.remove(
      tx,
      stored.filter(({ to }) => to <= before),
    )
  }, 'unlimited')
  // A partition that is longer than a month may have to go in part.
  if (stored.some(({ from, to }) => from < before && before < to)) await removeOldRows(caller.app, before)
}

/** Nobody measures meanwhile, so these are all accounts that have measurements. */
async function renewAllVersions(tx: Kysely<Tables>): Promise<void> {
  const accounts = await tx.selectFrom('measured_versions').select('account_id').orderBy('account_id').execute()
  for (const part of parts(accounts)) {
    await tx
      .insertInto('measured_versions')
      .values(part.map(({ account_id }) => ({ account_id, version: drawVersion() })))
      .onConflict((taken) => taken.column('account_id').doUpdateSet((row) => ({ version: row.ref('excluded.version') })))
      .execute()
  }
}

async function removeRows(caller: OperatorCaller, before: number, old: OldMonths): Promise<void> {
  await caller.app.store.write((tx) => note(tx, caller, old))
  await removeOldRows(caller.app, before)
}

/** In small transactions, each with a new version of its account, so that nobody waits long. */
async function removeOldRows(app: App, before: number): Promise<void> {
  for (const accountId of await accountIds(app)) {
    for (const kind of allSeries) for (let some = true; some; ) some = await removeSome(app, kind, accountId, before)
  }
}

async function removeSome({ store }: App, kind: Series, accountId: number, before: number): Promise<boolean> {
  const owner = ownerColumn(kind)
  return store.write(async (tx) => {
    const rows = await monthRows(tx, kind.table, accountId)
      .select(owner.as('owner'))
      .distinct()
      .where('starts_at', '<', before)
      .limit(ownersAtOnce)
      .execute()
    if (rows.length === 0) return false
    await renewMeasuredVersions(tx, [accountId])
    await deleteMonths(tx, kind.table, accountId)
      .where(owner, 'in', padded(rows.map((row) => row.owner)))
      .where('starts_at', '<', before)
      .execute()
    return true
  })
}
