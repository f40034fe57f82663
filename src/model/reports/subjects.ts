/** The subjects of a report: each site itself and its competitors, in the order in which they are printed. */

import { isOneOrMore, type SnapshotReader } from './prefetch.ts'

/** A site itself or one of its competitors. */
export interface SubjectInReport {
  readonly id: number
  readonly account_id: number
  readonly site_id: number
  readonly domain: string
}

/** Sites by id, each before its competitors, those by id. */
export async function readReportSubjects(
  reading: SnapshotReader,
  accountIds: ReadonlySet<number>,
  siteIds: readonly number[],
): Promise<SubjectInReport[]> {
  const subjects = await reading.db
    .selectFrom('subjects')
    .select(['id', 'account_id', 'site_id', 'domain'])
    .where(isOneOrMore(reading, 'account_id', accountIds))
    .where(reading.isOneOf('site_id', siteIds))
    .execute()
  const place = new Map(siteIds.map((id, index) => [id, index]))
  const order = ({ site_id, domain, id }: SubjectInReport) => [place.get(site_id) ?? 0, domain === '' ? 0 : id] as const
  return subjects.sort((a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1])
}
