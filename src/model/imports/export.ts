/** Exports: what was taken in, as lines that an import takes in again to the same content; all of one moment. */

import type { Kysely } from 'kysely'
import { momentText } from '../../lib/time/moments.ts'
import type { ObservationKind } from '../../resources/observation.ts'
import { decodeRanking, decodeReviewCount, rankingLayout, reviewCountLayout, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { accountsWithin, type Managing } from '../core/tenancy.ts'

export interface ExportOptions {
  readonly accountId?: number
  /** All kinds unless named. */
  readonly kinds?: readonly ObservationKind[]
}

type Line = Readonly<Record<string, unknown>>
type Names = ReadonlyMap<number, { readonly engine: string; readonly locale: string }>

/** Where lines belong: the fields that name the site and the competitor. */
interface Place {
  readonly accountId: number
  readonly siteId: number
  readonly subjectId: number
  readonly fields: Line
  readonly names: Names
}

const reviewsPerSlice = 1000

/** Hands over the lines in pieces of a bounded size, and waits until each is taken. */
export async function exportObservations(caller: Managing, options: ExportOptions, take: (text: string) => Promise<void>): Promise<void> {
  const wants = (kind: ObservationKind) => options.kinds === undefined || options.kinds.includes(kind)
  const put = async (kind: ObservationKind, lines: readonly Line[]) => {
    if (wants(kind) && lines.length > 0) await take(lines.map((line) => `${JSON.stringify({ type: kind, ...line })}\n`).join(''))
  }
  await caller.app.store.snapshot(async (db) => {
    const accounts = await accountsWithin(caller, db)
      .select('id')
      .$if(options.accountId !== undefined, (query) => query.where('id', '=', options.accountId as number))
      .orderBy('id')
      .execute()
    for (const { id } of accounts) await exportAccount(db, id, options.accountId === undefined ? { account: id } : {}, put)
  })
}

type Put = (kind: ObservationKind, lines: readonly Line[]) => Promise<void>

async function exportAccount(db: Kysely<Tables>, accountId: number, scope: Line, put: Put): Promise<void> {
  const sources = await db.selectFrom('sources').selectAll().where('account_id', '=', accountId).execute()
  const names: Names = new Map(sources.map((source) => [source.code, source]))
  const sites = await db
    .selectFrom('sites')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .select(['sites.id', 'sites.domain', 'businesses.name as business'])
    .where('sites.account_id', '=', accountId)
    .orderBy('sites.id')
    .execute()
  for (const { id, domain, business } of sites) {
    const fields = { ...scope, site: domain }
    await put('site', [{ ...fields, business }])
    await exportSite(db, { accountId, siteId: id, subjectId: 0, fields, names }, put)
  }
}

async function exportSite(db: Kysely<Tables>, place: Place, put: Put): Promise<void> {
  const { accountId, fields, siteId } = place
  const locations = await db
    .selectFrom('locations')
    .select(['twitter_page', 'facebook_page', 'created_at'])
    .where('account_id', '=', accountId)
    .where('site_id', '=', siteId)
    .execute()
  await put(
    'location',
    locations.map((location) => ({ ...fields, ...location })),
  )
  const subjects = await db
    .selectFrom('subjects')
    .select(['id', 'domain', 'created_at'])
    .where('account_id', '=', accountId)
    .where('site_id', '=', siteId)
    .orderBy('id')
    .execute()
  const itself = subjects.filter(({ domain }) => domain === '')
  const competitors = subjects.filter(({ domain }) => domain !== '')
  await put(
    'competitor',
    competitors.map(({ domain, created_at }) => ({ ...fields, competitor: domain, created_at })),
  )
  for (const { id, domain } of [...itself, ...competitors]) {
    const subject = { ...place, subjectId: id, fields: domain === '' ? fields : { ...fields, competitor: domain } }
    await exportFigures(db, subject, put)
    await exportRankings(db, subject, put)
    await exportPages(db, subject, put)
  }
}

async function exportFigures(db: Kysely<Tables>, { accountId, fields, subjectId }: Place, put: Put): Promise<void> {
  const snapshots = await db
    .selectFrom('snapshots')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('subject_id', '=', subjectId)
    .orderBy('day')
    .execute()
  await put(
    'snapshot',
    snapshots.map(({ account_id: _, subject_id: __, authority_known, domain_authority, ...figures }) => {
      const authority = authority_known ? { domain_authority } : {}
      return { ...fields, ...Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== null)), ...authority }
    }),
  )
  const backlinks = await db
    .selectFrom('backlinks')
    .select(['domain', 'found_on', 'link_strength', 'source_url', 'domain_authority', 'anchor_text'])
    .where('account_id', '=', accountId)
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute()
  await put(
    'backlink',
    backlinks.map((backlink) => ({ ...fields, ...backlink })),
  )
}

