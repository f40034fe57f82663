/** Stores one record of an account export, or finds it, or tells why it is left out. */

import { randomBytes } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { readDomain } from '../../lib/domains.ts'
import { refuse } from '../../lib/failures.ts'
import { atMost } from '../../lib/work/batches.ts'
import { releaseNamed } from '../../resources/schedule.ts'
import type { ReportScheduleRow } from '../../store/rows/mail.ts'
import type { PlainSeriesRow } from '../../store/rows/measurements.ts'
import type { AbilityRow, AccountRow, BusinessRow, ExternalIdRow, SiteRow, UserRow } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import { renewReportVersions } from '../core/report-version.ts'
import { foldName, noCodes, reserveNames } from '../people/users.ts'
import type { TransferKind, TransferOwner } from './kinds.ts'
import type { TransferRow } from './read-record.ts'
import { replaceHome } from './replaced-home.ts'
import { isOf, notOfAccount } from './same-account.ts'
import { storeBrand, storePicture } from './store-brand.ts'
import { storeAnnotation, storeReviewMark } from './store-notes.ts'
import type { StoreOutcome, Storing } from './storing.ts'

type Store = (work: Storing, row: TransferRow, record: Readonly<Record<string, unknown>>) => Promise<StoreOutcome>

export const storeRecord: Readonly<Record<TransferKind, Store>> = {
  account: storeAccount,
  business: (work, row, { id }) =>
    created(work, 'business', id, async () =>
      insertBusiness(work, { ...(row as unknown as Insertable<BusinessRow>), ...keptId(work, id) }),
    ),
  site: storeSite,
  user: storeUser,
  owner: storeOwner,
  ability: storeAbility,
  annotation: storeAnnotation,
  review_mark: storeReviewMark,
  plain_series: storePlainSeries,
  report_schedule: storeSchedule,
  external_id: storeExternalId,
  brand_picture: storePicture,
  brand: (work, row) => storeBrand(work, 'brands', row),
  account_brand: (work, row) => storeBrand(work, 'account_brands', row),
}

/** A record stored by an earlier run is found by its remembered id. */
async function created(work: Storing, kind: TransferOwner, old: unknown, make: () => Promise<number>): Promise<StoreOutcome> {
  if (!Number.isSafeInteger(old)) refuse('bad_request', `A ${kind} has no id: this is not what an export writes`)
  if (work.ids.of(kind, old as number) !== undefined) return 'unchanged'
  await work.ids.remember(work.tx, kind, old as number, await make())
  return 'created'
}

/** Without it the database draws one. */
function keptId({ keepsIds }: Storing, old: unknown): { id?: number } {
  return keepsIds ? { id: old as number } : {}
}

