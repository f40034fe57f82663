/**
 * A person's new email: asked for with the password, and valid once the mail at the new address is confirmed, within a day. Whether the address belongs to
 * somebody else is told only to who reads its mail. The old address is told, and a login that equals it changes with it.
 */

import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { complete, draftOf } from '../../../fields/read.ts'
import { refuse } from '../../../lib/failures.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import { changedEmail, changedUser } from '../../../resources/user.ts'
import type { EmailChangeRow } from '../../../store/rows/people.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import { accountsOf } from '../../core/tenancy.ts'
import { foldEmail } from '../../mail/addresses.ts'
import { refusePestering } from '../../mail/pestering.ts'
import { type Mail, queueMail } from '../../mail/queue.ts'
import { admitLinkRequest, linkRequestSeconds } from '../link-request-limit.ts'
import { forgive } from '../login-throttle.ts'
import { type Candidate, findCandidateById, mayLogIn } from '../logins.ts'
import type { LoggedIn } from '../sessions.ts'
import { moveNames } from '../user-changes.ts'
import { provePassword } from '../user-passwords.ts'
import { foldName } from '../users.ts'
import type { Visitor } from '../visitor.ts'

type Db = Kysely<Tables>

const livesSeconds = 86_400
const tokenDigits = 40

/** What is queued with the mail; the token is computed when it is sent. */
interface EmailChangePayload {
  readonly user_id: number
  readonly created_at: string
}

/** The same answer whether or not somebody else has the address. Asking again replaces what waits. */
export async function askForEmail(visitor: Visitor, loggedIn: LoggedIn, given: { email: string; current: string }): Promise<void> {
  const { app } = visitor
  const { person, login } = loggedIn
  const { email } = complete(changedEmail, draftOf(changedEmail, { email: given.email }))
  if (foldName(email) === foldName(loggedIn.email)) refuse('conflict', 'This is your address already')
  if (isLogin(loggedIn)) complete(changedUser, draftOf(changedUser, { login: email }))
  if (!sendsMail(app.settings)) refuse('conflict', 'A new address is confirmed by mail, and this service sends none')
  await provePassword(visitor, loggedIn, given.current)
  if (!(await admitLinkRequest(visitor, login)))
    refuse('too_many_requests', 'Too many mails were asked for. Please wait a quarter of an hour and try again', {
      'retry-after': String(linkRequestSeconds),
    })
  await app.store.write(async (tx) => {
    await app.store.lock(tx, 'users', person.userId)
    await forgive(tx, visitor, login)
    await keepChange(tx, app, person, email)
  })
}

async function keepChange(tx: Db, app: App, { userId: user_id, accountId: account_id }: LoggedIn['person'], email: string): Promise<void> {
  const mail = { kind: 'email_change', account_id, recipient: foldEmail(email) } as const
  await refusePestering(tx, app, mail)
  const created_at = app.clock.now()
  const row = { email, created_at, expires_at: secondsAfter(created_at, livesSeconds) }
  await tx.deleteFrom('email_changes').where('expires_at', '<', created_at).execute()
  const kept = tx.insertInto('email_changes').values({ user_id, ...row })
  await kept.onConflict((on) => on.column('user_id').doUpdateSet(row)).execute()
  const payload: EmailChangePayload = { user_id, created_at }
  await queueMail(tx, app, { ...mail, key: `email_change:${randomUUID()}`, payload })
}

/** The change for which a mail was queued; undefined if another was asked for since, be it within the same second. */
export async function mailedChange(
  app: App,
  { recipient, payload }: Pick<Mail, 'recipient' | 'payload'>,
): Promise<EmailChangeRow | undefined> {
  const { user_id, created_at } = JSON.parse(payload) as EmailChangePayload
  const change = await readEmailChange(app, user_id, app.store.db)
  return change?.created_at === created_at && foldEmail(change.email) === recipient ? change : undefined
}

