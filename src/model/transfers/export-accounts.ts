/** Exports whole accounts as one stream of lines: first the directory, then all measurements; all from one snapshot. */

import type { Kysely } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { installationName } from '../core/installation.ts'
import { readStoredValue } from '../core/stored-values.ts'
import { exportAccount } from '../imports/export/export.ts'
import type { Put } from '../imports/export/export-lines.ts'
import { accountParts, exportExternalIds, type PartOf } from './account-parts.ts'
import { exportBrands } from './export-brands.ts'
import { type PutTransfer, transferVersion } from './kinds.ts'

type Db = Kysely<Tables>

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
  const write = linesTo(take)
  await app.store.snapshot(async (db) => {
    const partner = await db.selectFrom('partners').select('account_id').where('id', '=', partnerId).executeTakeFirst()
    const every = db.selectFrom('accounts').select('id').where('partner_id', '=', partnerId)
    const accounts = await (accountId === undefined ? every : every.where('id', '=', accountId)).orderBy('id').execute()
    if (partner === undefined || accounts.length === 0) notFound('account')
    const partnerAccountId = accountId === undefined ? partner.account_id : null
    await write('export', [await headOf(db, { now: app.clock.now(), accounts: accounts.length, partnerAccountId })])
    const all = accounts.map(({ id }): PartOf => ({ partnerId, accountId: id }))
    for (const part of accountParts(abilitiesOfUsers)) for (const of of all) await part(db, of, write)
    for (const of of all) await exportExternalIds(db, of, write)
    await exportBrands(
      db,
      partnerId,
      accounts.map(({ id }) => id),
      write,
    )
    for (const { id } of accounts) await exportAccount(db, id, { account: id }, withoutSites(write))
  })
}

type PutLines = (type: string, lines: readonly Readonly<Record<string, unknown>>[]) => Promise<void>

/** Writes each record on a line of its own. */
export function linesTo(take: (text: string) => Promise<void>): PutLines {
  return async (type, lines) => {
    if (lines.length > 0) await take(lines.map((line) => `${JSON.stringify({ type, ...line })}\n`).join(''))
  }
}

interface Head {
  readonly now: string
  readonly accounts: number
  /** Set in the export of a whole partner. */
  readonly partnerAccountId: number | null
}

export async function headOf(db: Db, { now, accounts, partnerAccountId }: Head) {
  return {
    version: transferVersion,
    installation: (await readStoredValue(db, installationName)) ?? '',
    exported_at: now,
    accounts,
    partner_account_id: partnerAccountId,
  }
}

/** The sites were already exported with their businesses. */
export function withoutSites(write: PutLines): Put {
  return async (kind, lines) => (kind === 'site' ? undefined : write(kind, lines))
}

async function abilitiesOfUsers(db: Db, { accountId }: PartOf, put: PutTransfer): Promise<void> {
  const abilities = db
    .selectFrom('abilities')
    .innerJoin('users', 'users.id', 'abilities.user_id')
    .where('users.account_id', '=', accountId)
    .select(['user_id', 'key', 'scope_type', 'scope_id'])
    .orderBy('user_id')
    .orderBy('scope_type')
    .orderBy('scope_id')
  await put('ability', await abilities.where('users.state', '!=', 'deleted').execute())
}
