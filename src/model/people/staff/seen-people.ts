/** As whom somebody of the staff looks at the pages, found with their session. */

import type { PersonCaller, ViewCaller } from '../../core/caller.ts'

export interface View {
  readonly userId: number
  readonly accountId: number
  readonly until: string
}

/** Reaches what both may see. */
export function seeingCallerOf({ app, requestId, partnerId, userId, post }: PersonCaller, view: View): ViewCaller {
  return { kind: 'view', app, requestId, partnerId, accountId: view.accountId, userId: view.userId, by: { userId, post } }
}

interface SeenRow {
  readonly seen_user_id: number | null
  readonly seen_until: string | null
}

/** Null when the time is over, when the session is no longer one of the staff, and when the person is no longer a client. */
export async function findSeen({ app, partnerId, post }: PersonCaller, { seen_user_id, seen_until: until }: SeenRow) {
  if (seen_user_id === null || until === null || until <= app.clock.now() || post === null) return null
  const seen = await app.store.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .select(['users.id', 'account_id', 'login', 'email', 'users.name', 'last_login_at', 'time_zone'])
    .where('users.id', '=', seen_user_id)
    .where('users.state', 'not in', ['deleted', 'suspended'])
    .where('accounts.partner_id', '=', partnerId)
    .where('staff.user_id', 'is', null)
    .executeTakeFirst()
  if (seen === undefined) return null
  const { id, account_id: accountId, login, email } = seen
  return {
    view: { userId: id, accountId, until } satisfies View,
    person: { login, email, name: seen.name.trim() || login, timeZone: seen.time_zone ?? 'UTC' },
    visit: { lastVisitAt: seen.last_login_at },
  }
}
