/** The rows of what is measured: subjects with their figures, links and rankings; locations with their pages and reviews. */

import type { Generated } from 'kysely'

type Bit = 0 | 1
type Moment = string
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
  old_ids: OldIdRow
}

/** A site or one of its competitors: what is measured hangs below it. A site has its own subject from its first measurement on. */
export interface SubjectRow {
  id: Generated<number>
  account_id: number
  site_id: number
  /** The competitor's; empty for the site itself. The id of such a row is the competitor's id. */
  domain: string
  created_at: Moment
}

/** Drawn anew whenever what is measured of the account changes, so that no version is ever used for two states; no row is version 0. */
export interface MeasuredVersionRow {
  account_id: number
  version: number
}

/** The account's code for an engine and a locale in packed months; review sources have the locale ''. */
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
  /** Searches in a month, as the tool tells; null is not known. */
  search_volume: number | null
  /** In order and with commas between them; null where it has none. */
  tags: string | null
}

/** The subject's code for an address in packed months: which of its pages was ranked. */
export interface RankedUrlRow {
  account_id: number
  subject_id: number
  code: number
  url: string
  /** Of the address, which is too long for an index. */
  key_hash: string
}

/** A chunk of packed-months.ts. */
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
  /** Of source_url and anchor_text, which are too long for an index. */
  key_hash: string
}

/** Figures of a day; null was not measured. */
export interface SnapshotRow {
  account_id: number
  subject_id: number
  day: Day
  download_time: number | null
  pages_indexed_in_google: number | null
  pages_indexed_in_bing: number | null
  pages_indexed_in_yahoo: number | null
  domain_authority: number | null
  /** 1 where domain_authority was measured that day: null then means that it has none. */
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

/** Of a competitor, or of a site's location where the subject is the site itself. */
export interface PageRow {
  id: Generated<number>
  account_id: number
  subject_id: number
  source: string
  page_url: string
  match_confidence: number
  last_updated: Day
  created_at: Moment
  /** Of source and page_url. */
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
  /** The source's own name of the review. */
  ref: string | null
  /** Of ref, or else of date, user and detail. */
  key_hash: string
}

/** A chunk of packed-months.ts. */
export interface ReviewCountMonthRow {
  account_id: number
  page_id: number
  starts_at: number
  data: Uint8Array
}

/** Ids that records had in a service a partner came from. */
export interface OldIdRow {
  partner_id: number
  /** Those that were copied from an installation have its name before the id. */
  kind: 'account' | 'site' | 'competitor' | 'copied account' | 'copied business' | 'copied site' | 'copied user'
  old_id: string
  new_id: number
}
