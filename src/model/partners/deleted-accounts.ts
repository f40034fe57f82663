/**
 * Deletes an account and brings it back. A deleted account belongs to no partner, so that nobody finds anything of it, and nothing of it is removed: not before
 * its time is over (model/upkeep/ended-accounts.ts).
 */

import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import { type Account, type AccountDeletion, account } from '../../resources/account.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { actorOf, audit } from '../core/audit.ts'
import type { OperatorCaller, StaffCaller } from '../core/caller.ts'
import { accountsWithin, deletedAccountIds, type Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'

type Db = Kysely<Tables>

const columns = Object.keys(account) as (keyof Account)[]
const daySeconds = 86_400

/** What would go, and the word that confirms exactly this. */
export async function previewDeletion(caller: Managing, id: number): Promise<AccountDeletion> {
  return confirmable(caller, await findGoing(caller, id))
}

/** What would go. */
export async function findGoing(caller: Managing, id: number): Promise<Going> {
  const { db } = caller.app.store
  return goingOf(caller, db, await deletable(caller, db, id))
}

export function deleteAccount(caller: Managing, id: number, confirm: string | undefined): Promise<Account> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'accounts', id)
    const { partner_id, ...before } = await deletable(caller, tx, id)
    if (confirm === undefined)
      refuse('bad_request', 'A deletion has to be confirmed: try it with a dry run, and send the confirm that it gives')
    const goes = await goingOf(caller, tx, before)
    if (!isConfirmed(caller, goes, confirm))
      refuse('conflict', 'What would go has changed since the dry run: try it again, and send the new confirm')
    await refuseWhileUndoing(tx, partner_id, id)
    const deleted_at = caller.app.clock.now()
    await tx
      .insertInto('deleted_accounts')
      .values({ account_id: id, partner_id, actor: actorOf(caller), deleted_at })
      .execute()
    await tx.updateTable('accounts').set({ partner_id: null }).where('id', '=', id).execute()
    await audit(tx, caller, 'account.delete', { id, account_id: id, partner_id }, { before, after: goes })
    return before
  })
}

/** A key finds nothing of what is deleted. */
type Restoring = OperatorCaller | StaffCaller

/** All of it is as it was. */
export function restoreAccount(caller: Restoring, id: number): Promise<Account> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'accounts', id)
    await restorable(caller, tx, id)
    const deleted = tx.deleteFrom('deleted_accounts').where('account_id', '=', id).where('ends_at', 'is', null)
    const { partner_id } = (await deleted.returning('partner_id').executeTakeFirst()) ?? notFound('account')
    const back = tx.updateTable('accounts').set({ partner_id }).where('id', '=', id)
    const restored = await back.returning(columns).executeTakeFirstOrThrow()
    // Whoever has the files could not say so while they rested, and must not count as lost.
    const intakes = tx.selectFrom('intakes').select('id').where('account_id', '=', id)
    await tx.updateTable('intake_tasks').set({ seen_at: caller.app.clock.now() }).where('intake_id', 'in', intakes).execute()
    await audit(tx, caller, 'account.restore', { id, account_id: id, partner_id }, { after: restored })
    return restored
  })
}

/** Those that can be brought back, and those whose removal has begun. */
export async function listDeletedAccounts(caller: Restoring, partnerId?: number) {
  const rows = await deletedWithin(caller, caller.app.store.db)
    .select(['accounts.id', 'deleted_accounts.partner_id', 'accounts.name', 'deleted_at', 'ends_at', 'deleted_accounts.actor'])
    .$if(partnerId !== undefined, (deleted) => deleted.where('deleted_accounts.partner_id', '=', partnerId as number))
    .orderBy('accounts.id')
    .execute()
  return rows.map(({ account_id: _, ends_at, ...row }) => ({
    ...row,
    kept_until: keptUntil(caller.app, row.deleted_at),
    is_ending: ends_at !== null,
  }))
}

async function restorable(caller: Restoring, db: Db, id: number): Promise<void> {
  const found = deletedWithin(caller, db).where('accounts.id', '=', id)
  if ((await found.executeTakeFirst()) === undefined) notFound('account')
}

/** Whoever looked after an account does so while it is deleted. */
function deletedWithin(caller: Restoring, db: Db) {
  const deleted = deletedAccountIds(db).innerJoin('accounts', 'accounts.id', 'deleted_accounts.account_id')
  if (caller.kind === 'operator') return deleted
  const theirs = deleted.where('deleted_accounts.partner_id', '=', caller.partnerId)
  return caller.customers === 'all' ? theirs : theirs.where('accounts.looked_after_by', '=', caller.userId)
}

type Deletable = Account & { readonly partner_id: number }

