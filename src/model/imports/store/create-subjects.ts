/** Creates the competitors and keywords that an import refers to, several hundred per statement, and sets the ids of the references. */

import type { Kysely } from 'kysely'
import { emptyMap } from '../../../lib/shared-maps.ts'
import { repeatedInsert } from '../../../store/repeated-inserts.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { renewMeasuredVersions } from '../../core/report-version.ts'
import type { RowTouch } from '../../core/steps.ts'
import { padded, parts, requireExisting, rowsPerWrite } from '../batches.ts'
import type { SubjectRef } from '../refs.ts'
import type { SpooledKeyword } from '../spools.ts'
import { noCounts } from '../summary.ts'
import type { Applying } from './applying.ts'

export async function createSubjects(work: Applying): Promise<void> {
  for (const block of work.spools.subjects.blocks(rowsPerWrite)) {
    const fresh = block.map(({ subject, created_at }) => ({ subject: work.reach.subjects[subject] as SubjectRef, created_at }))
    for (const [accountId, some] of Map.groupBy(fresh, ({ subject }) => subject.site.account_id)) {
      work.count('competitor', { created: await createSubjectsOf(work, accountId, some) })
    }
  }
}

interface FreshSubject {
  readonly subject: SubjectRef
  readonly created_at?: unknown
}

/** Returns how many competitors are new. */
async function createSubjectsOf({ caller, journal, write }: Applying, account_id: number, fresh: readonly FreshSubject[]): Promise<number> {
  const now = caller.app.clock.now()
  const rows = fresh.map(({ subject: { site, domain }, created_at }) => {
    return { account_id, site_id: site.id, domain, created_at: (created_at as string | undefined) ?? now }
  })
  const { competitors, known } = await write(async (tx) => {
    await renewMeasuredVersions(tx, [account_id])
    await requireExisting(
      tx,
      'sites',
      account_id,
      rows.map(({ site_id }) => site_id),
    )
    const made = { created: [] as KnownSubject[], known: [] as KnownSubject[] }
    for (const part of parts(rows)) {
      const inserted = await insertSubjects(tx, part)
      made.created.push(...inserted)
      made.known.push(...(inserted.length === part.length ? inserted : await findSubjects(tx, account_id, part)))
    }
    const competitors = made.created.filter(({ domain }) => domain !== '').length
    const ids = new Set(made.created.map(({ id }) => id))
    const used = made.known.filter(({ id }) => !ids.has(id)).map(({ id }) => id)
    await journal.keepOwners(tx, account_id, 'subject', { made: [...ids], used }, competitors)
    return { ...made, competitors }
  })
  const byKey = new Map(known.map(({ id, site_id, domain }) => [`${site_id} ${domain}`, id]))
  for (const { subject } of fresh) subject.id = byKey.get(`${subject.site.id} ${subject.domain}`) as number
  return competitors
}

interface NewSubject {
  readonly account_id: number
  readonly site_id: number
  readonly domain: string
  readonly created_at: string
}

interface KnownSubject {
  readonly id: number
  readonly site_id: number
  readonly domain: string
}

function insertSubjects(tx: Kysely<Tables>, rows: readonly NewSubject[]): Promise<KnownSubject[]> {
  return tx
    .insertInto('subjects')
    .values(rows)
    .onConflict((taken) => taken.columns(['account_id', 'site_id', 'domain']).doNothing())
    .returning(['id', 'site_id', 'domain'])
    .execute()
}

function findSubjects(tx: Kysely<Tables>, account_id: number, rows: readonly NewSubject[]): Promise<KnownSubject[]> {
  return tx
    .selectFrom('subjects')
    .select(['id', 'site_id', 'domain'])
    .where('account_id', '=', account_id)
    .where('site_id', 'in', padded([...new Set(rows.map(({ site_id }) => site_id))]))
    .where('domain', 'in', padded([...new Set(rows.map(({ domain }) => domain))]))
    .execute()
}