async function exportRankings(db: Kysely<Tables>, { accountId, fields, subjectId, names }: Place, put: Put): Promise<void> {
  const keywords = await db
    .selectFrom('keywords')
    .select(['id', 'phrase'])
    .where('account_id', '=', accountId)
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute()
  await put(
    'keyword',
    keywords.map(({ phrase }) => ({ ...fields, phrase })),
  )
  for (const { id, phrase } of keywords) {
    const chunks = await db
      .selectFrom('ranking_months')
      .select('data')
      .where('account_id', '=', accountId)
      .where('keyword_id', '=', id)
      .orderBy('starts_at')
      .execute()
    for (const { data } of chunks) await put('ranking', rankingLines({ ...fields, phrase }, wordsOf(data), names))
  }
}

function rankingLines(fields: Line, words: Uint32Array, names: Names): Line[] {
  const lines: Line[] = []
  for (let i = 0; i < words.length; i += rankingLayout.words) {
    const { time, source, rank } = decodeRanking(words, i)
    const { engine, locale } = names.get(source) as { engine: string; locale: string }
    const ranked_at = momentText(time).replace('T', ' ').slice(0, 19)
    lines.push({ ...fields, search_engine: engine, locale, ranked_at, rank })
  }
  return lines
}

async function exportPages(db: Kysely<Tables>, place: Place, put: Put): Promise<void> {
  const pages = await db
    .selectFrom('pages')
    .select(['id', 'source', 'page_url', 'match_confidence', 'last_updated', 'created_at'])
    .where('account_id', '=', place.accountId)
    .where('subject_id', '=', place.subjectId)
    .orderBy('id')
    .execute()
  await put(
    'page',
    pages.map(({ id: _, ...page }) => ({ ...place.fields, ...page })),
  )
  for (const { id, source, page_url } of pages) {
    const fields = { ...place.fields, page_url, page_source: source }
    await exportReviews(db, { ...place, fields }, id, put)
    await exportCounts(db, { ...place, fields }, id, put)
  }
}

async function exportReviews(db: Kysely<Tables>, { accountId, fields }: Place, pageId: number, put: Put): Promise<void> {
  for (let last = 0; ; ) {
    const reviews = await db
      .selectFrom('reviews')
      .select([
        'id',
        'source',
        'ref',
        'rating',
        'date',
        'business_name',
        'sentiment_score',
        'url',
        'total',
        'header',
        'detail',
        'user',
        'created_at',
      ])
      .where('account_id', '=', accountId)
      .where('page_id', '=', pageId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(reviewsPerSlice)
      .execute()
    await put(
      'review',
      reviews.map(({ id: _, ref, ...review }) => ({ ...fields, ...(ref !== null && { ref }), ...review })),
    )
    if (reviews.length < reviewsPerSlice) return
    last = reviews.at(-1)?.id ?? last
  }
}

async function exportCounts(db: Kysely<Tables>, { accountId, fields, names }: Place, pageId: number, put: Put): Promise<void> {
  const chunks = await db
    .selectFrom('review_count_months')
    .select('data')
    .where('account_id', '=', accountId)
    .where('page_id', '=', pageId)
    .orderBy('starts_at')
    .execute()
  for (const { data } of chunks) await put('review_count', countLines(fields, wordsOf(data), names))
}

function countLines(fields: Line, words: Uint32Array, names: Names): Line[] {
  const lines: Line[] = []
  for (let i = 0; i < words.length; i += reviewCountLayout.words) {
    const { time, source, count, ratingSum, createdAt } = decodeReviewCount(words, i)
    const date = momentText(time).slice(0, 10)
    lines.push({ ...fields, source: names.get(source)?.engine, date, count, rating_sum: ratingSum, created_at: momentText(createdAt) })
  }
  return lines
}
