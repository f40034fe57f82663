/** One site as a line: where its keywords stand, how it is rated and why it may need attention, with the period it is told of. */

import type { SiteLine } from '../../../resources/figures/summary.ts'
import type { OpenedSite } from '../../people/visible-sites.ts'
import { reasonsOf, type SiteSummary } from '../attention/attention.ts'
import type { Period } from '../positions.ts'
import type { Standings } from '../standing.ts'

/** A site with the names around it. */
export interface NamedSite extends OpenedSite {
  readonly domain: string
  readonly business_name: string
  readonly business_state: 'active' | 'deactivated'
  readonly account_name: string
  readonly time_zone: string
}

export type LineFacts = Omit<SiteSummary, 'slots'>

export function siteLineOf(site: NamedSite, period: Period, facts: LineFacts): SiteLine {
  const { id, domain, business_name, business_state, account_id, account_name } = site
  const { measuredOn, rating, ratingBefore, newReviews, badReviews, mean } = facts
  return {
    site_id: id,
    domain,
    business_name,
    business_state,
    account_id,
    account_name,
    start_date: period.from,
    end_date: period.to,
    compared_start_date: period.before?.from ?? null,
    compared_end_date: period.before?.to ?? null,
    measured_on: measuredOn,
    ...standingFields(facts.standings),
    visibility_mean: rounded(mean),
    rating: rounded(rating),
    rating_change: differenceOf(rating, ratingBefore),
    new_reviews: newReviews,
    low_reviews: badReviews,
    attention: business_state === 'deactivated' ? '' : [...new Set(reasonsOf(facts).map(({ kind }) => kind))].join(' '),
  }
}

function standingFields({ now, compared }: Standings) {
  const [same, then, averages] = [compared?.now, compared?.before, compared?.averages]
  return {
    keywords_measured: now.keywords,
    keywords_found: now.keywordsFound,
    keywords_top_3: now.keywordsTop3,
    keywords_top_10: now.keywordsTop10,
    keywords_top_10_change: differenceOf(same?.keywordsTop10, then?.keywordsTop10),
    keywords_lost: compared?.lost ?? null,
    visibility: rounded(now.visibility),
    visibility_change: differenceOf(same?.visibility, then?.visibility),
    average_position: rounded(now.average),
    // Places gained: a smaller position is better.
    average_position_change: differenceOf(averages?.before, averages?.now),
  }
}

/** As the tables of the pages round. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000
}

export function differenceOf(now: number | null | undefined, before: number | null | undefined): number | null {
  return now == null || before == null ? null : rounded(now - before)
}
