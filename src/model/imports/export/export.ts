/** Exports observations as lines that an import reads back to the same content, all from one snapshot. */

import type { Kysely } from 'kysely'
import type { ObservationKind } from '../../../resources/observation.ts'
import { readBehind } from '../../../store/read-behind.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { accountsWithin, type Managing } from '../../core/tenancy.ts'
import { exportKeywords } from './export-keywords.ts'
import type { ExportedLine, ExportPlace, Put, SourceNames } from './export-lines.ts'
import { exportSeries } from './export-series.ts'

export interface ExportOptions {
  readonly accountId?: number
  /** The kinds to export; all if not given. */
  readonly kinds?: readonly ObservationKind[]
}

const rowsPerSlice = 1000

/** Passes the lines to `take` in pieces of bounded size, and waits for each call. */
export async function exportObservations(caller: Managing, options: ExportOptions, take: (text: string) => Promise<void>): Promise<void> {
  const wants = (kind: ObservationKind) => options.kinds === undefined || options.kinds.includes(kind)
  const put = async (kind: ObservationKind, lines: readonly ExportedLine[]) => {
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

/** All sites of the account, or one. */
export async function exportAccount(db: Kysely<Tables>, accountId: number, scope: ExportedLine, put: Put, siteId?: number): Promise<void> {
  const sources = await db.selectFrom('sources').selectAll().where('account_id', '=', accountId).execute()
  const names: SourceNames = new Map(sources.map((source) => [source.code, source]))
  const sites = await db
    .selectFrom('sites')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .select(['sites.id', 'sites.domain', 'businesses.name as business'])
    .where('sites.account_id', '=', accountId)
    .$if(siteId !== undefined, (query) => query.where('sites.id', '=', siteId as number))
    .orderBy('sites.id')
    .execute()
  for (const { id, domain, business } of sites) {
    const fields = { ...scope, site: domain }
    await put('site', [{ ...fields, business }])
    await exportSite(db, { accountId, siteId: id, subjectId: 0, fields, names }, put)
  }
}

async function exportSite(db: Kysely<Tables>, place: ExportPlace, put: Put): Promise<void> {
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
    await exportBacklinks(db, subject, put)
    await exportKeywords(db, subject, put)
    await exportPages(db, subject, put)
    await (await exportSeries(db, subject, 'subject_id', put))(id, subject.fields)
  }
}

async function exportFigures(db: Kysely<Tables>, { accountId, fields, subjectId }: ExportPlace, put: Put): Promise<void> {
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
}

/** The last row of a slice of dated rows. */
interface Last {
  readonly day: string
  readonly id: number
}

function lastOf(rows: readonly Last[]): Last {
  return rows.at(-1) as Last
}

async function exportBacklinks(db: Kysely<Tables>, { accountId, fields, subjectId }: ExportPlace, put: Put): Promise<void> {
  for (let last: Last = { day: '', id: 0 }; ; ) {
    const all = db
      .selectFrom('backlinks')
      .select(['id', 'domain', 'found_on', 'link_strength', 'source_url', 'domain_authority', 'anchor_text'])
      .where('account_id', '=', accountId)
      .where('subject_id', '=', subjectId)
      .orderBy('found_on')
      .orderBy('id')
      .limit(rowsPerSlice)
    const restOfDay = all.where('found_on', '=', last.day).where('id', '>', last.id)
    const backlinks = await readBehind(
      rowsPerSlice,
      () => restOfDay.execute(),
      () => all.where('found_on', '>', last.day).execute(),
    )
    await put(
      'backlink',
      backlinks.map(({ id: _, ...backlink }) => ({ ...fields, ...backlink })),
    )
    if (backlinks.length < rowsPerSlice) return
    last = lastOf(backlinks.map(({ found_on, id }) => ({ day: found_on, id })))
  }
}

async function exportPages(db: Kysely<Tables>, place: ExportPlace, put: Put): Promise<void> {
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
  const putSeries = await exportSeries(db, place, 'page_id', put)
  for (const { id, source, page_url } of pages) {
    const fields = { ...place.fields, page_url, page_source: source }
    await exportReviews(db, { ...place, fields }, id, put)
    await putSeries(id, fields)
  }
}

async function exportReviews(db: Kysely<Tables>, { accountId, fields }: ExportPlace, pageId: number, put: Put): Promise<void> {
  for (let last: Last = { day: '', id: 0 }; ; ) {
    const all = db
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
        'language',
        'answer',
        'created_at',
        'key_hash',
      ])
      .where('account_id', '=', accountId)
      .where('page_id', '=', pageId)
      .orderBy('date')
      .orderBy('id')
      .limit(rowsPerSlice)
    const restOfDay = all.where('date', '=', last.day).where('id', '>', last.id)
    const reviews = await readBehind(
      rowsPerSlice,
      () => restOfDay.execute(),
      () => all.where('date', '>', last.day).execute(),
    )
    await put(
      'review',
      reviews.map(({ id: _, ref, key_hash, language, answer, ...review }) => ({
        ...fields,
        ...refOf(ref, key_hash),
        ...review,
        ...(language !== null && { language }),
        ...(answer !== null && { answer }),
      })),
    )
    if (reviews.length < rowsPerSlice) return
    last = lastOf(reviews.map(({ date, id }) => ({ day: date, id })))
  }
}

/** Reviews of erased people have nothing left that distinguishes them but this key. */
function refOf(ref: string | null, key_hash: string): { ref?: string } {
  const name = ref ?? (key_hash.startsWith('erased ') ? key_hash : null)
  return name === null ? {} : { ref: name }
}
