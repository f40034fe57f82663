/** Rows of measurements: subjects with their figures, links and rankings; locations with their pages and reviews. */

import type { Generated } from 'kysely'
import type { Bit, Moment } from './values.ts'

type Day = string

export interface MeasurementTables {
  subjects: SubjectRow
  measured_versions: MeasuredVersionRow
  sources: SourceRow
  keywords: KeywordRow
  ranking_months: KeywordMonthRow
  ranked_urls: RankedUrlRow
  ranked_url_months: KeywordMonthRow
  click_count_months: KeywordMonthRow
  backlinks: BacklinkRow
  snapshots: SnapshotRow
  locations: LocationRow
  pages: PageRow
  reviews: ReviewRow
  review_count_months: ReviewCountMonthRow
  own_figure_months: OwnFigureMonthRow
  average_position_months: AveragePositionMonthRow
  periods: PeriodRow
  old_ids: OldIdRow
  removals: RemovalRow
  plain_series: PlainSeriesRow
}

/** A site or one of its competitors, to which measurements belong. A site gets a subject with its first measurement. */
export interface SubjectRow {
  id: Generated<number>
  account_id: number
  site_id: number
  /** The competitor's domain; empty for the site itself. The id of a competitor's row is the competitor's id. */
  domain: string
  created_at: Moment
}

/** The version is a new random number whenever a measurement of the account changes, so that no version stands for two states; a missing row means version 0. */
export interface MeasuredVersionRow {
  account_id: number
  version: number
}

/** The account's code for an engine and a locale in packed months; review sources have an empty locale. */
export interface SourceRow {
  account_id: number
  code: number
  engine: string
  locale: string
}

export interface KeywordRow {
  id: Generated<number>
  account_id: number
  subject_id: number
  phrase: string
  /** Searches per month as reported by the tool; null if unknown. */
  search_volume: number | null
  /** Sorted and separated by commas; null if there are none. */
  tags: string | null
}

/** The subject's code in packed months for the address of a ranked page. */
export interface RankedUrlRow {
  account_id: number
  subject_id: number
  code: number
  url: string
  /** The hash of the address, which is too long for an index. */
  key_hash: string
}

/** A chunk as packed-months.ts defines it. */
export interface KeywordMonthRow {
  account_id: number
  keyword_id: number
  starts_at: number
  data: Uint8Array
}

export interface BacklinkRow {
  id: Generated<number>
  account_id: number
  subject_id: number
  found_on: Day
  domain: string
  link_strength: number
  source_url: string
  domain_authority: number
  anchor_text: string
  /** The hash of source_url and anchor_text, which are too long for an index. */
  key_hash: string
}

/** Figures of one day; null means not measured. */
export interface SnapshotRow {
  account_id: number
  subject_id: number
  day: Day
  download_time: number | null
  pages_indexed_in_google: number | null
  pages_indexed_in_bing: number | null
  pages_indexed_in_yahoo: number | null
  domain_authority: number | null
  /** 1 if domain_authority was measured that day; null in domain_authority then means that it has none. */
  authority_known: Bit
  backlink_count: number | null
  domain_count: number | null
  domain_age: number | null
}

export interface LocationRow {
  id: Generated<number>
  account_id: number
  site_id: number
  twitter_page: string | null
  facebook_page: string | null
  created_at: Moment
}

/** A page with reviews: of a competitor, or of a location where the subject is the site itself. */
export interface PageRow {
  id: Generated<number>
  account_id: number
  subject_id: number
  source: string
  page_url: string
  match_confidence: number
  last_updated: Day
  created_at: Moment
  /** The hash of source and page_url. */
  key_hash: string
}

export interface ReviewRow {
  id: Generated<number>
  account_id: number
  page_id: number
  date: Day
  rating: number
  created_at: Moment
  business_name: string
  sentiment_score: number
  url: string
  total: number
  header: string
  detail: string
  user: string
  source: string
  /** A language tag, and what the owner of the business answered; null where nobody told. */
  language: string | null
  answer: string | null
  /** The id that the source gives to the review. */
  ref: string | null
  /** The hash of ref, or of date, user and detail if there is no ref. */
  key_hash: string
}

/** A chunk as packed-months.ts defines it. */
export interface ReviewCountMonthRow {
  account_id: number
  page_id: number
  starts_at: number
  data: Uint8Array
}

/** A record that was removed, and whose rows in measured tables are still to be deleted. */
export interface RemovalRow {
  account_id: number
  kind: 'subject' | 'keyword' | 'page'
  id: number
}

/** What files of a site call their plain ranks: these of them are stored without device and location, from the first such file on. */
export interface PlainSeriesRow {
  account_id: number
  site_id: number
  engine: string
  locale: string
  device: string
  location: string
  /** The intake that told it, or a later one that went on with it. */
  intake_id: number
}

/** A chunk as packed-months.ts defines it; the figures are the site's, so that their subject is the site itself. */
export interface OwnFigureMonthRow {
  account_id: number
  subject_id: number
  starts_at: number
  data: Uint8Array
}

export interface AveragePositionMonthRow {
  account_id: number
  keyword_id: number
  starts_at: number
  data: Uint8Array
}

/** What was measured of a keyword over several days together. */
export interface PeriodRow {
  account_id: number
  keyword_id: number
  /** The hash of the period and its source. */
  key_hash: string
  start_date: Day
  end_date: Day
  search_engine: string
  locale: string
  device: string
  location: string
  clicks: number | null
  impressions: number | null
  average_position: number | null
}

/** Ids that records had in the service from which a partner migrated. */
export interface OldIdRow {
  partner_id: number
  /** The ids of kinds that begin with `copied` are prefixed by the name of the installation they come from. */
  kind: 'account' | 'site' | 'competitor' | 'copied account' | 'copied business' | 'copied site' | 'copied user'
  old_id: string
  new_id: number
}
