/** Notes which sites, competitors, pages and locations that are there already the records of an import belong to: while it stands, no other undo takes them away. */

import { pageKeyHash } from '../../core/place-rows.ts'
import { lockMeasuredVersions, lockReportVersions } from '../../core/report-version.ts'
import type { RowTouch } from '../../core/steps.ts'
import { padded } from '../batches.ts'
import type { PageRef, SiteRef, SubjectRef } from '../refs.ts'
import { noCounts } from '../summary.ts'
import type { Applying } from './applying.ts'

export async function claimUsed({ caller, reach, journal, write }: Applying): Promise<void> {
  const { store } = caller.app
  const sites = Map.groupBy(reach.sites.filter(isUsedAlready), ({ account_id }) => account_id)
  const pages = Map.groupBy(reach.pages.filter(isUsedAlready), ({ subject }) => subject.site.account_id)
  const subjects = Map.groupBy(reach.subjects.filter(isUsedAlready), ({ site }) => site.account_id)
  for (const [accountId, some] of sites)
    await write(async (tx) => {
      await lockReportVersions(store, tx, [accountId])
      const ids = some.map(({ id }) => id)
      await journal.keepOwners(tx, accountId, 'site', { made: [], used: ids })
      const businesses = tx.selectFrom('sites').select('business_id').distinct().where('account_id', '=', accountId)
      const used = (await businesses.where('id', 'in', padded(ids)).execute()).map(({ business_id }) => business_id)
      await journal.keepOwners(tx, accountId, 'business', { made: [], used })
      await journal.keepRows(tx, accountId, 'location', locationsOf(pages.get(accountId) ?? []), noCounts())
    })
  for (const [accountId, some] of subjects)
    await write(async (tx) => {
      await lockMeasuredVersions(store, tx, [accountId])
      await journal.keepOwners(tx, accountId, 'subject', { made: [], used: some.map(({ id }) => id) })
      await journal.keepRows(tx, accountId, 'page', (pages.get(accountId) ?? []).map(touchOf), noCounts())
    })
}

function isUsedAlready({ id, isUsed }: SiteRef | SubjectRef | PageRef): boolean {
  return isUsed && id > 0
}

/** A page needs the location of its site. */
function locationsOf(pages: readonly PageRef[]): RowTouch[] {
  return [...new Set(pages.map(({ subject }) => subject.site.id))].map((owner) => ({ owner, key: '', before: {} }))
}

function touchOf({ subject, source, page_url }: PageRef): RowTouch {
  return { owner: subject.id, key: pageKeyHash(source, page_url), before: {} }
}
