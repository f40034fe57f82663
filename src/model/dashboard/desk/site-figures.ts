/**
 * The stored figures of each site over the last thirty days: renewed at the day's turn, and after whatever changes the sites or measurements of their account.
 * Only staff read them, so that a partner without any has none.
 */

import type { Insertable, Kysely } from 'kysely'
import { dayIn, daysLater } from '../../../lib/time/days.ts'
import { batchesOf } from '../../../lib/work/batches.ts'
import type { ReaderWork } from '../../../readers/messages.ts'
import { askReaders } from '../../../readers/pool.ts'
import type { SiteFiguresRow } from '../../../store/rows/dashboard.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { neverMeasured, readMeasuredVersions } from '../../core/report-version.ts'
import type { Period } from '../positions.ts'

export interface AskedFigures {
  readonly accountId: number
  readonly period: Period
  readonly now: string
}

type SiteFigures = Insertable<SiteFiguresRow>

export const figuresWork: ReaderWork<AskedFigures, readonly SiteFigures[]> = { name: 'figures', lane: 'long', isPatient: true }

const accountsPerRead = 500
const accountsAtOnce = 50
const rowsPerInsert = 100

export async function areFiguresStale(app: App): Promise<boolean> {
  return (await staleAccounts(app, 1)).length > 0
}

/** One account after the other, so that the pages that somebody waits for come in between. One that fails does not keep the others from theirs. */
export async function renewFigures(app: App, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (
    let some = await staleAccounts(app, accountsAtOnce);
    some.length > 0;
    some = await staleAccounts(app, accountsAtOnce, some.at(-1)?.account_id)
  )
    for (const account of some) {
      if (signal.aborted) return
      await renewAccount(app, account).catch((error: unknown) => failures.push(error))
    }
  if (failures.length > 0) throw failures[0]
}

/** What the stored figures of an account are of. */
interface Wanted {
  readonly account_id: number
  readonly day: string
  readonly versions: string
}

async function staleAccounts({ store: { db }, clock }: App, most: number, after = 0): Promise<Wanted[]> {
  const stale: Wanted[] = []
  const all = db
    .selectFrom('accounts')
    .leftJoin('account_figures', 'account_figures.account_id', 'accounts.id')
    .select(['accounts.id', 'report_version', 'time_zone', 'day', 'versions'])
    .where((account) =>
      account.exists(account.selectFrom('staff').select('user_id').whereRef('staff.partner_id', '=', 'accounts.partner_id')),
    )
    .orderBy('accounts.id')
    .limit(accountsPerRead)
  for (let rows = await all.where('accounts.id', '>', after).execute(); rows.length > 0 && stale.length < most; ) {
    const measured = await readMeasuredVersions(db, new Set(rows.map(({ id }) => id)))
    for (const { id, report_version, time_zone, day, versions } of rows) {
      const wanted = {
        account_id: id,
        day: dayIn(time_zone ?? 'UTC', clock.now()),
        versions: `${time_zone} ${report_version} ${measured.get(id) ?? neverMeasured}`,
      }
      if (day !== wanted.day || versions !== wanted.versions) stale.push(wanted)
    }
    const last = rows.at(-1)?.id ?? 0
    rows = rows.length < accountsPerRead ? [] : await all.where('accounts.id', '>', last).execute()
  }
  return stale.slice(0, most)
}

/** What changes meanwhile has another version, by which the account is found again. */
async function renewAccount(app: App, wanted: Wanted): Promise<void> {
  const asked = { accountId: wanted.account_id, period: lastDays(wanted.day), now: app.clock.now() }
  const work = await askReaders(app, figuresWork, asked, { party: 'figures' })
  const figures = await work.begun()
  await app.store.write((tx) => storeFigures(tx, wanted, figures))
}

async function storeFigures(tx: Kysely<Tables>, wanted: Wanted, figures: readonly SiteFigures[]): Promise<void> {
  await tx.deleteFrom('site_figures').where('account_id', '=', wanted.account_id).execute()
  for (const some of batchesOf(figures, rowsPerInsert)) await tx.insertInto('site_figures').values(some).execute()
  const { account_id: _, ...state } = wanted
  await tx
    .insertInto('account_figures')
    .values(wanted)
    .onConflict((on) => on.column('account_id').doUpdateSet(state))
    .execute()
}

const days = 30

function lastDays(to: string): Period {
  const from = daysLater(to, 1 - days)
  return { from, to, before: { from: daysLater(from, -days), to: daysLater(from, -1) } }
}
