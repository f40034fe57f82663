/** Summaries and rankings: composed by reader threads, answered as records, lists and tables. */

import { refusePlainly } from '../../lib/failures.ts'
import { type AskedPeriod, complaintOf } from '../../model/dashboard/periods/chosen-period.ts'
import { readRankings } from '../../model/dashboard/rankings/rankings-work.ts'
import { readSiteLines, readSummary } from '../../model/dashboard/summary/summary-work.ts'
import type { Call } from '../endpoint.ts'
import type { periodFilters, rankingFilters, summaryFilters } from '../parameters/figures.ts'

const usualLimit = 100

export function ofSite({ caller, ids: [id], query, client }: Call<typeof periodFilters>) {
  return readSummary(caller, id, periodIn(query), client)
}

export function ofAccount({ caller, ids: [accountId], query, client }: Call<typeof summaryFilters>) {
  return readSiteLines(caller, { accountId, period: periodIn(query), ...pageIn(query) }, client)
}

export function ofAll({ caller, query, client }: Call<typeof summaryFilters>) {
  return readSiteLines(caller, { accountId: null, period: periodIn(query), ...pageIn(query) }, client)
}

export function rankings({ caller, ids: [siteId], query, client }: Call<typeof rankingFilters>) {
  const { after: _, limit: __, ...filters } = query
  const { start_date, end_date } = filters
  if (start_date !== undefined && end_date !== undefined && start_date > end_date) refuseOrder()
  return readRankings(caller, { siteId, filters, ...pageIn(query) }, client)
}

function pageIn({ after, limit = usualLimit }: { readonly after?: string; readonly limit?: number }) {
  return { after, limit }
}

/** Two days go before a number of days, or a month by name, as on the pages. */
function periodIn({ start_date, end_date, days, period, compare }: Call<typeof periodFilters>['query']): AskedPeriod {
  if (start_date !== undefined && end_date !== undefined && start_date > end_date) refuseOrder()
  const isWhole = start_date !== undefined && end_date !== undefined
  if ((start_date !== undefined || end_date !== undefined) && !isWhole)
    refusePlainly('bad_request', 'The parameters start_date and end_date are given together')
  if (isWhole && complaintOf(start_date, end_date) !== null)
    refusePlainly('bad_request', 'A period spans three years at most, from 1990 on')
  return { from: start_date ?? null, to: end_date ?? null, days: days ?? null, period: period ?? null, compare: compare ?? null }
}

function refuseOrder(): never {
  return refusePlainly('bad_request', 'The start_date is after the end_date')
}
