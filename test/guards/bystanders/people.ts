/** People of an account, with all that a person has. */
import type { Insertable } from 'kysely'
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import { seal } from '../../../src/model/core/secrets/sealed-values.ts'
import { hashRecoveryCode, newKey, newRecoveryCodes } from '../../../src/model/people/second-factor/one-time-codes.ts'
import { hashToken, newToken, openSession, passwordMark } from '../../../src/model/people/sessions.ts'
import { type ScopeType, scopeTypes } from '../../../src/resources/ability.ts'
import type { UserRow } from '../../../src/store/rows/tables.ts'
import { type Making, three } from './making.ts'

export interface Person {
  readonly id: number
  readonly login: string
  readonly email: string
  readonly sessions: readonly string[]
  readonly loginLinks: readonly string[]
  /** Of logins that await the code of a second factor. */
  readonly pendingLogins: readonly string[]
  readonly recoveryCodes: readonly string[]
  /** Those that they have made. */
  readonly invitations: readonly number[]
}

/** Whose password the people of a world share, so that it is hashed once. */
export interface Likeness {
  readonly row: Insertable<UserRow>
  readonly verifier: string
}

/** What a person may see. */
type Scopes = Readonly<Record<ScopeType, readonly number[]>>

/** Each may see all sites, all businesses and the account, by abilities whose ids are alike. */
export async function makePerson(making: Making, login: string, scopes: Scopes, { row, verifier }: Likeness): Promise<Person> {
  const { app, accountId, insert, now } = making
  const email = `${login}@people.example`
  const [id = 0] = await insert('users', { ...row, account_id: accountId, email, login, current_site_id: scopes.Site[1] ?? 0 })
  await insert('user_passwords', { user_id: id, verifier, changed_at: now })
  await insert('user_names', { name: email, user_id: id }, { name: login, user_id: id })
  await insert(
    'abilities',
    ...scopeTypes.flatMap((scope_type) =>
      scopes[scope_type].map((scope_id) => ({ user_id: id, key: 'show' as const, scope_type, scope_id })),
    ),
  )
  await insert('account_editors', { account_id: accountId, user_id: id, created_at: now })
  await insert(
    'login_networks',
    ...three.map((n) => ({ user_id: id, network: `192.0.2.${n}`, last_login_at: n === 0 ? secondsAfter(now, -100 * 86_400) : now })),
  )
  const mark = passwordMark(app, verifier)
  const opening = { userId: id, passwordMark: mark, isRemembered: true, openedBy: 'password' as const, lastVisitAt: null }
  const sessions: string[] = []
  for (const _ of three) sessions.push(await app.store.write((tx) => openSession(tx, { app, network: '192.0.2.1' }, opening)))
  // On a busy machine a minute goes by, after which a page notes that the session was seen.
  const seen = { last_seen_at: secondsAfter(now, 3_600) }
  await app.store.write((tx) => tx.updateTable('sessions').set(seen).where('user_id', '=', id).execute())
  const loginLinks = [newToken(), newToken()]
  const link = { user_id: id, password_mark: mark, created_at: now, expires_at: secondsAfter(now, 3_600) }
  await insert('login_links', ...loginLinks.map((token) => ({ ...link, token_hash: hashToken(token) })))
  const pendingLogins = [newToken(), newToken()]
  const pending = { user_id: id, password_mark: mark, is_remembered: 0, opened_by: 'password', expires_at: link.expires_at } as const
  await insert('pending_logins', ...pendingLogins.map((token) => ({ ...pending, token_hash: hashToken(token) })))
  const sealed = seal(app.secrets, 'second_factors', id, newKey())
  await insert('second_factors', { user_id: id, sealed, last_step: 0, created_at: now, confirmed_at: null })
  const recoveryCodes = newRecoveryCodes().slice(0, 2)
  await insert('recovery_codes', ...recoveryCodes.map((code) => ({ user_id: id, code_hash: hashRecoveryCode(code) })))
  await insert('preferences', { user_id: id, region: 'CH', time_zone: 'UTC' })
  await insert('email_changes', { user_id: id, email: `new-${email}`, created_at: now, expires_at: link.expires_at })
  const asked = {
    account_id: accountId,
    scope_type: 'Account',
    scope_id: accountId,
    is_editor: 0,
    invited_by: id,
    created_at: now,
  } as const
  const waiting = { expires_at: link.expires_at, ended: null, ended_by: null }
  const invited = three.map((n) => ({ ...asked, ...waiting, email: `asked${n}-${email}`, name: `asked${n}-${email}` }))
  const invitations = await insert('people_invitations', ...invited)
  return { id, login, email, sessions, loginLinks, pendingLogins, recoveryCodes, invitations }
}
