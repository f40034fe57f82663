/** What is tracked of a site that the caller reaches: keywords and competitors, listed, added and deleted. */

import type { Kysely } from 'kysely'
import { readDomain } from '../../lib/domains.ts'
import { invalid, notFound } from '../../lib/failures.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { Competitor, NewCompetitor, NewKeyword, SiteKeyword } from '../../resources/site-contents.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { type Action, audit } from '../core/audit.ts'
import { type ListPage, page } from '../core/paging.ts'
import { renewMeasuredVersions } from '../core/report-version.ts'
import { noteAsked, noteSaid, wasSaid } from '../core/steps.ts'
import { type Managing, sitesWithin } from '../core/tenancy.ts'
import { change, refuseMeanwhile } from '../core/transaction.ts'
import { removeAll } from './removal.ts'
import { findSite } from './sites.ts'

type Db = Kysely<Tables>

/** Building and reading a statement of so many rows takes less than a slice. */
export const rowsPerStatement = 100

export interface SitePlace {
  readonly account_id: number
  readonly site_id: number
}

export async function listKeywords(caller: Managing, siteId: number, after?: string): Promise<ListPage<SiteKeyword>> {
  return page(keywordsOf(caller.app.store.db, await placeOf(caller, siteId)), after)
}

export async function listCompetitors(caller: Managing, siteId: number, after?: string): Promise<ListPage<Competitor>> {
  return page(competitorsOf(caller.app.store.db, await placeOf(caller, siteId)), after)
}

export async function findKeyword(caller: Managing, siteId: number, id: number): Promise<SiteKeyword> {
  const place = await placeOf(caller, siteId)
  return (await keywordsOf(caller.app.store.db, place).where('id', '=', id).executeTakeFirst()) ?? notFound('keyword')
}

export async function findCompetitor(caller: Managing, siteId: number, id: number): Promise<Competitor> {
  const place = await placeOf(caller, siteId)
  return (await competitorsOf(caller.app.store.db, place).where('id', '=', id).executeTakeFirst()) ?? notFound('competitor')
}

/** Existing keywords stay unchanged and are in the answer with the new ones, in the order of the request. */
export async function addKeywords(caller: Managing, siteId: number, wanted: readonly NewKeyword[]): Promise<SiteKeyword[]> {
  const place = await placeOf(caller, siteId)
  const phrases = [...new Set(wanted.map(({ phrase }) => phrase))]
  if (phrases.length === 0) return []
  return change(caller, async (tx) => {
    await renewMeasuredVersions(tx, [place.account_id])
    await refuseRemovedSite(tx, caller, siteId)
    await insertKeywords(tx, caller, place, phrases)
    const known = await inBatches(phrases, rowsPerStatement, (some) => keywordsOf(tx, place).where('phrase', 'in', some).execute())
    return orderedAs(phrases, known, ({ phrase }) => phrase)
  })
}

/** The account must be locked by `renewMeasuredVersions`. */
export async function insertKeywords(tx: Db, caller: Managing, place: SitePlace, phrases: readonly string[]): Promise<void> {
  const subject_id = await ownSubject(tx, caller, place)
  const rows = phrases.map((phrase) => ({ account_id: place.account_id, subject_id, phrase }))
  const added = await inBatches(rows, rowsPerStatement, (some) => insertedKeywords(tx, some))
  const known = await inBatches(phrases, rowsPerStatement, (some) => keywordsOf(tx, place).where('phrase', 'in', some).execute())
  await noteAsked(tx, place.account_id, 'keyword', known)
  if (added.length > 0) await auditContents(tx, caller, 'keyword.create', place, { after: { phrases: added } })
}

/** Like `addKeywords`. */
export async function addCompetitors(caller: Managing, siteId: number, wanted: readonly NewCompetitor[]): Promise<Competitor[]> {
  const place = await placeOf(caller, siteId)
  const domains = [...new Set(wanted.map(({ domain }) => readDomain(domain) ?? domain))]
  if (domains.length === 0) return []
  return change(caller, async (tx) => {
    await renewMeasuredVersions(tx, [place.account_id])
    await refuseRemovedSite(tx, caller, siteId)
    await insertCompetitors(tx, caller, place, domains)
    const known = await inBatches(domains, rowsPerStatement, (some) => competitorsOf(tx, place).where('domain', 'in', some).execute())
    return orderedAs(domains, known, ({ domain }) => domain)
  })
}

