/** Exports whole accounts as one stream of lines: first the directory, then all measurements; all from one snapshot. */

import type { Kysely } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { installationName } from '../core/installation.ts'
import { readStoredValue } from '../core/stored-values.ts'
import { exportAccount } from '../imports/export/export.ts'
import type { Put } from '../imports/export/export-lines.ts'
import { exportBrands } from './export-brands.ts'
import { type PutTransfer, type TransferKind, transferColumns, transferVersion } from './kinds.ts'

type Db = Kysely<Tables>
type Line = Readonly<Record<string, unknown>>

const rowsPerSlice = 500

/** One account, or all accounts of a partner. */
export interface TransferScope {
  readonly partnerId: number
  readonly accountId?: number
}

export async function exportAccounts(
  { app }: OperatorCaller,
  { partnerId, accountId }: TransferScope,
  take: (text: string) => Promise<void>,
): Promise<void> {
  const write = async (type: string, lines: readonly Line[]) => {
    if (lines.length > 0) await take(lines.map((line) => `${JSON.stringify({ type, ...line })}\n`).join(''))
  }
  await app.store.snapshot(async (db) => {
    const partner = await db.selectFrom('partners').select('account_id').where('id', '=', partnerId).executeTakeFirst()
    const every = db.selectFrom('accounts').select('id').where('partner_id', '=', partnerId)
    const accounts = await (accountId === undefined ? every : every.where('id', '=', accountId)).orderBy('id').execute()
    if (partner === undefined || accounts.length === 0) notFound('account')
    await write('export', [
      {
        version: transferVersion,
        installation: (await readStoredValue(db, installationName)) ?? '',
        exported_at: app.clock.now(),
        accounts: accounts.length,
        partner_account_id: accountId === undefined ? partner.account_id : null,
      },
    ])
    const ids = accounts.map(({ id }) => id)
    for (const part of parts) for (const id of ids) await part(db, id, write)
    for (const id of ids) await exportExternalIds(db, partnerId, id, write)
    await exportBrands(db, partnerId, ids, write)
    for (const id of ids) await exportAccount(db, id, { account: id }, withoutSites(write))
  })
}

type Part = (db: Db, accountId: number, put: PutTransfer) => Promise<void>

const parts: readonly Part[] = [
  async (db, id, put) => {
    const account = await db
      .selectFrom('accounts')
      .select(['id', 'name', 'time_zone', 'created_at', 'updated_at'])
      .where('id', '=', id)
      .execute()
    await put('account', account)
  },
  (db, id, put) => exportTable(db, 'businesses', 'business', id, put),
  (db, id, put) => exportTable(db, 'sites', 'site', id, put),
  (db, id, put) => exportTable(db, 'users', 'user', id, put),
  async (db, id, put) => {
    const owners = db.selectFrom('accounts').select(['id as account_id', 'owner_id as user_id']).where('id', '=', id)
    await put('owner', await owners.where('owner_id', 'is not', null).execute())
  },
  async (db, id, put) => {
    const abilities = db.selectFrom('abilities').innerJoin('users', 'users.id', 'abilities.user_id').where('users.account_id', '=', id)
    const ordered = abilities
      .select(['user_id', 'key', 'scope_type', 'scope_id'])
      .orderBy('user_id')
      .orderBy('scope_type')
      .orderBy('scope_id')
    await put('ability', await ordered.where('users.state', '!=', 'deleted').execute())
  },
  (db, id, put) => exportTable(db, 'annotations', 'annotation', id, put),
  exportSchedules,
]

/** The sites were already exported with their businesses. */
function withoutSites(write: (type: string, lines: readonly Line[]) => Promise<void>): Put {
  return async (kind, lines) => (kind === 'site' ? undefined : write(kind, lines))
}

/** The tables have different columns, which the table of kinds names. */
async function exportTable(
  db: Db,
  table: 'businesses' | 'sites' | 'users' | 'annotations',
  kind: TransferKind,
  accountId: number,
  put: PutTransfer,
): Promise<void> {
  const columns = ['id', ...Object.keys(transferColumns[kind])] as 'id'[]
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom(table)
      .select(columns)
      .where('account_id', '=', accountId)
      .where('id', '>', last)
      .$if(table === 'users', (users) => users.where('state', '!=', 'deleted'))
      .orderBy('id')
      .limit(rowsPerSlice)
      .execute()
    await put(kind, rows)
    if (rows.length < rowsPerSlice) return
    last = rows.at(-1)?.id ?? last
  }
}

async function exportSchedules(db: Db, accountId: number, put: PutTransfer): Promise<void> {
  const schedules = await db
    .selectFrom('report_schedules')
    .select(['id', 'account_id', 'rhythm', 'site_ids', 'last_period', 'created_at', 'updated_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  for (const { id, ...schedule } of schedules) {
    const recipients = db.selectFrom('report_recipients').select(['email', 'state', 'created_at', 'updated_at'])
    await put('report_schedule', [{ ...schedule, recipients: await recipients.where('schedule_id', '=', id).orderBy('id').execute() }])
  }
}

async function exportExternalIds(db: Db, partnerId: number, accountId: number, put: PutTransfer): Promise<void> {
  const ids = db.selectFrom('external_ids').select(['kind', 'external_id', 'record_id']).where('partner_id', '=', partnerId)
  await put('external_id', await ids.where('kind', '=', 'account').where('record_id', '=', accountId).execute())
  for (const [kind, table] of [
    ['user', 'users'],
    ['business', 'businesses'],
    ['site', 'sites'],
  ] as const) {
    const records = db.selectFrom(table).select('id').where('account_id', '=', accountId)
    await put('external_id', await ids.where('kind', '=', kind).where('record_id', 'in', records).orderBy('record_id').execute())
  }
}
