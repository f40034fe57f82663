/**
 * Ends deleted accounts whose time is over, some rows at a time: their people are deleted like any user, their sites are removed like any site, and whatever
 * else belongs to them goes. The row of the account stays without its name, because the deleted users belong to it.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { isoTime } from '../../lib/time/clock.ts'
import { atMost } from '../../lib/work/batches.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { forgetExternalId } from '../core/external-ids.ts'
import { deletedAccountIds } from '../core/tenancy.ts'
import type { Removable } from '../partners/dependents.ts'
import { removeAll } from '../partners/removal.ts'
import { endUser } from '../people/user-states.ts'

type Db = Kysely<Tables>

/** Each takes several statements. */
const usersPerWrite = 10
const sitesPerWrite = 2
const rowsPerWrite = 200
/** Between two transactions, so that other writes come first. */
const pauseMilliseconds = 5
const dayMilliseconds = 86_400_000

export async function isAnyAccountOver(app: App): Promise<boolean> {
  return (await nextOver(app)) !== undefined
}

/** An account whose end was begun is ended even if the setting has changed since. */
export async function endAccounts(caller: OperatorCaller, signal: AbortSignal): Promise<void> {
  for (let next = await nextOver(caller.app); next !== undefined && !signal.aborted; next = await nextOver(caller.app)) {
    await endSome(caller, next)
    await sleep(pauseMilliseconds)
  }
}

interface Over {
  readonly account_id: number
  readonly partner_id: number
  readonly ends_at: string | null
}

function nextOver({ store, settings, clock }: App): Promise<Over | undefined> {
  const days = settings.keepDeletedAccountsDays
  const before = days === 0 ? '' : isoTime(Date.parse(clock.now()) - days * dayMilliseconds)
  return deletedAccountIds(store.db)
    .select(['partner_id', 'ends_at'])
    .where((row) => row.or([row('ends_at', 'is not', null), row('deleted_at', '<', before)]))
    .orderBy('account_id')
    .executeTakeFirst()
}

/** One transaction; its work is the first of these that finds something. */
async function endSome(caller: OperatorCaller, over: Over): Promise<void> {
  const { store, clock } = caller.app
  await store.write(async (tx) => {
    // Once this is committed, nobody can bring the account back.
    await store.lock(tx, 'accounts', over.account_id)
    const same = tx.updateTable('deleted_accounts').where('account_id', '=', over.account_id)
    const { numUpdatedRows } = await same
      .set({ ends_at: over.ends_at ?? clock.now() })
      .where('cleared_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    for (const step of steps) if (await step(tx, caller, over)) return
    await tx
      .updateTable('accounts')
      .set({ name: '', time_zone: null, region: null, owner_id: null, looked_after_by: null })
      .where('id', '=', over.account_id)
      .execute()
    await same.set({ cleared_at: clock.now() }).execute()
    await audit(tx, caller, 'account.clear', { id: over.account_id, account_id: over.account_id, partner_id: over.partner_id })
  })
}

/** Returns whether there was something to do. */
type Step = (tx: Db, caller: OperatorCaller, over: Over) => Promise<boolean>

const steps: readonly Step[] = [
  async (tx, caller, { account_id, partner_id }) => {
    const living = tx.selectFrom('users').select(['id', 'account_id', 'state', 'activated_at']).where('state', '!=', 'deleted')
    const users = await living.where('account_id', '=', account_id).orderBy('id').limit(usersPerWrite).execute()
    for (const user of atMost(users, usersPerWrite)) await endUser(tx, caller, { ...user, partner_id })
    return users.length > 0
  },
  remove('site', 'sites', sitesPerWrite),
  remove('business', 'businesses', rowsPerWrite),
  remove('schedule', 'report_schedules', rowsPerWrite),
  async (tx, _caller, { account_id }) => {
    const ids = (await tx.selectFrom('intakes').select('id').where('account_id', '=', account_id).limit(rowsPerWrite).execute()).map(
      ({ id }) => id,
    )
    if (ids.length === 0) return false
    for (const table of ['intake_tasks', 'intake_refused_lines'] as const)
      await tx.deleteFrom(table).where('intake_id', 'in', ids).execute()
    await tx.deleteFrom('intakes').where('id', 'in', ids).execute()
    return true
  },
  clear('mails', 'id'),
  clear('annotations', 'id'),
  clear('intake_steps', 'intake_id'),
  clear('intake_directory_steps', 'intake_id'),
  async (tx, _caller, { account_id }) => {
    // Its sites are gone, and what was fetched for them with these.
    for (const table of [
      'account_brands',
      'account_figures',
      'account_editors',
      'people_invitations',
      'read_tokens',
      'data_sources',
    ] as const)
      await tx.deleteFrom(table).where('account_id', '=', account_id).execute()
    await tx.deleteFrom('abilities').where('scope_type', '=', 'Account').where('scope_id', '=', account_id).execute()
    await tx.deleteFrom('old_ids').where('kind', 'in', ['account', 'copied account']).where('new_id', '=', account_id).execute()
    await forgetExternalId(tx, 'account', account_id)
    return false
  },
]

function remove(kind: Removable, table: 'sites' | 'businesses' | 'report_schedules', most: number): Step {
  return async (tx, { app }, { account_id }) => {
    const rows = tx
      .selectFrom(table as 'sites')
      .select('id')
      .where('account_id', '=', account_id)
    const ids = (await rows.orderBy('id').limit(most).execute()).map(({ id }) => id)
    await removeAll(app.store.engine, tx, kind, account_id, ids)
    return ids.length > 0
  }
}

/** Rows of the account that nothing refers to. */
function clear(table: 'mails' | 'annotations' | 'intake_steps' | 'intake_directory_steps', key: 'id' | 'intake_id'): Step {
  return async (tx, _caller, { account_id }) => {
    const rows = tx
      .selectFrom(table as 'mails')
      .select(key as 'id')
      .where('account_id', '=', account_id)
    const ids = (await rows.limit(rowsPerWrite).execute()).map((row) => row[key as 'id'])
    if (ids.length === 0) return false
    await tx
      .deleteFrom(table as 'mails')
      .where('account_id', '=', account_id)
      .where(key as 'id', 'in', ids)
      .execute()
    return true
  }
}
