/** Presets for the exports of other tools: which column is which field, values that apply to all rows, and the meaning of their markers. */

import type { ObservationKind } from './observation.ts'

/** How the rows of a foreign CSV file become records. Column names are normalized: lower case, one underscore between words. */
export interface CsvMapping {
  readonly kind?: ObservationKind
  /** Maps a column to a field; an empty field skips the column. */
  readonly columns?: Readonly<Record<string, string>>
  /** Maps a field to its value in every row. */
  readonly set?: Readonly<Record<string, string>>
  /** The markers for "looked for and not found", in lower case. */
  readonly notFound?: readonly string[]
  /** Maps a field to the meaning of its words: `{ rating: { five: '5' } }`. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** What is cut off the beginning of numbers and domains: `www.`, `+`. */
  readonly strip?: readonly string[]
  /** Such as `dd.mm.yyyy`; the default is `yyyy-mm-dd`. */
  readonly dateFormat?: string
  /** The decimal separator; the other character then separates thousands. */
  readonly decimal?: '.' | ','
  /** Whether decimals are rounded to whole numbers. */
  readonly round?: boolean
  /** The day of every row, if the file has no date column. */
  readonly date?: string
  /** The field whose values are in the columns named by dates (a pivot table). */
  readonly unpivot?: string
  /** Whether account ids in the file are those of the accounts the import is for. */
  readonly keepsAccounts?: boolean
  /** Whether surplus cells of a row belong to its last column. */
  readonly overflows?: boolean
}

export interface ImportPreset extends CsvMapping {
  readonly says: string
  readonly kind: ObservationKind
  /** The further options that a command needs, as for the sample in docs/samples. */
  readonly needs: string
}

const google = { search_engine: 'Google' }

export const importPresets: Readonly<Record<string, ImportPreset>> = {
  'search-console': {
    says: 'Google Search Console, performance by query, of one day (`--date`) or with a Date column',
    needs: '--site 9 --set locale=en-us --round',
    kind: 'ranking',
    columns: {
      top_queries: 'phrase',
      query: 'phrase',
      date: 'ranked_at',
      position: 'rank',
      average_position: 'rank',
      clicks: 'clicks',
      impressions: 'impressions',
    },
    set: google,
  },
  'business-profile': {
    says: 'Google Business Profile, reviews with the names of the Business Profile API',
    needs: '--site 9 --set page_url=https://maps.example/place/1',
    kind: 'review',
    columns: {
      review_id: 'ref',
      reviewid: 'ref',
      reviewer_display_name: 'user',
      reviewer_displayname: 'user',
      star_rating: 'rating',
      starrating: 'rating',
      comment: 'detail',
      create_time: 'date',
      createtime: 'date',
    },
    set: { source: 'google' },
    words: { rating: { one: '1', two: '2', three: '3', four: '4', five: '5' } },
  },
  brightlocal: {
    says: 'BrightLocal, reviews of a Reputation Manager report',
    needs: '--site 9 --set page_url=https://maps.example/place/1 --date-format dd/mm/yyyy',
    kind: 'review',
    columns: {
      review_date: 'date',
      date: 'date',
      site: 'source',
      directory: 'source',
      source: 'source',
      reviewer: 'user',
      author: 'user',
      star_rating: 'rating',
      rating: 'rating',
      review: 'detail',
      review_text: 'detail',
      review_title: 'header',
      review_url: 'url',
      link: 'url',
    },
  },
  'se-ranking': {
    says: 'SE Ranking, positions with a column for each day',
    needs: '--site 9 --set search_engine=Google --set locale=en-us',
    kind: 'ranking',
    columns: {
      keyword: 'phrase',
      keywords: 'phrase',
      search_engine: 'search_engine',
      volume: 'search_volume',
      search_vol: 'search_volume',
      group: 'tags',
      tags: 'tags',
      url: 'url',
    },
    unpivot: 'rank',
    notFound: ['-', '>100', 'not in top 100', '0'],
  },
  serpbear: {
    says: 'SerpBear, keywords of a domain',
    needs: '--site 9 --set locale=en-us',
    kind: 'ranking',
    columns: { keyword: 'phrase', position: 'rank', url: 'url', updated: 'ranked_at', tags: 'tags' },
    set: google,
    notFound: ['-', '0'],
    overflows: true,
  },
  semrush: {
    says: 'Semrush, organic positions of a domain',
    needs: '--site 9 --set locale=en-us',
    kind: 'ranking',
    columns: {
      keyword: 'phrase',
      position: 'rank',
      search_volume: 'search_volume',
      url: 'url',
      tags: 'tags',
      timestamp: 'ranked_at',
    },
    set: google,
    notFound: ['-', 'n/a'],
  },
  ahrefs: {
    says: 'Ahrefs, backlinks of a domain',
    needs: '--site 9',
    kind: 'backlink',
    columns: {
      referring_page_url: 'source_url',
      domain_rating: 'domain_authority',
      dr: 'domain_authority',
      ur: 'link_strength',
      url_rating: 'link_strength',
      anchor: 'anchor_text',
      first_seen: 'found_on',
    },
  },
  'ahrefs-keywords': {
    says: 'Ahrefs, organic keywords of a domain',
    needs: '--site 9 --set locale=en-us',
    kind: 'ranking',
    columns: {
      keyword: 'phrase',
      volume: 'search_volume',
      current_position: 'rank',
      position: 'rank',
      current_url: 'url',
      url: 'url',
      tags: 'tags',
      updated: 'ranked_at',
      current_date: 'ranked_at',
    },
    set: google,
    notFound: ['-', 'lost'],
  },
  moz: {
    says: 'Moz Link Explorer, inbound links',
    needs: '--site 9',
    kind: 'backlink',
    columns: {
      url: 'source_url',
      da: 'domain_authority',
      domain_authority: 'domain_authority',
      pa: 'link_strength',
      page_authority: 'link_strength',
      anchor_text: 'anchor_text',
      first_seen: 'found_on',
      date_first_seen: 'found_on',
    },
  },
  'data-for-seo': {
    says: 'DataForSEO, organic results of the SERP API as rows',
    needs: '--account 5',
    kind: 'ranking',
    columns: {
      keyword: 'phrase',
      se_domain: 'search_engine',
      language_code: 'locale',
      datetime: 'ranked_at',
      rank_group: 'rank',
      url: 'url',
      search_volume: 'search_volume',
      domain: 'site',
    },
  },
}
