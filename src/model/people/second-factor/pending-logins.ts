/** Logins whose password or link was right and which await the code of the second factor: ten minutes, and not beyond a new password. */

import type { Kysely } from 'kysely'
import { secondsAfter } from '../../../lib/time/clock.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { hashToken, type NewSession, newToken } from '../sessions.ts'

const livesSeconds = 600

export type PendingLogin = Omit<NewSession, 'lastVisitAt'>

/** Returns the token for the cookie. */
export async function keepPendingLogin(tx: Kysely<Tables>, { clock }: App, pending: PendingLogin): Promise<string> {
  const token = newToken()
  const now = clock.now()
  await tx.deleteFrom('pending_logins').where('expires_at', '<', now).execute()
  await tx
    .insertInto('pending_logins')
    .values({
      token_hash: hashToken(token),
      user_id: pending.userId,
      password_mark: pending.passwordMark,
      is_remembered: pending.isRemembered ? 1 : 0,
      opened_by: pending.openedBy,
      expires_at: secondsAfter(now, livesSeconds),
    })
    .execute()
  return token
}

export async function findPendingLogin({ clock }: App, db: Kysely<Tables>, token: string): Promise<PendingLogin | null> {
  const rows = db.selectFrom('pending_logins').selectAll().where('token_hash', '=', hashToken(token)).where('expires_at', '>', clock.now())
  const row = await rows.executeTakeFirst()
  if (row === undefined) return null
  return { userId: row.user_id, passwordMark: row.password_mark, isRemembered: row.is_remembered === 1, openedBy: row.opened_by }
}

export async function endPendingLogin(tx: Kysely<Tables>, token: string): Promise<void> {
  await tx.deleteFrom('pending_logins').where('token_hash', '=', hashToken(token)).execute()
}
