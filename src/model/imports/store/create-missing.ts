/** Creates what an import refers to and does not exist yet (businesses, sites, subjects, keywords), and sets the ids of the references. */

import type { Kysely } from 'kysely'
import { atMost } from '../../../lib/work/batches.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { auditAll } from '../../core/audit.ts'
import { lockReportVersions, renewReportVersions } from '../../core/report-version.ts'
import type { Managing } from '../../core/tenancy.ts'
import { padded, parts, rowsPerWrite } from '../batches.ts'
import type { Journal } from '../journal/journal.ts'
import type { PageRef, SiteRef } from '../refs.ts'
import { rowKinds } from '../row-kinds.ts'
import type { Applying } from './applying.ts'
import { claimUsed } from './claim-used.ts'
import { createKeywords, createSubjects } from './create-subjects.ts'

export async function createOwners(work: Applying): Promise<void> {
  await claimUsed(work)
  await createSites(work)
  await createSubjects(work)
  await createKeywords(work)
}

/** Pages are stored as rows with values of their own; their ids are known after that. */
export async function learnPageIds({ reach, read }: Applying): Promise<void> {
  const fresh = reach.pages.filter(({ isNew }) => isNew)
  for (const [accountId, some] of Map.groupBy(fresh, ({ subject }) => subject.site.account_id)) await learnPageIdsOf(read, accountId, some)
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
    const byAccount = Map.groupBy(sites, ({ account_id }) => account_id)
    const made = await write(async (tx) => {
      await lockReportVersions(caller.app.store, tx, byAccount.keys())
      await renewReportVersions(tx, byAccount.keys())
      const found = new Map<number, Made>()
      for (const [accountId, some] of atMost([...byAccount], rowsPerWrite))
        found.set(accountId, await createSitesOf(tx, caller, journal, accountId, some))
      return found
    })
    for (const site of sites) site.id = made.get(site.account_id)?.ids.get(site.domain) as number
    count('site', { created: [...made.values()].reduce((sum, { created }) => sum + created, 0) })
  }
}

interface Made {
  readonly created: number
  /** The ids of all by domain. */
  readonly ids: ReadonlyMap<string, number>
}

/** Another import may have created some of them since this one was checked. */
async function createSitesOf(
  tx: Kysely<Tables>,
  caller: Managing,
  journal: Journal,
  account_id: number,
  sites: readonly SiteRef[],
): Promise<Made> {
  const ids = await findSites(tx, account_id, sites)
  await journal.keepOwners(tx, account_id, 'site', { made: [], used: [...ids.values()] })
  const missing = sites.filter(({ domain }) => !ids.has(domain))
  const businesses = await businessesNamed(tx, caller, journal, account_id, [...new Set(missing.map(({ business }) => business))])
  const now = caller.app.clock.now()
  for (const part of parts(missing)) {
    const rows = part.map(({ domain, business }) => {
      return { account_id, business_id: businesses.get(business) as number, domain, created_at: now, updated_at: now }
    })
    const made = await tx.insertInto('sites').values(rows).returning(['id', 'business_id', 'domain']).execute()
    for (const { id, domain } of made) ids.set(domain, id)
    await journal.keepOwners(tx, account_id, 'site', { made: made.map(({ id }) => id), used: [] })
    await auditAll(
      tx,
      caller,
      'site.create',
      made.map(({ id, business_id, domain }) => {
        const after = { id, account_id, business_id, domain, created_at: now, updated_at: now }
        return { subject: after, after }
      }),
    )
  }
  return { created: missing.length, ids }
}

async function findSites(tx: Kysely<Tables>, account_id: number, sites: readonly SiteRef[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const part of parts(sites)) {
    const domains = part.map(({ domain }) => domain)
    const found = tx.selectFrom('sites').select(['id', 'domain']).where('account_id', '=', account_id).where('domain', 'in', domains)
    for (const { id, domain } of await found.execute()) ids.set(domain, id)
  }
  return ids
}

/** By name; those that are not there yet are created. */
async function businessesNamed(
  tx: Kysely<Tables>,
  caller: Managing,
  journal: Journal,
  account_id: number,
  names: readonly string[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const part of parts(names)) for (const { name, id } of await oldestNamed(tx, account_id, part)) ids.set(name, id)
  await journal.keepOwners(tx, account_id, 'business', { made: [], used: [...ids.values()] })
  const missing = names.filter((name) => !ids.has(name))
  for (const part of parts(missing))
    for (const { name, id } of await createBusinesses(tx, caller, journal, account_id, part)) ids.set(name, id)
  return ids
}

/** The oldest business of each name, if there are several. */
function oldestNamed(tx: Kysely<Tables>, account_id: number, names: readonly string[]) {
  return tx
    .selectFrom('businesses')
    .select((row) => ['name', row.fn.min('id').as('id')])
    .where('account_id', '=', account_id)
    .where('name', 'in', names)
    .groupBy('name')
    .execute()
}

async function createBusinesses(tx: Kysely<Tables>, caller: Managing, journal: Journal, account_id: number, names: readonly string[]) {
  const now = caller.app.clock.now()
  const rows = names.map((name) => ({ account_id, name, aasm_state: 'active' as const, created_at: now, updated_at: now }))
  const made = await tx
    .insertInto('businesses')
    .values(rows)
    .returning(['id', 'account_id', 'name', 'aasm_state', 'created_at', 'updated_at'])
    .execute()
  const ids = made.map(({ id }) => id)
  await journal.keepOwners(tx, account_id, 'business', { made: ids, used: [] })
  const changes = made.map((after) => ({ subject: after, after }))
  await auditAll(tx, caller, 'business.create', changes)
  return made
}
