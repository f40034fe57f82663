/** Notes which sites, competitors, pages and locations that are there already the records of an import belong to: while it stands, no other undo takes them away. */

import type { Kysely } from 'kysely'
import { batchesOf } from '../../../lib/work/batches.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { pageKeyHash } from '../../core/place-rows.ts'
import { lockMeasuredVersions, lockReportVersions } from '../../core/report-version.ts'
import type { RowTouch } from '../../core/steps.ts'
import { padded, rowsPerWrite } from '../batches.ts'
import type { PageRef, SiteRef, SubjectRef } from '../refs.ts'
import { noCounts } from '../summary.ts'
import type { Applying } from './applying.ts'

export async function claimUsed(work: Applying): Promise<void> {
  const { caller, reach, journal, write } = work
  const { store } = caller.app
  const pages = reach.pages.filter(isUsedAlready)
  const sites = reach.sites.filter(isUsedAlready)
  const located = [...new Set(pages.map(({ subject }) => subject.site))]
  for (const [accountId, some] of inWrites(sites, (site) => site))
    await write(async (tx) => {
      await lockReportVersions(store, tx, [accountId])
      await claimSites(work, tx, accountId, some)
    })
  for (const [accountId, some] of inWrites(located, (site) => site))
    await write(async (tx) => {
      await lockReportVersions(store, tx, [accountId])
      // A page needs the location of its site.
      const locations = some.map(({ id }): RowTouch => ({ owner: id, key: '', before: {} }))
      await journal.keepRows(tx, accountId, 'location', locations, noCounts())
    })
  for (const [accountId, some] of inWrites(reach.subjects.filter(isUsedAlready), ({ site }) => site))
    await write(async (tx) => {
      await lockMeasuredVersions(store, tx, [accountId])
      await journal.keepOwners(tx, accountId, 'subject', { made: [], used: some.map(({ id }) => id) })
    })
  for (const [accountId, some] of inWrites(pages, ({ subject }) => subject.site))
    await write(async (tx) => {
      await lockMeasuredVersions(store, tx, [accountId])
      await journal.keepRows(tx, accountId, 'page', some.map(touchOf), noCounts())
    })
}

function isUsedAlready({ id, isUsed }: SiteRef | SubjectRef | PageRef): boolean {
  return isUsed && id > 0
}

/** By account, as many as one transaction should hold. */
function* inWrites<T>(all: readonly T[], siteOf: (one: T) => SiteRef): Generator<[accountId: number, some: readonly T[]]> {
  for (const [accountId, ours] of Map.groupBy(all, (one) => siteOf(one).account_id))
    for (const some of batchesOf(ours, rowsPerWrite)) yield [accountId, some]
}

/** The businesses of sites are referred to with them. */
async function claimSites({ journal }: Applying, tx: Kysely<Tables>, accountId: number, sites: readonly SiteRef[]): Promise<void> {
  const ids = sites.map(({ id }) => id)
  await journal.keepOwners(tx, accountId, 'site', { made: [], used: ids })
  const businesses = tx.selectFrom('sites').select('business_id').distinct().where('account_id', '=', accountId)
  const used = (await businesses.where('id', 'in', padded(ids)).execute()).map(({ business_id }) => business_id)
  await journal.keepOwners(tx, accountId, 'business', { made: [], used })
}

function touchOf({ subject, source, page_url }: PageRef): RowTouch {
  return { owner: subject.id, key: pageKeyHash(source, page_url), before: {} }
}
