/** Creates what an import refers to and does not exist yet (businesses, sites, subjects, keywords), and sets the ids of the references. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import { renewReportVersions } from '../core/report-version.ts'
import type { Managing } from '../core/tenancy.ts'
import type { Applying } from './apply.ts'
import { padded, parts } from './batches.ts'
import { createKeywords, createSubjects } from './create-subjects.ts'
import type { Journal } from './journal.ts'
import type { PageRef, SiteRef } from './references.ts'
import { rowKinds } from './row-kinds.ts'

const rowsPerWrite = 1000

export async function createOwners(work: Applying): Promise<void> {
  await createSites(work)
  await createSubjects(work)
  await createKeywords(work)
}

/** Pages are stored as rows with values of their own; their ids are known after that. */
export async function learnPageIds(db: Kysely<Tables>, pages: readonly PageRef[]): Promise<void> {
  const fresh = pages.filter(({ isNew }) => isNew)
  for (const [accountId, some] of Map.groupBy(fresh, ({ subject }) => subject.site.account_id)) await learnPageIdsOf(db, accountId, some)
}

async function learnPageIdsOf(db: Kysely<Tables>, accountId: number, pages: readonly PageRef[]): Promise<void> {
  for (const part of parts(pages)) {
    const keyOf = ({ source, page_url }: PageRef) => rowKinds.page.key({ source, page_url })
    const byKey = new Map(part.map((page) => [`${page.subject.id} ${keyOf(page)}`, page]))
    const rows = await db
      .selectFrom('pages')
      .select(['id', 'subject_id', 'key_hash'])
      .where('account_id', '=', accountId)
      .where('subject_id', 'in', padded([...new Set(part.map(({ subject }) => subject.id))]))
      .where('key_hash', 'in', padded(part.map(keyOf)))
      .execute()
    for (const row of rows) {
      const page = byKey.get(`${row.subject_id} ${row.key_hash}`)
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

/** Another import may have created the site since this one was checked. */
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

/** Returns the oldest business of that name, if there are several. */
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
