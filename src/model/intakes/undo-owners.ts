/** Undoes the creation of businesses, sites, competitors and keywords, unless something else refers to them by now. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { Managing } from '../core/tenancy.ts'
import type { OwnerKind } from '../imports/journal.ts'
import type { StepOutcome } from './undo.ts'

interface Hold {
  readonly table: keyof Tables
  readonly column: string
}

const tables = { business: 'businesses', site: 'sites', subject: 'subjects', keyword: 'keywords' } as const

/** The tables and columns whose rows prevent the deletion of each kind. */
const holds: Readonly<Record<OwnerKind, readonly Hold[]>> = {
  business: [{ table: 'sites', column: 'business_id' }],
  site: [{ table: 'locations', column: 'site_id' }],
  subject: ['keywords', 'backlinks', 'snapshots', 'pages'].map((table) => ({ table: table as keyof Tables, column: 'subject_id' })),
  keyword: ['ranking_months', 'ranked_url_months', 'click_count_months'].map((table) => ({
    table: table as keyof Tables,
    column: 'keyword_id',
  })),
}

const scopes: Partial<Record<OwnerKind, 'Business' | 'Site'>> = { business: 'Business', site: 'Site' }

export async function undoOwners(
  caller: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  kind: OwnerKind,
  ids: readonly number[],
): Promise<StepOutcome> {
  const left: { kind: string; what: string }[] = []
  for (const id of ids) {
    if (await isHeld(caller, tx, accountId, kind, id)) left.push({ kind, what: `${kind} ${id}` })
    else await remove(caller, tx, accountId, kind, id)
  }
  return { undone: ids.length - left.length, left }
}

async function isHeld(caller: Managing, tx: Kysely<Tables>, accountId: number, kind: OwnerKind, id: number): Promise<boolean> {
  const isMeasured = kind === 'subject' || kind === 'keyword'
  for (const { table, column } of holds[kind]) {
    const naming = tx
      .selectFrom(table as 'keywords')
      .select('account_id as found')
      .where(column as 'subject_id', '=', id)
    const query = isMeasured ? naming.where('account_id', '=', accountId) : naming
    if ((await query.limit(1).executeTakeFirst()) !== undefined) return true
  }
  if (kind === 'site' && ((await hasSubjects(caller, accountId, id)) || (await hasShareLinks(tx, id)))) return true
  const scope = scopes[kind]
  return scope !== undefined && (await hasAbilities(tx, scope, id))
}

async function hasShareLinks(tx: Kysely<Tables>, siteId: number): Promise<boolean> {
  return (await tx.selectFrom('share_links').select('id').where('site_id', '=', siteId).limit(1).executeTakeFirst()) !== undefined
}

/** Subjects are measured data and stored apart from sites, so they are queried separately. */
async function hasSubjects({ app }: Managing, accountId: number, siteId: number): Promise<boolean> {
  const found = app.store.db.selectFrom('subjects').select('id').where('account_id', '=', accountId).where('site_id', '=', siteId)
  return (await found.limit(1).executeTakeFirst()) !== undefined
}

async function hasAbilities(tx: Kysely<Tables>, scope: 'Business' | 'Site', id: number): Promise<boolean> {
  const found = tx.selectFrom('abilities').select('user_id').where('scope_type', '=', scope).where('scope_id', '=', id)
  return (await found.limit(1).executeTakeFirst()) !== undefined
}

async function remove(caller: Managing, tx: Kysely<Tables>, account_id: number, kind: OwnerKind, id: number): Promise<void> {
  if (kind === 'subject') await tx.deleteFrom('ranked_urls').where('account_id', '=', account_id).where('subject_id', '=', id).execute()
  const { numDeletedRows } = await tx
    .deleteFrom(tables[kind] as 'keywords')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  const noun = scopes[kind]
  if (noun !== undefined && numDeletedRows > 0n)
    await audit(tx, caller, { action: `${kind}.delete`, subject_type: noun, subject_id: id, account_id })
}
