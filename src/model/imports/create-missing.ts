/** Creates what an import refers to and nobody has yet: businesses and sites, subjects, keywords; and gives the references their ids. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import { renewMeasuredVersions, renewReportVersions } from '../core/report-version.ts'
import type { Managing } from '../core/tenancy.ts'
import type { Applying } from './apply.ts'
import { padded } from './batches.ts'
import type { Journal } from './journal.ts'
import type { PageRef, SiteRef, SubjectRef } from './references.ts'
import type { SpooledKeyword } from './spools.ts'

const rowsPerWrite = 1000

export async function createOwners(work: Applying): Promise<void> {
  await createSites(work)
  await createSubjects(work)
  await createKeywords(work)
}

/** Pages are rows with figures of their own; once those are applied, their ids are known. */
export async function learnPageIds(db: Kysely<Tables>, pages: readonly PageRef[]): Promise<void> {
  const fresh = pages.filter(({ isNew }) => isNew)
  for (const [accountId, some] of Map.groupBy(fresh, ({ subject }) => subject.site.account_id)) await learnPageIdsOf(db, accountId, some)
}

async function learnPageIdsOf(db: Kysely<Tables>, accountId: number, pages: readonly PageRef[]): Promise<void> {
  const fresh = Map.groupBy(pages, ({ subject }) => subject.id)
  const owners = [...fresh.keys()]
  for (let at = 0; at < owners.length; at += rowsPerWrite) {
    const rows = await db
      .selectFrom('pages')
      .select(['id', 'subject_id', 'source', 'page_url'])
      .where('account_id', '=', accountId)
      .where('subject_id', 'in', padded(owners.slice(at, at + rowsPerWrite)))
      .execute()
    for (const row of rows) {
      const page = fresh.get(row.subject_id)?.find(({ source, page_url }) => source === row.source && page_url === row.page_url)
      if (page) page.id = row.id
    }
  }
}

async function createSites({ caller, reach, spools, journal, write, count }: Applying): Promise<void> {
  for (const block of spools.sites.blocks(rowsPerWrite)) {
    const sites = block.map((index) => reach.sites[index] as SiteRef)
    const made = await write(async (tx) => {
      await renewReportVersions(
        tx,
        sites.map(({ account_id }) => account_id),
      )
      const results: Made[] = []
      for (const site of sites) results.push((await findSite(tx, site)) ?? (await createSite(tx, caller, journal, site)))
      return results
    })
    for (const [i, site] of sites.entries()) site.id = made[i]?.id as number
    count('site', { created: made.filter(({ isNew }) => isNew).length })
  }
}

interface Made {
  readonly id: number
  readonly isNew: boolean
}

/** Another import may have created it since this one was checked. */
async function findSite(tx: Kysely<Tables>, { account_id, domain }: SiteRef): Promise<Made | undefined> {
  const found = await tx
    .selectFrom('sites')
    .select('id')
    .where('account_id', '=', account_id)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return found && { id: found.id, isNew: false }
}

async function createSite(
  tx: Kysely<Tables>,
  caller: Managing,
  journal: Journal,
  { account_id, domain, business }: SiteRef,
): Promise<Made> {
  const business_id = (await findBusiness(tx, account_id, business)) ?? (await createBusiness(tx, caller, journal, account_id, business))
  const now = caller.app.clock.now()
  const row = { account_id, business_id, domain, created_at: now, updated_at: now }
  const { id } = await tx.insertInto('sites').values(row).returning('id').executeTakeFirstOrThrow()
  await journal.keepOwners(tx, account_id, 'site', [id])
  await audit(tx, caller, { action: 'site.create', subject_type: 'Site', subject_id: id, account_id, after: { id, ...row } })
  return { id, isNew: true }
}

/** The oldest of that name, should there be several. */
async function findBusiness(tx: Kysely<Tables>, account_id: number, name: string): Promise<number | undefined> {
  const found = await tx
    .selectFrom('businesses')
    .select('id')
    .where('account_id', '=', account_id)
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirst()
  return found?.id
}