export async function createKeywords(work: Applying): Promise<void> {
  for (const block of work.spools.keywords.blocks(rowsPerWrite)) {
    const fresh = block.map((one) => ({ ...one, subject: work.reach.subjects[one.subject] as SubjectRef }))
    for (const [accountId, some] of Map.groupBy(fresh, ({ subject }) => subject.site.account_id)) {
      const { created, ids } = await createKeywordsOf(work, accountId, some)
      for (const { subject, phrase, keyword } of some) work.reach.keywordIds[keyword] = ids.get(`${subject.id} ${phrase}`) as number
      work.count('keyword', { created })
    }
  }
  // Their ids are all that is still asked for, and there may be a million phrases.
  for (const subject of work.reach.subjects) subject.keywords = emptyMap
}

type FreshKeyword = Omit<SpooledKeyword, 'subject'> & { readonly subject: SubjectRef }

/** Returns how many are new, and the ids of all by subject and phrase. */
async function createKeywordsOf(
  { journal, write }: Applying,
  account_id: number,
  fresh: readonly FreshKeyword[],
): Promise<{ created: number; ids: Map<string, number> }> {
  const rows = fresh.map(({ subject, phrase, search_volume, tags }) => {
    return { account_id, subject_id: subject.id, phrase, search_volume: search_volume as number | null, tags: tags as string | null }
  })
  const { created, known } = await write(async (tx) => {
    await renewMeasuredVersions(tx, [account_id])
    await requireExisting(
      tx,
      'subjects',
      account_id,
      rows.map(({ subject_id }) => subject_id),
    )
    const made = { created: [] as KnownKeyword[], known: [] as KnownKeyword[] }
    for (const part of parts(rows)) {
      const inserted = await insertKeywords(tx, part)
      made.created.push(...inserted)
      made.known.push(...(inserted.length === part.length ? inserted : await findKeywords(tx, account_id, part)))
    }
    await journal.keepOwners(tx, account_id, 'keyword', { made: made.created.map(({ id }) => id), used: [] })
    await journal.keepRows(tx, account_id, 'keyword', touchesOf(made.created, rows), noCounts())
    return made
  })
  const ids = new Map(known.map(({ id, subject_id, phrase }) => [`${subject_id} ${phrase}`, id]))
  return { created: created.length, ids }
}

/** What was said of new keywords. */
function touchesOf(created: readonly KnownKeyword[], rows: readonly NewKeyword[]): RowTouch[] {
  const told = rows.filter(({ search_volume, tags }) => search_volume !== null || tags !== null)
  if (told.length === 0) return []
  const fresh = new Map(created.map(({ id, subject_id, phrase }) => [`${subject_id} ${phrase}`, id]))
  return told.flatMap(({ subject_id, phrase, search_volume, tags }) => {
    const owner = fresh.get(`${subject_id} ${phrase}`)
    const before = { ...(search_volume !== null && { search_volume: null }), ...(tags !== null && { tags: null }) }
    return owner === undefined ? [] : [{ owner, key: '', before }]
  })
}

interface NewKeyword {
  readonly account_id: number
  readonly subject_id: number
  readonly phrase: string
  readonly search_volume: number | null
  readonly tags: string | null
}

interface KnownKeyword {
  readonly id: number
  readonly subject_id: number
  readonly phrase: string
}

const insertKeywords = repeatedInsert<keyof NewKeyword, KnownKeyword>(
  ['account_id', 'subject_id', 'phrase', 'search_volume', 'tags'],
  (tx, rows) =>
    tx
      .insertInto('keywords')
      .values(rows as readonly NewKeyword[])
      .onConflict((taken) => taken.columns(['account_id', 'subject_id', 'phrase']).doNothing())
      .returning(['id', 'subject_id', 'phrase']),
)

function findKeywords(tx: Kysely<Tables>, account_id: number, rows: readonly NewKeyword[]): Promise<KnownKeyword[]> {
  return tx
    .selectFrom('keywords')
    .select(['id', 'subject_id', 'phrase'])
    .where('account_id', '=', account_id)
    .where('subject_id', 'in', padded([...new Set(rows.map(({ subject_id }) => subject_id))]))
    .where('phrase', 'in', padded([...new Set(rows.map(({ phrase }) => phrase))]))
    .execute()
}
