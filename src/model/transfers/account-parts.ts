/** What makes an account beside its measurements, part by part, in the order in which an import needs it. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { type PutTransfer, type TransferKind, transferColumns } from './kinds.ts'

type Db = Kysely<Tables>

const rowsPerSlice = 500

/** The account whose parts are written; with a site, only what belongs to that one. */
export interface PartOf {
  readonly partnerId: number
  readonly accountId: number
  readonly siteId?: number | undefined
}

export type Part = (db: Db, of: PartOf, put: PutTransfer) => Promise<void>

/** Abilities are told by the caller, because they reach over accounts. */
export function accountParts(abilities: Part): readonly Part[] {
  return [
    exportItself,
    exportBusinesses,
    exportSites,
    exportUsers,
    exportOwner,
    abilities,
    exportAnnotations,
    exportReviewMarks,
    exportPlainSeries,
    exportSchedules,
  ]
}

/** Users and schedules belong to the account as a whole. */
export const siteParts: readonly Part[] = [
  exportItself,
  exportBusinesses,
  exportSites,
  exportAnnotations,
  exportReviewMarks,
  exportPlainSeries,
]

async function exportItself(db: Db, { accountId }: PartOf, put: PutTransfer): Promise<void> {
  const columns = ['id', 'name', 'time_zone', 'region', 'tags', 'archived_at', 'created_at', 'updated_at'] as const
  await put('account', await db.selectFrom('accounts').select(columns).where('id', '=', accountId).execute())
}

function exportBusinesses(db: Db, of: PartOf, put: PutTransfer): Promise<void> {
  const own = db
    .selectFrom('sites')
    .select('business_id')
    .where('id', '=', of.siteId ?? 0)
  return exportTable('business', put, (columns) => {
    const businesses = db.selectFrom('businesses').select(columns).where('account_id', '=', of.accountId)
    return of.siteId === undefined ? businesses : businesses.where('id', '=', own)
  })
}

function exportSites(db: Db, of: PartOf, put: PutTransfer): Promise<void> {
  return exportTable('site', put, (columns) => {
    const sites = db.selectFrom('sites').select(columns).where('account_id', '=', of.accountId)
    return of.siteId === undefined ? sites : sites.where('id', '=', of.siteId)
  })
}

function exportUsers(db: Db, { accountId }: PartOf, put: PutTransfer): Promise<void> {
  return exportTable('user', put, (columns) =>
    db.selectFrom('users').select(columns).where('account_id', '=', accountId).where('state', '!=', 'deleted'),
  )
}

async function exportOwner(db: Db, { accountId }: PartOf, put: PutTransfer): Promise<void> {
  const owners = db.selectFrom('accounts').select(['id as account_id', 'owner_id as user_id']).where('id', '=', accountId)
  await put('owner', await owners.where('owner_id', 'is not', null).execute())
}

function exportAnnotations(db: Db, of: PartOf, put: PutTransfer): Promise<void> {
  return exportTable('annotation', put, (columns) => {
    const annotations = db.selectFrom('annotations').select(columns).where('account_id', '=', of.accountId)
    return of.siteId === undefined ? annotations : annotations.where('site_id', '=', of.siteId)
  })
}

function exportReviewMarks(db: Db, of: PartOf, put: PutTransfer): Promise<void> {
  return exportTable('review_mark', put, (columns) => {
    const marks = db.selectFrom('review_marks').select(columns).where('account_id', '=', of.accountId)
    return of.siteId === undefined ? marks : marks.where('site_id', '=', of.siteId)
  })
}

/** Without it, the next file of a tracker would begin new series. */
async function exportPlainSeries(db: Db, { accountId, siteId }: PartOf, put: PutTransfer): Promise<void> {
  const columns = ['account_id', 'site_id', 'engine', 'locale', 'device', 'location'] as const
  const all = db.selectFrom('plain_series').select(columns).where('account_id', '=', accountId)
  const some = siteId === undefined ? all : all.where('site_id', '=', siteId)
  await put('plain_series', await some.orderBy('site_id').orderBy('engine').orderBy('locale').execute())
}

interface ById {
  where(column: 'id', operator: '>', value: number): ById
  orderBy(column: 'id'): ById
  limit(count: number): ById
  execute(): Promise<{ id: number }[]>
}

/** The tables have different columns, which the table of kinds names. */
async function exportTable(kind: TransferKind, put: PutTransfer, rowsOf: (columns: 'id'[]) => unknown): Promise<void> {
  const all = rowsOf(['id', ...Object.keys(transferColumns[kind])] as 'id'[]) as ById
  for (let last = 0; ; ) {
    const rows = await all.where('id', '>', last).orderBy('id').limit(rowsPerSlice).execute()
    await put(kind, rows)
    if (rows.length < rowsPerSlice) return
    last = rows.at(-1)?.id ?? last
  }
}

async function exportSchedules(db: Db, { accountId }: PartOf, put: PutTransfer): Promise<void> {
  const schedules = await db
    .selectFrom('report_schedules')
    .select(['id', 'account_id', 'rhythm', 'site_ids', 'last_period', 'release', 'created_at', 'updated_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  for (const { id, ...schedule } of schedules) {
    const recipients = db.selectFrom('report_recipients').select(['email', 'state', 'created_at', 'updated_at'])
    await put('report_schedule', [{ ...schedule, recipients: await recipients.where('schedule_id', '=', id).orderBy('id').execute() }])
  }
}

/** Comes after all parts, because a record must be known before its name. */
export async function exportExternalIds(db: Db, { partnerId, accountId, siteId }: PartOf, put: PutTransfer): Promise<void> {
  const ids = db.selectFrom('external_ids').select(['kind', 'external_id', 'record_id']).where('partner_id', '=', partnerId)
  const site = db
    .selectFrom('sites')
    .where('account_id', '=', accountId)
    .where('id', '=', siteId ?? 0)
  const owned = (table: 'users' | 'businesses' | 'sites') => db.selectFrom(table).select('id').where('account_id', '=', accountId)
  const own =
    siteId === undefined
      ? {
          account: db.selectFrom('accounts').select('id').where('id', '=', accountId),
          user: owned('users'),
          business: owned('businesses'),
          site: owned('sites'),
        }
      : { business: site.select('business_id as id'), site: site.select('id') }
  for (const [kind, records] of Object.entries(own))
    await put(
      'external_id',
      await ids
        .where('kind', '=', kind as 'site')
        .where('record_id', 'in', records)
        .orderBy('record_id')
        .execute(),
    )
}
