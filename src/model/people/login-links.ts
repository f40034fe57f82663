/** Links that log a person in once: created by a partner or the operator, or requested by someone who forgot the password. They are valid for 15 minutes by default. */

import type { Kysely } from 'kysely'
import type { RecordOf } from '../../fields/shape.ts'
import { notFound, refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { loginLink } from '../../resources/user.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { type Managing, usersWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { foldEmail } from '../mail/addresses.ts'
import { reportsAwaiting } from '../mail/schedule-recipients.ts'
import { brandOfPartner, homeOf } from '../partners/brands.ts'
import { type Candidate, type Entrance, enter, findCandidate, findCandidateById, mayLogIn } from './logins.ts'
import { endSessions, hashToken, isMarkOf, newToken, passwordMark } from './sessions.ts'
import { refuseLinkForStaff } from './staff/staff-rules.ts'
import type { Visitor } from './visitor.ts'

const livesSeconds = 15 * 60
/** Of the link in the mail that invites a person. */
export const welcomeSeconds = 7 * 86_400
/** How long one that is over can still say why. */
const toldSeconds = 7 * 86_400
/** Limits the valid links of a person, so that nobody can flood their mailbox. */
const mostAtOnce = 3

export type LoginLink = RecordOf<typeof loginLink>

export async function createLoginLink(caller: Managing, userId: number, seconds = livesSeconds): Promise<LoginLink> {
  const { app } = caller
  const isReachable = (await usersWithin(caller).select('id').where('id', '=', userId).executeTakeFirst()) !== undefined
  const candidate = isReachable ? await findCandidateById(app.store.db, userId) : undefined
  if (candidate === undefined) return notFound('user')
  await refuseLinkForStaff(caller, userId)
  if (candidate.state === 'suspended') return refuse('conflict', 'The user is suspended; unsuspend it first.')
  const brand = await brandOfPartner(app, candidate.partner_id)
  return change(caller, async (tx) => {
    const { token, expires_at } = await storeLink(tx, app, candidate, seconds)
    const { id: user_id, account_id, partner_id } = candidate
    await audit(tx, caller, 'user.login_link', { id: user_id, account_id, partner_id })
    return { user_id, url: `${homeOf(app, brand?.host_name)}/login-link/${token}`, expires_at }
  })
}

/** Made when the mail is sent, so that the link waits nowhere; null for anybody who has logged in already. */
export async function makeWelcomeLink(app: App, userId: number): Promise<WelcomeLink | null> {
  const candidate = await findCandidateById(app.store.db, userId)
  if (candidate?.state !== 'passive') return null
  const awaiting = await reportsAwaiting(app, candidate.account_id, candidate.email)
  const confirms = awaiting.map(({ id }) => id)
  const { token } = await app.store.write((tx) => storeLink(tx, app, candidate, welcomeSeconds, confirms))
  return { token, reports: [...new Set(awaiting.map(({ rhythm }) => rhythm))] }
}

interface WelcomeLink {
  readonly token: string
  /** The rhythms of the reports that the mail names. */
  readonly reports: readonly ('weekly' | 'monthly')[]
}

/** Ends all sessions and login links of a user, on every device. */
export async function logOutEverywhere(operator: OperatorCaller, userId: number): Promise<void> {
  const candidate = await findCandidateById(operator.app.store.db, userId)
  if (!candidate || candidate.state === 'deleted') return notFound('user')
  await operator.app.store.write(async (tx) => {
    await endSessions(tx, userId)
    const { account_id, partner_id } = candidate
    await audit(tx, operator, 'user.log_out', { id: userId, account_id, partner_id })
  })
}

/** Returns the person to whom a link is mailed; null if there is no such person, if they may not log in, or if they have got enough mail. */
export async function askForLoginLink(
  visitor: Visitor,
  name: string,
): Promise<{ email: string; token: string; partnerId: number; accountId: number } | null> {
  const { app } = visitor
  const candidate = await findCandidate(app, name)
  if (!candidate || !mayLogIn(visitor, candidate)) return null
  return app.store.write(async (tx) => {
    await app.store.lock(tx, 'users', candidate.id)
    const live = tx
      .selectFrom('login_links')
      .select('token_hash')
      .where('user_id', '=', candidate.id)
      .where('expires_at', '>', app.clock.now())
      .where('used_at', 'is', null)
    if ((await live.execute()).length >= mostAtOnce) return null
    const { token } = await storeLink(tx, app, candidate)
    return { email: candidate.email, token, partnerId: candidate.partner_id, accountId: candidate.account_id }
  })
}

/** The owner of the link, null if it is no longer valid. Viewing a link does not use it up, because mail scanners open every link. */
export async function lookAtLoginLink(visitor: Visitor, token: string): Promise<{ partnerId: number; accountId: number } | null> {
  const candidate = await findBehind(visitor, visitor.app.store.db, token)
  return candidate && { partnerId: candidate.partner_id, accountId: candidate.account_id }
}

/** Why a link no longer works, for whoever has it: it was used, or its time is over. Links that a new password or a suspension ended are gone. */
export async function whyLoginLinkEnded({ app }: Visitor, token: string): Promise<'used' | 'expired' | 'gone'> {
  const links = app.store.db.selectFrom('login_links').select(['used_at', 'expires_at']).where('token_hash', '=', hashToken(token))
  const link = await links.executeTakeFirst()
  if (link === undefined) return 'gone'
  return link.used_at === null ? (link.expires_at <= app.clock.now() ? 'expired' : 'gone') : 'used'
}

/** The link is used up in any case. It replaces the password and never the second factor. */
export function redeemLoginLink(visitor: Visitor, link: string): Promise<Entrance> {
  return visitor.app.store.write(async (tx) => {
    const candidate = await findBehind(visitor, tx, link)
    const unused = tx.updateTable('login_links').set({ used_at: visitor.app.clock.now() }).where('used_at', 'is', null)
    const used = await unused.where('token_hash', '=', hashToken(link)).returning(['user_id', 'confirms']).executeTakeFirst()
    if (candidate && used?.confirms) await confirmNamed(tx, visitor.app, candidate, JSON.parse(used.confirms))
    const entrance = candidate && used && (await enter(tx, visitor, candidate, { isRemembered: false, openedBy: 'link' }))
    return entrance ?? refuse('unauthorized', 'This link has been used or is too old. Please ask for a new one.')
  })
}

/** Whoever accepts an invitation wants the reports that its mail has named. */
async function confirmNamed(tx: Kysely<Tables>, { clock }: App, { email }: Candidate, ids: readonly number[]): Promise<void> {
  const named = tx.updateTable('report_recipients').set({ state: 'active', updated_at: clock.now() }).where('id', 'in', ids)
  await named.where('email', '=', foldEmail(email)).where('state', '=', 'unconfirmed').execute()
}

async function storeLink(
  tx: Kysely<Tables>,
  app: App,
  candidate: Candidate,
  seconds = livesSeconds,
  confirms: readonly number[] = [],
): Promise<{ token: string; expires_at: string }> {
  const token = newToken()
  const created_at = app.clock.now()
  const expires_at = secondsAfter(created_at, seconds)
  await tx.deleteFrom('login_links').where('expires_at', '<', secondsAfter(created_at, -toldSeconds)).execute()
  const password_mark = passwordMark(app, candidate.verifier)
  await tx
    .insertInto('login_links')
    .values({
      token_hash: hashToken(token),
      user_id: candidate.id,
      password_mark,
      confirms: confirms.length === 0 ? null : JSON.stringify(confirms),
      created_at,
      expires_at,
      used_at: null,
    })
    .execute()
  return { token, expires_at }
}

async function findBehind(visitor: Visitor, db: Kysely<Tables>, token: string): Promise<Candidate | null> {
  const now = visitor.app.clock.now()
  const links = db.selectFrom('login_links').selectAll().where('token_hash', '=', hashToken(token)).where('used_at', 'is', null)
  const link = await links.where('expires_at', '>', now).executeTakeFirst()
  const candidate = link && (await findCandidateById(db, link.user_id))
  if (!link || !candidate || !mayLogIn(visitor, candidate)) return null
  return isMarkOf(visitor.app, link.password_mark, candidate.verifier) ? candidate : null
}
