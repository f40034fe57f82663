/** Turns the query of a report into a report question. */

import { refuse, refusePlainly } from '../lib/failures.ts'
import type { PartnerCaller } from '../model/core/caller.ts'
import { oneSeries, type RankingChoice, type ReportQuestion, type SeoTable } from '../model/reports/question.ts'
import { deviceIn } from '../resources/tracked.ts'
import type { Format } from './format.ts'
import type { reputationFilters, seoFilters } from './parameters.ts'
import type { QueryOf } from './query.ts'

type SeoQuery = QueryOf<typeof seoFilters>
type ReputationQuery = QueryOf<typeof reputationFilters>

export function seoQuestion(caller: PartnerCaller, query: SeoQuery, format: Format): ReportQuestion {
  return {
    ...common(caller, query),
    report: 'seo',
    format,
    names: format === 'xml' ? namesIn(caller, query) : 'encoded',
    table: format === 'csv' ? tableIn(query) : null,
    accountIds: query.account_id ?? null,
    ...rankingsIn(caller, query),
  }
}

export function reputationQuestion(
  caller: PartnerCaller,
  query: ReputationQuery,
  format: Format,
  report: 'detail' | 'counts',
  accountId: number,
): ReportQuestion {
  return { ...common(caller, query), report, format, names: 'encoded', table: null, accountIds: [accountId], ...oneSeries }
}

function common({ accountIds: reach, token }: PartnerCaller, { start_date, end_date, site_id }: ReputationQuery) {
  if (start_date !== undefined && end_date !== undefined && start_date > end_date)
    refusePlainly('bad_request', 'The start_date is after the end_date')
  const siteIds = token?.siteId == null ? (site_id ?? null) : onlyOwn(token.siteId, site_id)
  return { siteIds, reach, startDate: start_date ?? null, endDate: end_date ?? null }
}

/** A token of one site finds no other, as if there were none. */
function onlyOwn(own: number, asked: readonly number[] = [own]): readonly number[] {
  const foreign = asked.filter((id) => id !== own)
  return foreign.length === 0 ? [own] : refuse('not_found', `Site not found: ${foreign.join(', ')}`)
}

/** The query overrides the partner's setting, which overrides the service's. */
function namesIn({ names, app }: PartnerCaller, query: SeoQuery): 'encoded' | 'legacy' {
  return query.names ?? names ?? app.settings.names
}

/** The query overrides the partner's setting. */
function rankingsIn(caller: PartnerCaller, { series, device, location }: SeoQuery): RankingChoice {
  return {
    series: series ?? caller.series ?? 'one',
    device: device === undefined ? null : deviceIn(device),
    location: location?.trim() ?? null,
  }
}

function tableIn({ table }: SeoQuery): SeoTable {
  return table ?? refusePlainly('bad_request', 'The parameter table must be one of rankings, backlinks, metrics')
}