async function storeAccount(work: Storing, row: TransferRow, record: Readonly<Record<string, unknown>>): Promise<StoreOutcome> {
  const { tx, caller, target } = work
  const old = record['id'] as number
  const home = await homeOf(work, old)
  return created(work, 'account', old, async () => {
    if (home !== undefined && !work.keepsIds) return home
    const values = row as Pick<
      Selectable<AccountRow>,
      'name' | 'time_zone' | 'region' | 'tags' | 'archived_at' | 'created_at' | 'updated_at'
    >
    if (home === old) await tx.updateTable('accounts').set(values).where('id', '=', home).execute()
    if (home === old) return home
    const { id } = await tx
      .insertInto('accounts')
      .values({ partner_id: target.partnerId, owner_id: null, ...values, ...keptId(work, old) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, caller, 'account.create', { id, account_id: id, partner_id: target.partnerId }, { after: { id, ...row } })
    if (home !== undefined) await replaceHome(tx, caller, target.partnerId, home, id)
    return id
  })
}

/** The existing account into which this account of the export is imported, if there is one. */
async function homeOf({ tx, target, partnerAccountId }: Storing, old: number): Promise<number | undefined> {
  if (target.accountId !== undefined) return target.accountId
  if (old !== partnerAccountId) return undefined
  const partner = await tx.selectFrom('partners').select('account_id').where('id', '=', target.partnerId).executeTakeFirst()
  return partner?.account_id ?? undefined
}

async function insertBusiness({ tx, caller }: Storing, row: Insertable<BusinessRow>): Promise<number> {
  const { id } = await tx.insertInto('businesses').values(row).returning('id').executeTakeFirstOrThrow()
  await audit(tx, caller, 'business.create', { id, account_id: row.account_id }, { after: { id, ...row } })
  return id
}

async function storeSite(work: Storing, row: TransferRow, { id: old }: Readonly<Record<string, unknown>>): Promise<StoreOutcome> {
  const site = row as unknown as Insertable<SiteRow>
  if (!(await isOf(work, 'businesses', site.account_id, site.business_id))) return notOfAccount(site.domain, 'business')
  const outcome = await created(work, 'site', old, async () => siteIn(work, { ...site, ...keptId(work, old) }))
  const id = work.ids.of('site', old as number) ?? 0
  const isStored = !work.ids.isStandIn(id)
  if (outcome === 'created') work.ids.sitesToCome.push({ id, account_id: site.account_id, domain: readDomain(site.domain) ?? '', isStored })
  return outcome
}

/** A domain is unique in its account, so an existing site with this domain is used. */
async function siteIn({ tx, caller }: Storing, row: Insertable<SiteRow>): Promise<number> {
  const domain = readDomain(row.domain) ?? refuse('bad_request', `${row.domain} is no domain: this is not what an export writes`)
  const known = tx.selectFrom('sites').select('id').where('account_id', '=', row.account_id).where('domain', '=', domain)
  const found = await known.executeTakeFirst()
  if (found !== undefined) return found.id
  await renewReportVersions(tx, [row.account_id])
  const { id } = await tx
    .insertInto('sites')
    .values({ ...row, domain })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(tx, caller, 'site.create', { id, account_id: row.account_id }, { after: { id, ...row } })
  return id
}

async function storeUser(work: Storing, row: TransferRow, record: Readonly<Record<string, unknown>>): Promise<StoreOutcome> {
  const { tx, caller, verifier } = work
  const values = row as unknown as Insertable<UserRow>
  if (work.ids.of('user', record['id'] as number) !== undefined) return 'unchanged'
  const names = [foldName(values.email), foldName(values.login)]
  const taken = await tx.selectFrom('user_names').select('name').where('name', 'in', names).executeTakeFirst()
  if (taken !== undefined) {
    work.taken.give()
    return { what: values.login, why: 'the login or email is taken' }
  }
  return created(work, 'user', record['id'], async () => {
    const salt = randomBytes(20).toString('hex')
    const { id } = await tx
      .insertInto('users')
      .values({ ...values, ...keptId(work, record['id']), ...noCodes, deleted_at: null, salt })
      .returning('id')
      .executeTakeFirstOrThrow()
    await reserveNames(tx, { id, email: values.email, login: values.login })
    await tx.insertInto('user_passwords').values({ user_id: id, verifier, changed_at: caller.app.clock.now() }).execute()
    await audit(tx, caller, 'user.create', { id, account_id: values.account_id }, { after: { id, ...row } })
    return id
  })
}

/** An account that has an owner keeps the owner. */
async function storeOwner(work: Storing, row: TransferRow): Promise<StoreOutcome> {
  const { tx, caller } = work
  const { account_id, user_id } = row as { account_id: number; user_id: number }
  if (!(await isOf(work, 'users', account_id, user_id))) return notOfAccount(`account ${account_id}`, 'user')
  const account = await tx.selectFrom('accounts').select('owner_id').where('id', '=', account_id).executeTakeFirst()
  const owner = account?.owner_id ?? null
  if (owner === user_id) return 'unchanged'
  if (owner !== null) return { what: `account ${account_id}`, why: 'it has another owner' }
  await tx.updateTable('accounts').set({ owner_id: user_id }).where('id', '=', account_id).execute()
  await audit(tx, caller, 'account.set_owner', { id: account_id, account_id }, { after: { owner_id: user_id } })
  return 'created'
}

const mostSites = 10_000

const scopeOwners = { Account: 'account', Business: 'business', Site: 'site' } as const

async function storeAbility({ tx, ids }: Storing, row: TransferRow): Promise<StoreOutcome> {
  const ability = row as unknown as AbilityRow
  const scope_id = ids.of(scopeOwners[ability.scope_type], ability.scope_id)
  if (scope_id === undefined) return { what: `${ability.scope_type} ${ability.scope_id}`, why: 'it is not in this export' }
  const known = tx.selectFrom('abilities').select('key').where('user_id', '=', ability.user_id).where('scope_id', '=', scope_id)
  if ((await known.where('scope_type', '=', ability.scope_type).executeTakeFirst()) !== undefined) return 'unchanged'
  await tx
    .insertInto('abilities')
    .values({ ...ability, scope_id })
    .onConflict((taken) => taken.doNothing())
    .execute()
  return 'created'
}

/** Of a site that is here already, what is plain here stays. */
async function storePlainSeries(work: Storing, row: TransferRow): Promise<StoreOutcome> {
  const plain = row as unknown as Insertable<PlainSeriesRow>
  if (!(await isOf(work, 'sites', plain.account_id, plain.site_id))) return notOfAccount(plain.engine, 'site')
  const { numInsertedOrUpdatedRows } = await work.tx
    .insertInto('plain_series')
    .values({ ...plain, intake_id: 0 })
    .onConflict((taken) => taken.columns(['site_id', 'engine', 'locale']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows ? 'created' : 'unchanged'
}

/** Stores the schedule with its recipients and its last period, so that no report is mailed twice. */
async function storeSchedule(work: Storing, row: TransferRow, record: Readonly<Record<string, unknown>>): Promise<StoreOutcome> {
  const { tx, ids, caller } = work
  const { site_ids: old, ...rest } = row as unknown as Insertable<ReportScheduleRow> & { site_ids: string | null }
  const sites = old === null ? null : (JSON.parse(old) as number[]).flatMap((id) => ids.of('site', id) ?? [])
  for (const site of atMost(sites ?? [], mostSites))
    if (!(await isOf(work, 'sites', rest.account_id, site))) return notOfAccount(rest.rhythm, 'site')
  const release = releaseNamed(rest.release ?? undefined) ?? null
  const schedule = { ...rest, release, site_ids: sites === null ? null : JSON.stringify(sites) }
  const of = tx.selectFrom('report_schedules').select('site_ids').where('account_id', '=', schedule.account_id)
  const known = await of.where('rhythm', '=', schedule.rhythm).where('created_at', '=', schedule.created_at).execute()
  if (known.some(({ site_ids }) => site_ids === schedule.site_ids)) return 'unchanged'
  const { id } = await tx.insertInto('report_schedules').values(schedule).returning('id').executeTakeFirstOrThrow()
  for (const recipient of (record['recipients'] ?? []) as {
    email: string
    state: 'active' | 'unconfirmed' | 'unsubscribed'
    created_at: string
    updated_at: string
  }[]) {
    const { email, created_at, updated_at } = recipient
    // Only the operator knows that they have agreed.
    const state = caller.kind === 'partner' && recipient.state !== 'unsubscribed' ? 'unconfirmed' : recipient.state
    await tx
      .insertInto('report_recipients')
      .values({ schedule_id: id, account_id: schedule.account_id, email, state, created_at, updated_at })
      .execute()
  }
  return 'created'
}

async function storeExternalId({ tx, ids, target }: Storing, row: TransferRow): Promise<StoreOutcome> {
  const { kind, external_id, record_id: old } = row as unknown as ExternalIdRow
  const record_id = ids.of(kind, old)
  if (record_id === undefined) return { what: external_id, why: `its ${kind} was left out` }
  const mine = tx.selectFrom('external_ids').select('record_id').where('partner_id', '=', target.partnerId).where('kind', '=', kind)
  const known = await mine.where('external_id', '=', external_id).executeTakeFirst()
  if (known?.record_id === record_id) return 'unchanged'
  if (known !== undefined) return { what: external_id, why: `another ${kind} of the partner has it` }
  await tx.insertInto('external_ids').values({ partner_id: target.partnerId, kind, external_id, record_id }).execute()
  return 'created'
}