async function createBusiness(tx: Kysely<Tables>, caller: Managing, journal: Journal, account_id: number, name: string): Promise<number> {
  const now = caller.app.clock.now()
  const row = { account_id, name, aasm_state: 'active' as const, created_at: now, updated_at: now }
  const { id } = await tx.insertInto('businesses').values(row).returning('id').executeTakeFirstOrThrow()
  await journal.keepOwners(tx, account_id, 'business', [id])
  await audit(tx, caller, { action: 'business.create', subject_type: 'Business', subject_id: id, account_id, after: { id, ...row } })
  return id
}

async function createSubjects(work: Applying): Promise<void> {
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

/** How many competitors are new. */
async function createSubjectsOf({ caller, journal, write }: Applying, account_id: number, fresh: readonly FreshSubject[]): Promise<number> {
  const now = caller.app.clock.now()
  const rows = fresh.map(({ subject: { site, domain }, created_at }) => {
    return { account_id, site_id: site.id, domain, created_at: (created_at as string | undefined) ?? now }
  })
  const { created, ids } = await write(async (tx) => {
    await renewMeasuredVersions(tx, [account_id])
    const inserted = await tx
      .insertInto('subjects')
      .values(rows)
      .onConflict((taken) => taken.columns(['account_id', 'site_id', 'domain']).doNothing())
      .returning(['id', 'domain'])
      .execute()
    await journal.keepOwners(
      tx,
      account_id,
      'subject',
      inserted.map(({ id }) => id),
    )
    const sites = padded([...new Set(rows.map(({ site_id }) => site_id))])
    const known = tx.selectFrom('subjects').select(['id', 'site_id', 'domain']).where('account_id', '=', account_id)
    return { created: inserted, ids: await known.where('site_id', 'in', sites).execute() }
  })
  const byKey = new Map(ids.map(({ id, site_id, domain }) => [`${site_id} ${domain}`, id]))
  for (const { subject } of fresh) subject.id = byKey.get(`${subject.site.id} ${subject.domain}`) as number
  return created.filter(({ domain }) => domain !== '').length
}

async function createKeywords(work: Applying): Promise<void> {
  for (const block of work.spools.keywords.blocks(rowsPerWrite)) {
    const fresh = block.map((one) => ({ ...one, subject: work.reach.subjects[one.subject] as SubjectRef }))
    for (const [accountId, some] of Map.groupBy(fresh, ({ subject }) => subject.site.account_id)) {
      const { created, ids } = await createKeywordsOf(work, accountId, some)
      for (const { subject, phrase, keyword } of some) work.reach.keywordIds[keyword] = ids.get(`${subject.id} ${phrase}`) as number
      work.count('keyword', { created })
    }
  }
}

type FreshKeyword = Omit<SpooledKeyword, 'subject'> & { readonly subject: SubjectRef }

/** How many are new, and the ids of all by subject and phrase. */
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
    const inserted = await tx
      .insertInto('keywords')
      .values(rows)
      .onConflict((taken) => taken.columns(['account_id', 'subject_id', 'phrase']).doNothing())
      .returning('id')
      .execute()
    await journal.keepOwners(
      tx,
      account_id,
      'keyword',
      inserted.map(({ id }) => id),
    )
    const [subjects, phrases] = [new Set(rows.map((row) => row.subject_id)), new Set(rows.map((row) => row.phrase))]
    const all = await tx
      .selectFrom('keywords')
      .select(['id', 'subject_id', 'phrase'])
      .where('account_id', '=', account_id)
      .where('subject_id', 'in', padded([...subjects]))
      .where('phrase', 'in', padded([...phrases]))
      .execute()
    return { created: inserted.length, known: all }
  })
  const ids = new Map(known.map(({ id, subject_id, phrase }) => [`${subject_id} ${phrase}`, id]))
  return { created, ids }
}