/** Like `insertKeywords`. */
export async function insertCompetitors(tx: Db, caller: Managing, place: SitePlace, domains: readonly string[]): Promise<void> {
  const created_at = caller.app.clock.now()
  const rows = domains.map((domain) => ({ ...place, domain, created_at }))
  const added = await inBatches(rows, rowsPerStatement, (some) => insertedSubjects(tx, some))
  const known = await inBatches(domains, rowsPerStatement, (some) => competitorsOf(tx, place).where('domain', 'in', some).execute())
  await noteAsked(tx, place.account_id, 'subject', known)
  if (added.length > 0) await auditContents(tx, caller, 'competitor.create', place, { after: { domains: added } })
}

/** Deletes the keyword with all its rankings. */
export async function deleteKeyword(caller: Managing, siteId: number, id: number): Promise<SiteKeyword> {
  const before = await findKeyword(caller, siteId, id)
  return removeContents(caller, siteId, 'keyword', before)
}

/** Deletes the competitor with all its measurements. */
export async function deleteCompetitor(caller: Managing, siteId: number, id: number): Promise<Competitor> {
  const before = await findCompetitor(caller, siteId, id)
  return removeContents(caller, siteId, 'subject', before)
}

export async function removeContents<R extends { readonly id: number }>(
  caller: Managing,
  siteId: number,
  owner: keyof typeof nouns,
  before: R,
): Promise<R> {
  const place = await placeOf(caller, siteId)
  return change(caller, async (tx) => {
    await renewMeasuredVersions(tx, [place.account_id])
    if ((await removeAll(caller.app.store.engine, tx, owner, place.account_id, [before.id])).length === 0) notFound(nouns[owner])
    await auditContents(tx, caller, `${nouns[owner]}.delete`, place, { before })
    return before
  })
}

/** Several keywords or competitors of the site at once; tells how many were still there. */
export async function removeTracked(
  caller: Managing,
  siteId: number,
  owner: 'keyword' | 'subject',
  ids: readonly number[],
): Promise<number> {
  const place = await placeOf(caller, siteId)
  return change(caller, async (tx) => {
    await renewMeasuredVersions(tx, [place.account_id])
    const held = await inBatches(ids, rowsPerStatement, (some) => trackedOf(tx, place, owner, some))
    if (held.length === 0) return 0
    const known = held.map(({ id }) => id)
    await removeAll(caller.app.store.engine, tx, owner, place.account_id, known)
    const named = held.map(({ name }) => name)
    const before = owner === 'keyword' ? { phrases: named } : { domains: named }
    await auditContents(tx, caller, `${nouns[owner]}.delete`, place, { before })
    return held.length
  })
}

async function trackedOf(tx: Db, place: SitePlace, owner: 'keyword' | 'subject', ids: readonly number[]) {
  if (owner === 'subject') {
    const competitors = await competitorsOf(tx, place).where('id', 'in', ids).execute()
    return competitors.map(({ id, domain }) => ({ id, name: domain }))
  }
  const keywords = await keywordsOf(tx, place).where('id', 'in', ids).execute()
  return keywords.map(({ id, phrase }) => ({ id, name: phrase }))
}

const longestTag = 50
const longestTags = 1_000

