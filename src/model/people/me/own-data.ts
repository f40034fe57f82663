/** What is stored of a person, for themselves: without hashes and tokens, and nothing of other partners. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/rows/tables.ts'
import { accountsOf } from '../../core/tenancy.ts'
import { foldEmail } from '../../mail/addresses.ts'
import type { LoggedIn } from '../sessions.ts'
import { foldName } from '../users.ts'

const mostEntries = 10_000

/** Read by a reader thread, whose store is one snapshot. */
export async function readOwnData({ person, email }: Pick<LoggedIn, 'person' | 'email'>) {
  const { userId, partnerId } = person
  const { db } = person.app.store
  const accounts = accountsOf(partnerId, db).select('accounts.id')
  const address = foldEmail(email)
  const of = (table: 'abilities' | 'login_networks' | 'staff' | 'account_editors' | 'preferences' | 'email_changes') =>
    db.selectFrom(table).selectAll().where('user_id', '=', userId).execute()
  const users = db
    .selectFrom('users')
    .select(['id', 'account_id', 'email', 'login', 'name', 'state', 'activated_at', 'created_at', 'updated_at', 'last_login_at'])
  const sessions = db.selectFrom('sessions').select(['created_at', 'last_seen_at', 'expires_at', 'network', 'browser'])
  const factors = db.selectFrom('second_factors').select(['created_at', 'confirmed_at'])
  const deliveries = db.selectFrom('deliveries').select(['created_at', 'expires_at', 'files'])
  const recipients = db.selectFrom('report_recipients').select(['account_id', 'email', 'state', 'created_at', 'updated_at'])
  const mails = db.selectFrom('mails').select(['kind', 'account_id', 'recipient', 'state', 'created_at', 'settled_at'])
  const links = db.selectFrom('share_links').select(['site_id', 'label', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'])
  const invitations = db.selectFrom('people_invitations').selectAll().where('account_id', 'in', accounts)
  const entries = db
    .selectFrom('audit_entries')
    .select(['at', 'actor', 'action'])
    .where((row) => row.or([row.and({ subject_type: 'User', subject_id: userId }), row('actor', '=', `user:${userId}`)]))
  return {
    user: await users.where('id', '=', userId).executeTakeFirst(),
    preferences: await of('preferences'),
    email_changes: await of('email_changes'),
    abilities: await of('abilities'),
    staff: await of('staff'),
    account_editors: await of('account_editors'),
    login_networks: await of('login_networks'),
    sessions: await sessions.where('user_id', '=', userId).execute(),
    second_factors: await factors.where('user_id', '=', userId).execute(),
    deliveries: await deliveries.where('user_id', '=', userId).execute(),
    share_links: await links.where('created_by', '=', userId).orderBy('id').limit(mostEntries).execute(),
    report_recipients: await recipients.where('email', '=', address).where('account_id', 'in', accounts).limit(mostEntries).execute(),
    mails: await mails.where('recipient', '=', address).where('account_id', 'in', accounts).orderBy('id').limit(mostEntries).execute(),
    people_invitations: await invitations.where('name', '=', foldName(email)).orderBy('id').limit(mostEntries).execute(),
    invitations_made: await invitationsMade(db, userId).limit(mostEntries).execute(),
    audit: await entries.orderBy('id', 'desc').limit(mostEntries).execute(),
  }
}

/** Without the addresses, which are those of others. */
export function invitationsMade(db: Kysely<Tables>, userId: number) {
  const made = db
    .selectFrom('people_invitations')
    .select(['id', 'account_id', 'scope_type', 'scope_id', 'is_editor', 'created_at', 'ended'])
  return made.where('invited_by', '=', userId).orderBy('id')
}
