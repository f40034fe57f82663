/**
 * Staff look at the pages as a person of a customer sees them. It is no login: nothing but the session of the staff knows of it, it ends by itself, and its
 * caller can change nothing and reaches what both may see.
 */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../../lib/failures.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit, auditAll } from '../../core/audit.ts'
import type { OperatorCaller, StaffCaller } from '../../core/caller.ts'
import { accountsWithin, managedBy } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import type { LoggedIn } from '../sessions.ts'
import { staffCallerOf } from './staff-rules.ts'

type Db = Kysely<Tables>

const viewSeconds = 30 * 60
const endedAtOnce = 100
const nobody = { seen_user_id: null, seen_account_id: null, seen_until: null }

/** The person is one of those whom the page of the customer names. */
export async function beginView({ person, session }: LoggedIn, accountId: number, userId: number): Promise<void> {
  const staff = staffCallerOf(person)
  await change(staff, async (tx) => {
    const { state } = (await clients(tx, staff, accountId).where('users.id', '=', userId).executeTakeFirst()) ?? notFound('user')
    if (state === 'suspended') refuse('conflict', 'This person is suspended and sees no page.')
    await leave(tx, staff, session.tokenHash)
    const until = secondsAfter(staff.app.clock.now(), viewSeconds)
    const seen = { seen_user_id: userId, seen_account_id: accountId, seen_until: until }
    await tx.updateTable('sessions').set(seen).where('token_hash', '=', session.tokenHash).execute()
    await audit(tx, staff, 'user.begin_view', { id: userId, account_id: accountId }, { after: { until } })
  })
}

/** Returns the customer at whose page it began; null if it has ended already. */
export function endView({ person, session }: LoggedIn): Promise<number | null> {
  const staff = staffCallerOf(person)
  return change(staff, (tx) => leave(tx, staff, session.tokenHash))
}

async function leave(tx: Db, staff: StaffCaller, tokenHash: string): Promise<number | null> {
  const sessions = tx.selectFrom('sessions').select(['seen_user_id', 'seen_account_id']).where('token_hash', '=', tokenHash)
  const { seen_user_id: id, seen_account_id } = (await sessions.executeTakeFirst()) ?? nobody
  if (id === null) return null
  await tx.updateTable('sessions').set(nobody).where('token_hash', '=', tokenHash).execute()
  await audit(tx, staff, 'user.end_view', { id, account_id: seen_account_id })
  return seen_account_id
}

/** Users of the customer and those of others to whom something of it is open; staff are nobody's clients. */
function clients(db: Db, staff: StaffCaller, accountId: number) {
  const accounts = accountsWithin(staff, db).select('accounts.id').where('accounts.id', '=', accountId)
  return managedBy(staff.partnerId, 'users', db)
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .select(['users.id', 'users.state'])
    .where('staff.user_id', 'is', null)
    .where((user) => user.exists(accounts))
    .where((user) => {
      const scopes = user.selectFrom('abilities').select('user_id').whereRef('abilities.user_id', '=', 'users.id')
      const of = (table: 'businesses' | 'sites') => user.selectFrom(table).select('id').where('account_id', '=', accountId)
      return user.or([
        user('users.account_id', '=', accountId),
        user.exists(scopes.where('scope_type', '=', 'Account').where('scope_id', '=', accountId)),
        user.exists(scopes.where('scope_type', '=', 'Business').where('scope_id', 'in', of('businesses'))),
        user.exists(scopes.where('scope_type', '=', 'Site').where('scope_id', 'in', of('sites'))),
      ])
    })
}

export async function isAnyViewOver(app: App): Promise<boolean> {
  return (await overViews(app.store.db, app).executeTakeFirst()) !== undefined
}

/** Those whose time is over show nothing any more; what is left is to note that they ended. */
export async function endOverViews(caller: OperatorCaller): Promise<void> {
  const { app } = caller
  await app.store.write(async (tx) => {
    const over = await overViews(tx, app).limit(endedAtOnce).execute()
    if (over.length === 0) return
    const hashes = over.map(({ token_hash }) => token_hash)
    await tx.updateTable('sessions').set(nobody).where('token_hash', 'in', hashes).execute()
    const subjects = over.map(({ seen_user_id, seen_account_id, partner_id }) => ({
      subject: { id: seen_user_id, account_id: seen_account_id, partner_id },
    }))
    await auditAll(tx, caller, 'user.view_ended', subjects)
  })
}

function overViews(db: Db, { clock }: App) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['token_hash', 'seen_user_id', 'seen_account_id', 'accounts.partner_id'])
    .where('seen_until', '<=', clock.now())
    .orderBy('seen_until')
}
