/** The sessions of a person, for themselves: where they are logged in, and the buttons that end it. */

import { secondsAfter } from '../../../lib/time/clock.ts'
import { idleSeconds, type LoggedIn } from '../sessions.ts'

export interface OwnSession {
  /** Identifies the session on the page; the token cannot be derived from it. */
  readonly id: string
  readonly isThis: boolean
  readonly isRemembered: boolean
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly network: string | null
  readonly browser: string | null
}

export async function listOwnSessions({ person, session }: LoggedIn): Promise<OwnSession[]> {
  const now = person.app.clock.now()
  const rows = await person.app.store.db
    .selectFrom('sessions')
    .select(['token_hash', 'is_remembered', 'created_at', 'last_seen_at', 'network', 'browser'])
    .where('user_id', '=', person.userId)
    .where('expires_at', '>=', now)
    .orderBy('last_seen_at', 'desc')
    .execute()
  return rows
    .filter((row) => row.is_remembered === 1 || now <= secondsAfter(row.last_seen_at, idleSeconds))
    .map((row) => ({
      id: row.token_hash.slice(0, shownHashLength),
      isThis: row.token_hash === session.tokenHash,
      isRemembered: row.is_remembered === 1,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      network: row.network,
      browser: row.browser,
    }))
}

const shownHashLength = 16

/** Ends one of the person's sessions, or all except the current one. */
export async function closeOwnSessions({ person, session }: LoggedIn, which: { readonly id: string } | 'others'): Promise<void> {
  await person.app.store.write((tx) => {
    const own = tx.deleteFrom('sessions').where('user_id', '=', person.userId)
    const named = which === 'others' ? own.where('token_hash', '!=', session.tokenHash) : own.where('token_hash', 'like', `${which.id}%`)
    return named.execute()
  })
}
