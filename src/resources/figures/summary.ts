/** Summary: how a site is doing, with the figures of its pages and what changed; in short for lists of sites. */

import { date, float, integer, list, type RecordOf, string } from '../../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const siteLine = {
  site_id:                 integer('the site'),
  domain:                  string(),
  business_name:           string(),
  business_state:          string('`active` or `deactivated`', { oneOf: ['active', 'deactivated'] }),
  account_id:              integer('the account'),
  account_name:            string(),
  start_date:              date('first day of the period, in the time zone of the account'),
  end_date:                date('last day'),
  compared_start_date:     date('first day of the period it is compared with; null: nothing is compared', { nullable: true }),
  compared_end_date:       date('last day', { nullable: true }),
  measured_on:             date('the last day with a ranking, in any period', { nullable: true }),
  keywords_measured:       integer('keywords with a rank at the end of the period'),
  keywords_found:          integer('those of them that are found'),
  keywords_top_3:          integer('those on place 1 to 3'),
  keywords_top_10:         integer('those on place 1 to 10'),
  keywords_top_10_change:  integer('among the keywords measured at both ends', { nullable: true }),
  keywords_lost:           integer('found at the end of the compared period, and not found now', { nullable: true }),
  visibility:              float('0 to 100: the worth of the places, on average', { nullable: true }),
  visibility_change:       float('points, over what was measured at both ends', { nullable: true }),
  visibility_mean:         float('over all measurements of the period', { nullable: true }),
  average_position:        float('of what is found', { nullable: true }),
  average_position_change: float('places gained, over what was found at both ends; above 0 is better', { nullable: true }),
  rating:                  float('of all reviews up to the end, 1 to 5', { nullable: true }),
  rating_change:           float('since the end of the compared period', { nullable: true }),
  new_reviews:             integer('in the period; null: no review is known at all', { nullable: true }),
  low_reviews:             integer('listed reviews of one and two stars in the period'),
  attention:               string('why it may need attention, the gravest first, separated by blanks: `stale`, `lost`, `bad-reviews`, `gap`, `lost-inside`, `left-top-10`, `rating`'),
}

export type SiteLine = RecordOf<typeof siteLine>

// biome-ignore format: a table reads by its columns
const band = {
  positions: string('`1`, `2-3`, `4-10`, `11-20`, `21-50`, `51-100`, `101` (beyond 100) or `none` (not found)'),
  amount:    integer('keywords, counted on each engine and locale'),
}

// biome-ignore format: a table reads by its columns
const move = {
  keyword_id:    integer(),
  phrase:        string(),
  search_engine: string('with device and location, if it is measured on one'),
  locale:        string(),
  rank_before:   integer('null: not found', { nullable: true }),
  rank:          integer('null: not found', { nullable: true }),
}

// biome-ignore format: a table reads by its columns
const gap = {
  start_date:    date('first day without a measurement, although one was due'),
  end_date:      date('last day'),
  days:          integer(),
  search_engine: string('where only one engine lacks them', { nullable: true }),
}

// biome-ignore format: a table reads by its columns
const rival = {
  domain:         string(),
  visibility:     float('on the keywords measured for both'),
  own_visibility: float('of the site on the same keywords', { nullable: true }),
}

// biome-ignore format: a table reads by its columns
const ratedSource = {
  source:      string(),
  rating:      float('', { nullable: true }),
  reviews:     integer(),
  new_reviews: integer(),
}

// biome-ignore format: a table reads by its columns
const lowReview = {
  date:   date(),
  rating: integer(),
  source: string(),
  quote:  string('as much as is read at a glance'),
}

// biome-ignore format: a table reads by its columns
const ownSum = {
  figure: string(),
  unit:   string(),
  value:  float('the sum of the period; of a share (%) the average'),
  days:   integer('with a value'),
}

// biome-ignore format: a table reads by its columns
export const siteSummary = {
  ...siteLine,
  backlinks:         integer('the latest count', { nullable: true }),
  backlinks_change:  integer('since the end of the compared period', { nullable: true }),
  new_backlinks:     integer('found in the period'),
  domain_authority:  integer('the latest', { nullable: true }),
  clicks:            float('of all keywords in the period; null: not measured', { nullable: true }),
  reviews:           integer('all up to the end of the period'),
  distribution_week: date('the Monday of the last week with a measurement, of which the distribution is', { nullable: true }),
  distribution:      list('band', band),
  better:            list('move', move),
  better_count:      integer('all keywords on their engines that stand better than at the end of the compared period'),
  worse:             list('move', move),
  worse_count:       integer('all that stand worse'),
  gaps:              list('gap', gap),
  competitors:       list('competitor', rival),
  sources:           list('source', ratedSource),
  low_review_quotes: list('review', lowReview),
  own_figures:       list('own_figure', ownSum),
}

export type SiteSummaryRecord = RecordOf<typeof siteSummary>
export type SummaryMove = RecordOf<typeof move>
