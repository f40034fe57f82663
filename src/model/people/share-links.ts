/** Share links: everyone who has one can see the pages of a single site, read-only, until it expires or is revoked. */

import type { Kysely, Selectable } from 'kysely'
import { invalid, notFound, refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import { longestLabel, mostDays, shortestPassword } from '../../resources/share-link.ts'
import type { ShareLinkRow } from '../../store/rows/people.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { type Action, audit } from '../core/audit.ts'
import type { GuestCaller, PersonCaller } from '../core/caller.ts'
import { isEditedBy, isRunBy, type Managing, sitesWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { admitLogin, forgive } from './login-throttle.ts'
import { hashToken, newToken } from './sessions.ts'
import { lostBefore } from './share-link-ends.ts'
import { sitesShown } from './visible-sites.ts'
import type { Visitor } from './visitor.ts'

const mostPerSite = 50
/** The time of last use is written at most this often. */
const usedEverySeconds = 60

export interface NewShareLink {
  readonly label: string
  readonly days: number
  /** Null if the link alone is enough. */
  readonly password: string | null
}

export type ShareLink = Omit<Selectable<ShareLinkRow>, 'token_hash' | 'verifier' | 'revoked_by' | 'needs_maker'> & {
  readonly has_password: boolean
}

type Sharing = PersonCaller | Managing

/** The token is only in this answer. */
export async function createShareLink(caller: Sharing, siteId: number, wanted: NewShareLink): Promise<ShareLink & { token: string }> {
  const label = checked(wanted)
  const verifier = wanted.password === null ? null : await caller.app.passwords.hash(wanted.password)
  return change(caller, async (tx) => {
    // The site may be deleted at the same moment.
    await caller.app.store.lock(tx, 'sites', siteId)
    const site = await ownSite(caller, tx, siteId)
    const created_at = caller.app.clock.now()
    const links = tx.selectFrom('share_links').select('id').where('site_id', '=', site.id)
    const live = await links.where('revoked_at', 'is', null).where('expires_at', '>', created_at).execute()
    if (live.length >= mostPerSite) invalid([{ field: 'site', code: 'too_many', limit: mostPerSite }])
    const token = newToken()
    const row = await tx
      .insertInto('share_links')
      .values({
        site_id: site.id,
        label,
        token_hash: hashToken(token),
        verifier,
        created_by: 'userId' in caller ? caller.userId : null,
        needs_maker: 'userId' in caller ? 1 : 0,
        created_at,
        expires_at: secondsAfter(created_at, wanted.days * 86_400),
        revoked_at: null,
        revoked_by: null,
        last_used_at: null,
        maker_lost_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const link = shownLink(row)
    await recordLink(tx, caller, 'site.share', site, link)
    return { ...link, token }
  })
}

/** Valid and expired links, the newest first. */
export async function listShareLinks(caller: Sharing, siteId: number): Promise<ShareLink[]> {
  const site = await ownSite(caller, caller.app.store.db, siteId)
  const rows = await caller.app.store.db
    .selectFrom('share_links')
    .selectAll()
    .where('site_id', '=', site.id)
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return rows.map(shownLink)
}

/** A repetition changes nothing and records nothing. */
export function revokeShareLink(caller: Sharing, siteId: number, id: number): Promise<ShareLink> {
  return change(caller, async (tx) => {
    const site = await ownSite(caller, tx, siteId)
    const row = await tx.selectFrom('share_links').selectAll().where('site_id', '=', site.id).where('id', '=', id).executeTakeFirst()
    if (row === undefined) return notFound('link')
    if (row.revoked_at !== null) return shownLink(row)
    const revoked_at = caller.app.clock.now()
    await tx
      .updateTable('share_links')
      .set({ revoked_at, revoked_by: 'userId' in caller ? caller.userId : null })
      .where('id', '=', id)
      .execute()
    await recordLink(tx, caller, 'site.unshare', site, shownLink(row))
    return shownLink({ ...row, revoked_at })
  })
}

/** Whether a link is valid, and whether it needs a password; null if it is not valid. */
export async function lookAtShareLink(visitor: Visitor, token: string): Promise<LinkLookedAt | null> {
  const link = await liveLink(visitor, token)
  return link === undefined ? null : { needsPassword: link.verifier !== null, partnerId: link.partner_id, accountId: link.account_id }
}

export interface LinkLookedAt {
  readonly needsPassword: boolean
  readonly partnerId: number
  readonly accountId: number
}

/** Returns the value of the cookie: the token, and the proof that the password was given. */
export async function openShareLink(visitor: Visitor, token: string, password: string): Promise<string> {
  const link = await liveLink(visitor, token)
  if (link === undefined) return notFound('page')
  if (link.verifier !== null) await provePassword(visitor, link, link.verifier, password)
  return `${token}.${visitor.app.secrets.hmac('session', provenOf(link), proofDigits)}`
}

/** The guest of a cookie, if the link is still valid and its password unchanged. */
export async function findGuest(visitor: Visitor, cookie: string): Promise<GuestCaller | null> {
  const [, token = '', proof = ''] = /^([^.]*)\.(.*)$/.exec(cookie) ?? []
  const link = await liveLink(visitor, token)
  if (link === undefined || !visitor.app.secrets.isHmac(proof, 'session', provenOf(link), proofDigits)) return null
  await noteUse(visitor.app, link)
  const { app, requestId } = visitor
  return { kind: 'guest', app, requestId, partnerId: link.partner_id, accountId: link.account_id, siteId: link.site_id }
}

function checked({ label, days, password }: NewShareLink): string {
  const text = label.trim()
  if ([...text].length > longestLabel) invalid([{ field: 'label', code: 'too_long', limit: longestLabel }])
  if (!Number.isInteger(days) || days < 1 || days > mostDays) invalid([{ field: 'days', code: 'invalid' }])
  if (password !== null && [...password].length < shortestPassword)
    invalid([{ field: 'password', code: 'too_short', limit: shortestPassword }])
  return text
}

interface OwnSite {
  readonly id: number
  readonly account_id: number
  readonly partner_id: number
}

/** Whether the person may make links of the site now. */
export async function maySharePages(person: PersonCaller, siteId: number, db: Kysely<Tables>): Promise<boolean> {
  return (await sitesSharedBy(person, db).where('sites.id', '=', siteId).select('sites.id').executeTakeFirst()) !== undefined
}

export function sitesSharedBy(person: PersonCaller, db: Kysely<Tables>) {
  return sitesShown(person, db).where((site) => site.or([isRunBy(person), isEditedBy(person)]))
}

/** A person may share only sites of accounts they own or edit, as far as they see them; staff and partners those of their customers, the operator any. Other sites are not found. */
export async function ownSite(caller: Sharing, db: Kysely<Tables>, siteId: number): Promise<OwnSite> {
  const sites =
    caller.kind === 'person' ? sitesSharedBy(caller, db) : sitesWithin(caller, db).innerJoin('accounts', 'accounts.id', 'sites.account_id')
  const site = await sites
    .clearSelect()
    .select(['sites.id', 'sites.account_id', 'accounts.partner_id'])
    .where('sites.id', '=', siteId)
    .executeTakeFirst()
  return site ?? notFound('site')
}

type LiveLink = NonNullable<Awaited<ReturnType<typeof liveLink>>>

/** At a partner's host name, only links of that partner are valid; those of a suspended maker rest. */
async function liveLink({ app, hostPartnerId }: Visitor, token: string) {
  const links = app.store.db
    .selectFrom('share_links')
    .innerJoin('sites', 'sites.id', 'share_links.site_id')
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .innerJoin('partners', 'partners.id', 'accounts.partner_id')
    .leftJoin('users as makers', 'makers.id', 'share_links.created_by')
    .where((row) => row.or([row('needs_maker', '=', 0), row('makers.state', 'is', null), row('makers.state', '!=', 'suspended')]))
    .where((row) => row.or([row('maker_lost_at', 'is', null), row('maker_lost_at', '>', lostBefore(app.clock.now()))]))
    .where('share_links.token_hash', '=', hashToken(token))
    .where('share_links.revoked_at', 'is', null)
    .where('share_links.expires_at', '>', app.clock.now())
    .where('partners.state', '=', 'active')
    .select(['share_links.id', 'share_links.site_id', 'verifier', 'last_used_at', 'sites.account_id', 'accounts.partner_id'])
  return (hostPartnerId === null ? links : links.where('accounts.partner_id', '=', hostPartnerId)).executeTakeFirst()
}

/** Why a link no longer works, for whoever has it; null if there never was one here. */
export async function whyShareLinkEnded({ app, hostPartnerId }: Visitor, token: string) {
  const links = app.store.db
    .selectFrom('share_links')
    .innerJoin('sites', 'sites.id', 'share_links.site_id')
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'revoked_by').on('users.state', '!=', 'deleted'))
    .select(['accounts.partner_id', 'sites.account_id', 'expires_at', 'revoked_at', 'maker_lost_at', 'users.name', 'users.login'])
    .where('token_hash', '=', hashToken(token))
    .where('accounts.partner_id', 'is not', null)
  const link = await (hostPartnerId === null ? links : links.where('accounts.partner_id', '=', hostPartnerId)).executeTakeFirst()
  if (link === undefined) return null
  const {
    partner_id: partnerId,
    account_id: accountId,
    revoked_at: revokedAt,
    expires_at: expiresAt,
    maker_lost_at: lostAt,
    name,
    login,
  } = link
  return { partnerId, accountId, expiresAt, revokedAt, lostAt, revokedBy: name?.trim() || login }
}

/** Throttled like a login from each network. Guesses from many networks do not add up: whoever guesses has the link already, and everybody else who has it would be locked out. */
async function provePassword(visitor: Visitor, { id }: LiveLink, verifier: string, password: string): Promise<void> {
  const name = `share link ${id}`
  await admitLogin(visitor, name, true)
  if (!(await visitor.app.passwords.verify(password, verifier, visitor.network))) refuse('unauthorized', 'The password is not right.')
  await visitor.app.store.write((tx) => forgive(tx, visitor, name))
}

const proofDigits = 32

function provenOf({ id, verifier }: Pick<LiveLink, 'id' | 'verifier'>): string {
  return `share:${id}:${verifier ?? ''}`
}

async function noteUse({ store, clock }: App, { id, last_used_at }: LiveLink): Promise<void> {
  const now = clock.now()
  if (last_used_at !== null && now < secondsAfter(last_used_at, usedEverySeconds)) return
  await store.write((tx) => tx.updateTable('share_links').set({ last_used_at: now }).where('id', '=', id).execute())
}

export function shownLink({ token_hash: _, verifier, revoked_by: __, needs_maker: ___, ...link }: Selectable<ShareLinkRow>): ShareLink {
  return { ...link, has_password: verifier !== null }
}

export async function recordLink(tx: Kysely<Tables>, caller: Sharing, action: Action, site: OwnSite, link: ShareLink): Promise<void> {
  const { id, label, expires_at } = link
  await audit(tx, caller, action, site, { after: { share_link: { id, label, expires_at } } })
}
