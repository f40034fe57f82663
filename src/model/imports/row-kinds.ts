/** The kinds of records stored as rows: their table, natural key, columns, and the default values of a new row. */

import type { Value } from '../../fields/incoming.ts'
import type { Values } from '../../fields/read-incoming.ts'
import { siteFigureNames } from '../../resources/seo-report.ts'
import { hashOf, initialLocation, initialPage, pageKeyHash } from '../core/place-rows.ts'
import type { References } from './references.ts'
import type { PageRef } from './refs.ts'
import type { RowKindName, SpooledRow } from './spools.ts'

export type Row = Record<string, Value>

export interface Owner {
  readonly id: number
  readonly account_id: number
  /** The page to which the record belongs, if it belongs to one. */
  readonly page?: PageRef
}

export interface RowKind {
  readonly table: 'subjects' | 'keywords' | 'locations' | 'snapshots' | 'backlinks' | 'pages' | 'reviews' | 'periods'
  readonly owner: 'site_id' | 'subject_id' | 'keyword_id' | 'page_id'
  /** The column that forms the natural key together with the owner. */
  readonly second?: 'domain' | 'phrase' | 'day' | 'key_hash'
  readonly columns: readonly string[]
  /** Columns of later versions: where they hold nothing, the row is the one that steps of earlier versions know. */
  readonly later?: readonly string[]
  /** Its rows are made before anything is said of them; steps name them by their ids, because another one may have the same key later. */
  readonly isMadeBefore?: true
  /** The column with who wrote the words of a row. */
  readonly author?: string
  ownerAt(reach: References, spooled: SpooledRow): Owner
  key(values: Values): string
  initially(values: Values, owner: Owner, now: string): Row
}

const periodKey = ['start_date', 'end_date', 'search_engine', 'locale', 'device', 'location'] as const

export const rowKinds: Record<RowKindName, RowKind> = {
  competitor: {
    table: 'subjects',
    owner: 'site_id',
    second: 'domain',
    columns: ['created_at'],
    isMadeBefore: true,
    ownerAt: siteAt,
    key: ({ competitor }) => competitor as string,
    initially: (_values, _owner, now) => ({ created_at: now }),
  },
  keyword: {
    table: 'keywords',
    owner: 'subject_id',
    second: 'phrase',
    columns: ['search_volume', 'tags'],
    isMadeBefore: true,
    ownerAt: subjectAt,
    key: ({ phrase }) => phrase as string,
    initially: () => ({ search_volume: null, tags: null }),
  },
  location: {
    table: 'locations',
    owner: 'site_id',
    columns: ['twitter_page', 'facebook_page', 'created_at'],
    ownerAt: siteAt,
    key: () => '',
    initially: (_values, _owner, now) => initialLocation(now),
  },
  snapshot: {
    table: 'snapshots',
    owner: 'subject_id',
    second: 'day',
    columns: [...siteFigureNames, 'authority_known'],
    ownerAt: subjectAt,
    key: ({ day }) => day as string,
    initially: () => ({ ...Object.fromEntries(siteFigureNames.map((name) => [name, null])), authority_known: 0 }),
  },
  backlink: {
    table: 'backlinks',
    owner: 'subject_id',
    second: 'key_hash',
    columns: ['found_on', 'domain', 'link_strength', 'source_url', 'domain_authority', 'anchor_text'],
    ownerAt: subjectAt,
    key: ({ source_url, anchor_text }) => hashOf([source_url, anchor_text ?? '']),
    initially: ({ source_url }) => ({ domain: new URL(source_url as string).hostname, anchor_text: '' }),
  },
  page: {
    table: 'pages',
    owner: 'subject_id',
    second: 'key_hash',
    columns: ['source', 'page_url', 'match_confidence', 'last_updated', 'created_at'],
    ownerAt: subjectAt,
    key: ({ source, page_url }) => pageKeyHash(source, page_url),
    initially: (_values, _owner, now) => initialPage(now),
  },
  review: {
    table: 'reviews',
    owner: 'page_id',
    second: 'key_hash',
    columns: [
      'date',
      'rating',
      'created_at',
      'business_name',
      'sentiment_score',
      'url',
      'total',
      'header',
      'detail',
      'user',
      'source',
      'ref',
      'language',
      'answer',
    ],
    later: ['language', 'answer'],
    author: 'user',
    ownerAt: pageAt,
    key: ({ ref, date, user, detail }) => hashOf(ref === undefined ? ['text', date, user ?? '', detail ?? ''] : ['ref', ref]),
    initially: (_values, { page }, now) => ({
      business_name: page?.subject.domain || (page?.subject.site.business ?? ''),
      sentiment_score: 0,
      url: page?.page_url ?? '',
      total: 0,
      header: '',
      detail: '',
      user: '',
      language: null,
      answer: null,
      ref: null,
      created_at: now,
    }),
  },
  period: {
    table: 'periods',
    owner: 'keyword_id',
    second: 'key_hash',
    columns: [...periodKey, 'clicks', 'impressions', 'average_position'],
    ownerAt: keywordAt,
    key: (values) => hashOf(periodKey.map((field) => values[field] ?? '')),
    initially: () => ({ locale: '', device: '', location: '', clicks: null, impressions: null, average_position: null }),
  },
}

function siteAt({ sites }: References, { owner }: SpooledRow): Owner {
  return sites[owner] as Owner
}

function subjectAt({ subjects }: References, { owner }: SpooledRow): Owner {
  const { id, site } = subjects[owner] as References['subjects'][number]
  return { id, account_id: site.account_id }
}

/** Keywords are known by their number alone, so that the record says of which subject its own is. */
function keywordAt({ keywordIds, subjects }: References, { owner, values }: SpooledRow): Owner {
  const { site } = subjects[values['subject'] as number] as References['subjects'][number]
  return { id: keywordIds[owner] as number, account_id: site.account_id }
}

function pageAt({ pages }: References, { owner }: SpooledRow): Owner {
  const page = pages[owner] as PageRef
  return { id: page.id, account_id: page.subject.site.account_id, page }
}