/** Gives keywords these tags in place of those with which they were seen, by id; none takes them away. Data that tells tags replaces them later. */
export async function tagKeywords(caller: Managing, siteId: number, seen: ReadonlyMap<number, string>, text: string): Promise<number> {
  const place = await placeOf(caller, siteId)
  const labels = [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
  const tags = labels.length === 0 ? null : labels.join(',')
  if (labels.some((tag) => tag.length > longestTag)) invalid([{ field: 'tags', code: 'too_long', limit: longestTag }])
  if ((tags ?? '').length > longestTags) invalid([{ field: 'tags', code: 'too_long', limit: longestTags }])
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(tags ?? '')) invalid([{ field: 'tags', code: 'not_one_line' }])
  return change(caller, async (tx) => {
    await renewMeasuredVersions(tx, [place.account_id])
    const held = await inBatches([...seen.keys()], rowsPerStatement, (some) => keywordsOf(tx, place).where('id', 'in', some).execute())
    if (held.some((one) => seen.get(one.id) !== (one.tags ?? ''))) refuseMeanwhile()
    const said = held.map((one) => ({ owner: one.id, key: '', ...wasSaid('tags', one.tags, tags) }))
    await noteSaid(tx, place.account_id, 'keyword', said)
    const changed = held.filter((one) => one.tags !== tags)
    if (changed.length === 0) return 0
    const known = changed.map(({ id }) => id)
    const rows = tx.updateTable('keywords').set({ tags }).where('account_id', '=', place.account_id)
    await inBatches(known, rowsPerStatement, async (some) => {
      await rows.where('id', 'in', some).execute()
      return []
    })
    await auditContents(tx, caller, 'keyword.tag', place, { after: { phrases: changed.map(({ phrase }) => phrase), tags } })
    return changed.length
  })
}

const nouns = { keyword: 'keyword', subject: 'competitor', page: 'page' } as const

export async function auditContents(
  tx: Db,
  caller: Managing,
  action: Action,
  { account_id, site_id }: SitePlace,
  detail: { before?: object; after?: object },
) {
  await audit(tx, caller, action, { id: site_id, account_id }, detail)
}

export async function placeOf(caller: Managing, siteId: number): Promise<SitePlace> {
  const { id, account_id } = await findSite(caller, siteId)
  return { account_id, site_id: id }
}

/** The site may have been deleted while this waited for the locks. */
export async function refuseRemovedSite(tx: Db, caller: Managing, siteId: number): Promise<void> {
  if ((await sitesWithin(caller, tx).select('id').where('id', '=', siteId).executeTakeFirst()) === undefined) notFound('site')
}

function keywordsOf(db: Db, { account_id, site_id }: SitePlace) {
  const own = db
    .selectFrom('subjects')
    .select('id')
    .where('account_id', '=', account_id)
    .where('site_id', '=', site_id)
    .where('domain', '=', '')
  return db
    .selectFrom('keywords')
    .select((row) => ['id', row.val(site_id).as('site_id'), 'phrase', 'search_volume', 'tags'])
    .where('account_id', '=', account_id)
    .where('subject_id', '=', own)
}

function competitorsOf(db: Db, { account_id, site_id }: SitePlace) {
  const subjects = db.selectFrom('subjects').select(['id', 'site_id', 'domain', 'created_at'])
  return subjects.where('account_id', '=', account_id).where('site_id', '=', site_id).where('domain', '!=', '')
}

/** Creates the site's own subject, which it needs from its first keyword or measurement on. */
export async function ownSubject(tx: Db, caller: Managing, place: SitePlace): Promise<number> {
  await insertedSubjects(tx, [{ ...place, domain: '', created_at: caller.app.clock.now() }])
  const { account_id, site_id } = place
  const subjects = tx.selectFrom('subjects').select('id').where('account_id', '=', account_id).where('site_id', '=', site_id)
  return (await subjects.where('domain', '=', '').executeTakeFirstOrThrow()).id
}

async function insertedSubjects(tx: Db, rows: readonly (SitePlace & { domain: string; created_at: string })[]): Promise<string[]> {
  const subjects = tx.insertInto('subjects').values(rows)
  const fresh = subjects.onConflict((taken) => taken.columns(['account_id', 'site_id', 'domain']).doNothing()).returning('domain')
  return (await fresh.execute()).map(({ domain }) => domain)
}

async function insertedKeywords(tx: Db, rows: readonly { account_id: number; subject_id: number; phrase: string }[]): Promise<string[]> {
  const keywords = tx.insertInto('keywords').values(rows)
  const fresh = keywords.onConflict((taken) => taken.columns(['account_id', 'subject_id', 'phrase']).doNothing()).returning('phrase')
  return (await fresh.execute()).map(({ phrase }) => phrase)
}

export function orderedAs<R, N>(names: readonly N[], rows: readonly R[], nameOf: (row: R) => N): R[] {
  const byName = new Map(rows.map((row) => [nameOf(row), row]))
  return names.flatMap((name) => byName.get(name) ?? [])
}