/** The address that waits to be confirmed; null if there is none. */
export async function waitingEmail({ person }: Pick<LoggedIn, 'person'>): Promise<string | null> {
  return (await readEmailChange(person.app, person.userId, person.app.store.db))?.email ?? null
}

export function readEmailChange({ clock }: App, userId: number, db: Db): Promise<EmailChangeRow | undefined> {
  return db.selectFrom('email_changes').selectAll().where('user_id', '=', userId).where('expires_at', '>', clock.now()).executeTakeFirst()
}

export function emailChangeToken({ secrets }: App, change: EmailChangeRow): string {
  return `${change.user_id}.${secrets.hmac('session', signedOf(change), tokenDigits)}`
}

function signedOf({ user_id, email, created_at }: EmailChangeRow): string {
  return `email:${user_id}:${email}:${created_at}`
}

interface Waiting {
  readonly change: EmailChangeRow
  readonly user: Candidate
}

/** What the mail's link shows; null if it can no longer be used. Looking does not use it up, because mail scanners open every link. */
export async function lookAtEmailChange(visitor: Visitor, token: string, db: Db = visitor.app.store.db): Promise<Waiting | null> {
  const { app } = visitor
  const [, id, value = ''] = /^(\d{1,15})\.(.+)$/.exec(token) ?? []
  const change = id === undefined ? undefined : await readEmailChange(app, Number(id), db)
  const user = change && (await findCandidateById(db, change.user_id))
  if (!change || !user || !mayLogIn(visitor, user)) return null
  return app.secrets.isHmac(value, 'session', signedOf(change), tokenDigits) ? { change, user } : null
}

export function confirmEmail(visitor: Visitor, token: string): Promise<void> {
  const { app } = visitor
  return app.store.write(async (tx) => {
    const seen = await lookAtEmailChange(visitor, token, tx)
    if (seen !== null) await app.store.lock(tx, 'users', seen.user.id)
    const waiting = seen && (await lookAtEmailChange(visitor, token, tx))
    if (!waiting) return refuse('unauthorized')
    await changeAddress(tx, visitor, waiting)
  })
}

async function changeAddress(tx: Db, { app, requestId }: Visitor, { change: { email }, user }: Waiting): Promise<void> {
  const { id, account_id, partner_id } = user
  const before = { id, email: user.email, login: user.login }
  const after = { id, email, login: isLogin(user) ? email : user.login }
  const now = app.clock.now()
  await tx.deleteFrom('email_changes').where('user_id', '=', id).execute()
  // A link on its way to the old address must no longer let anybody in.
  await tx.deleteFrom('login_links').where('user_id', '=', id).execute()
  await tx
    .updateTable('users')
    .set({ email: after.email, login: after.login, updated_at: now, updated_by: id })
    .where('id', '=', id)
    .execute()
  await moveNames(tx, before, after)
  await moveMails(tx, partner_id, { from: foldEmail(before.email), to: foldEmail(email), now })
  const person = { kind: 'person', app, requestId, partnerId: partner_id, accountId: account_id, userId: id, post: null } as const
  await audit(tx, person, 'user.email', { id, account_id }, { before, after })
  const told = { key: `email_changed:${id}:${now}`, kind: 'email_changed', account_id, recipient: foldEmail(before.email) } as const
  await queueMail(tx, app, { ...told, payload: {} })
}

/** Whether the person logs in with the address, which then changes with it. */
function isLogin({ email, login }: Readonly<Record<'email' | 'login', string>>): boolean {
  return foldName(login) === foldName(email)
}

/** Reports go to the new address, unless it is on the schedule already. */
async function moveMails(tx: Db, partnerId: number, { from, to, now }: Record<'from' | 'to' | 'now', string>): Promise<void> {
  const there = tx.selectFrom('report_recipients').select('schedule_id').where('email', '=', to)
  const own = tx.updateTable('report_recipients').set({ email: to, updated_at: now }).where('email', '=', from)
  await own.where('account_id', 'in', accountsOf(partnerId, tx).select('accounts.id')).where('schedule_id', 'not in', there).execute()
}