async function deletable(caller: Managing, db: Db, id: number): Promise<Deletable> {
  const found = accountsWithin(caller, db).innerJoin('partners', 'partners.id', 'accounts.partner_id').where('accounts.id', '=', id)
  const names = columns.map((column) => `accounts.${column}` as const)
  const { home, ...known } =
    (await found.select([...names, 'accounts.partner_id', 'partners.account_id as home']).executeTakeFirst()) ?? notFound('account')
  if (caller.kind === 'partner' && caller.accountIds !== null) refuse('forbidden', 'This key is limited to accounts and deletes none')
  if (home === id) refuse('conflict', 'This is the account of the partner itself, which stays')
  return known
}

export type Going = Omit<AccountDeletion, 'confirm'>

async function goingOf(caller: Managing, db: Db, { id: account_id, name }: Account): Promise<Going> {
  return { account_id, name, ...(await countGoing(db, account_id)), kept_until: keptUntil(caller.app, caller.app.clock.now()) }
}

function confirmable({ app }: Managing, goes: Going): AccountDeletion {
  return { ...goes, confirm: app.secrets.hmac('confirmation', confirmed(goes), confirmDigits) }
}

const confirmDigits = 32

function isConfirmed({ app }: Managing, goes: Going, confirm: string): boolean {
  return app.secrets.isHmac(confirm, 'confirmation', confirmed(goes), confirmDigits)
}

/** The day until which it is kept goes on while somebody thinks. */
function confirmed({ kept_until: _, ...goes }: Going): string {
  return JSON.stringify(['account.delete', goes])
}

function keptUntil({ settings }: Managing['app'], from: string): string | null {
  return settings.keepDeletedAccountsDays === 0 ? null : secondsAfter(from, settings.keepDeletedAccountsDays * daySeconds)
}

type Counts = Omit<Going, 'account_id' | 'name' | 'kept_until'>

/** One statement, by indexes. */
async function countGoing(db: Db, account_id: number): Promise<Counts> {
  const counts = db.selectNoFrom((row) => [
    ownRows(row, 'businesses', account_id).as('businesses'),
    ownRows(row, 'sites', account_id).as('sites'),
    ownRows(row, 'users', account_id).where('state', '!=', 'deleted').as('users'),
    foreignAbilities(row, account_id).as('abilities'),
    row
      .selectFrom('share_links')
      .innerJoin('sites', 'sites.id', 'share_links.site_id')
      .select(many)
      .where('sites.account_id', '=', account_id)
      .where('revoked_at', 'is', null)
      .as('share_links'),
    ownRows(row, 'report_schedules', account_id).as('schedules'),
    ownRows(row, 'mails', account_id)
      .where('state', 'in', ['queued', 'sending'] as never[])
      .as('mails'),
    row
      .selectFrom('intake_tasks')
      .innerJoin('intakes', 'intakes.id', 'intake_tasks.intake_id')
      .select(many)
      .where('intakes.account_id', '=', account_id)
      .as('uploads'),
  ])
  return (await counts.executeTakeFirstOrThrow()) as Counts
}

type Row = ExpressionBuilder<Tables, never>

const many = sql<number>`count(*)`.as('many')

/** Whatever the table is, its rows are asked only for their account and state. */
function ownRows(row: Row, table: 'businesses' | 'sites' | 'users' | 'report_schedules' | 'mails', account_id: number) {
  return row
    .selectFrom(table as 'users')
    .select(many)
    .where('account_id', '=', account_id)
}

/** What people of other accounts hold here. */
function foreignAbilities(row: Row, account_id: number) {
  const own = (table: 'businesses' | 'sites' | 'users') => row.selectFrom(table).select('id').where('account_id', '=', account_id)
  return row
    .selectFrom('abilities')
    .select(many)
    .where('user_id', 'not in', own('users'))
    .where((ability) =>
      ability.or([
        ability.and({ scope_type: 'Account', scope_id: account_id }),
        ability('scope_type', '=', 'Business').and('scope_id', 'in', own('businesses')),
        ability('scope_type', '=', 'Site').and('scope_id', 'in', own('sites')),
      ]),
    )
}

/** An undo finds its accounts when it begins. */
async function refuseWhileUndoing(tx: Db, partnerId: number, accountId: number): Promise<void> {
  const undoing = await tx
    .selectFrom('intake_tasks')
    .innerJoin('intakes', 'intakes.id', 'intake_tasks.intake_id')
    .select('intakes.id')
    .where('intake_tasks.partner_id', '=', partnerId)
    .where('intake_tasks.task', '=', 'undo')
    .where((intake) => intake.or([intake('intakes.account_id', 'is', null), intake('intakes.account_id', '=', accountId)]))
    .executeTakeFirst()
  if (undoing !== undefined) refuse('conflict', `Intake ${undoing.id} is being undone: delete the account when that has ended`)
}
