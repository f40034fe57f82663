/**
 * What a reader may see. A person sees accounts by ownership or ability, with their businesses and sites, or single businesses and sites; staff see those of
 * their customers, and while they look as a person, what both may see. A guest sees the one site of the share link.
 */

import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { ScopeType } from '../../resources/ability.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { PersonCaller, ReaderCaller, SeeingCaller } from '../core/caller.ts'
import { writeLate } from '../core/late-writes.ts'
import { pieces } from '../core/subject-pieces.ts'
import { accountsOf, deletedAccountIds, isRunBy } from '../core/tenancy.ts'

export interface ShownSite {
  readonly id: number
  readonly account_id: number
  readonly domain: string
  readonly business_name: string
  readonly account_name: string
  readonly business_state: 'active' | 'deactivated'
  readonly owner_id: number | null
  readonly looked_after_by: number | null
  /** Who reads, if they are an editor of the account. */
  readonly editor_id: number | null
  /** Set if all sites of the account are open to who reads, by an ability on the account itself. */
  readonly whole_account_id: number | null
  /** The time zone in which pages count the account's days. */
  readonly time_zone: string
}

/** Where the measurements of a site lie. */
export type OpenedSite = Pick<ShownSite, 'id' | 'account_id'>

/** Whoever was already allowed to read the site. */
export type SiteReader = Pick<ReaderCaller, 'app'>

const columns = [
  'sites.id',
  'sites.account_id',
  'sites.domain',
  'businesses.name as business_name',
  'businesses.aasm_state as business_state',
  'accounts.name as account_name',
  'accounts.owner_id',
  'accounts.looked_after_by',
] as const

/** Every query of a page starts here, so that what a reader may not see does not exist for them. */
export function sitesShown(reader: ReaderCaller, db: Kysely<Tables> = reader.app.store.db) {
  return db
    .selectFrom('sites')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .where('accounts.partner_id', '=', reader.partnerId)
    .where((eb) =>
      reader.kind === 'guest' ? eb('sites.id', '=', reader.siteId) : eb.and(lookersOf(reader).map((one) => mayShow(eb, one))),
    )
    .select(columns)
    .select((eb) => eb.fn.coalesce('accounts.time_zone', eb.val('UTC')).as('time_zone'))
    .select((eb) => {
      const editors = eb.selectFrom('account_editors').select('account_editors.user_id')
      const own = editors.whereRef('account_editors.account_id', '=', 'accounts.id')
      return own.where('account_editors.user_id', '=', changingId(reader)).as('editor_id')
    })
    .select((eb) => {
      const abilities = eb
        .selectFrom('abilities')
        .select('abilities.scope_id')
        .where('key', '=', 'show')
        .where('scope_type', '=', 'Account')
      const own = abilities.where('abilities.user_id', '=', changingId(reader))
      return own.whereRef('abilities.scope_id', '=', 'accounts.id').as('whole_account_id')
    })
}

/** Ordered by domain. A person may see very many sites, so they are read in pieces, account by account. */
export async function listVisibleSites(person: SeeingCaller): Promise<ShownSite[]> {
  const all = sitesShown(person, person.app.store.db).limit(sitesPerRead)
  const read = (accountIds: readonly number[], last?: ShownSite) => {
    const some = all.where('sites.account_id', 'in', accountIds)
    const ordered = accountIds.length === 1 ? some.orderBy('sites.id') : some
    return (last === undefined ? ordered : ordered.where('sites.id', '>', last.id)).execute()
  }
  const sites: ShownSite[] = []
  for await (const some of pieces<ShownSite>(await visibleAccountIds(person), read, sitesPerRead))
    for (const site of some) sites.push(named(site))
  return sites.sort((a, b) => (a.domain === b.domain ? a.id - b.id : a.domain < b.domain ? -1 : 1))
}

const sitesPerRead = 500

/** The accounts in which a person may see a site. */
async function visibleAccountIds(person: SeeingCaller): Promise<number[]> {
  const { app, partnerId } = person
  const all = app.store.db
    .selectFrom('accounts')
    .select('id')
    .where('partner_id', '=', partnerId)
    .where((eb) => eb.and(lookersOf(person).map((one) => mayShowIn(eb, one))))
    .orderBy('id')
    .limit(accountsPerRead)
  const ids: number[] = []
  for (let rows = await all.execute(); rows.length > 0; ) {
    for (const { id } of rows) ids.push(id)
    rows = rows.length < accountsPerRead ? [] : await all.where('id', '>', ids.at(-1) as number).execute()
  }
  return ids
}

const accountsPerRead = 1_000

function mayShowIn(eb: ExpressionBuilder<Tables, 'accounts'>, looker: Looker): Expression<SqlBool> {
  const scopes = scopesOf(eb, looker.userId)
  return eb.or([
    isRunBy(looker),
    eb('id', 'in', scopes('Account')),
    eb('id', 'in', eb.selectFrom('businesses').select('account_id').where('id', 'in', scopes('Business'))),
    eb('id', 'in', eb.selectFrom('sites').select('account_id').where('id', 'in', scopes('Site'))),
  ])
}

/** Whether there is more than one site to choose from, asked on every page and therefore by the index of each way to see one; staff choose from those of all. */
export async function seesManySites(caller: SeeingCaller): Promise<boolean> {
  const { userId, accountId, partnerId } = caller
  const { db } = caller.app.store
  if (caller.kind === 'person' && caller.post !== null) return true
  const scopes = (type: ScopeType) =>
    db.selectFrom('abilities').select('scope_id').where('user_id', '=', userId).where('key', '=', 'show').where('scope_type', '=', type)
  const owned = accountsOf(partnerId, db).select('accounts.id').where('accounts.id', '=', accountId).where('owner_id', '=', userId)
  const ways = [
    ['account_id', owned],
    ['account_id', scopes('Account')],
    ['business_id', scopes('Business')],
    ['id', scopes('Site')],
  ] as const
  const seen = new Set<number>()
  for (const [column, ids] of ways) {
    const sites = db.selectFrom('sites').select('sites.id').where(`sites.${column}`, 'in', ids).limit(2)
    const living = sites.where('sites.account_id', 'not in', deletedAccountIds(db))
    for (const { id } of await living.execute()) seen.add(id)
  }
  return seen.size > 1
}

/** A few sites whose domain or business contains the words, for the site switcher. */
export async function findSites(person: SeeingCaller, words: string, most: number): Promise<ShownSite[]> {
  const needles = words.toLowerCase().split(/\s+/).filter(Boolean)
  const isWanted = (site: ShownSite) =>
    needles.every((needle) => `${site.domain} ${site.business_name} ${site.account_name}`.toLowerCase().includes(needle))
  return (await listVisibleSites(person)).filter((site) => isOpenTo(person, site) && isWanted(site)).slice(0, most)
}

/** The requested site. */
export async function openSite(reader: ReaderCaller, id: number): Promise<ShownSite> {
  const site = await sitesShown(reader).where('sites.id', '=', id).executeTakeFirst()
  return site && isOpenTo(reader, site) ? named(site) : notFound('page')
}

/** Names were stored before they had to be one line. */
function named(site: ShownSite): ShownSite {
  return { ...site, business_name: oneLine(site.business_name), account_name: oneLine(site.account_name) }
}

/** Whether the reader can see the site in lists; opening it may still be refused. */
export async function maySee(reader: ReaderCaller, id: number): Promise<boolean> {
  return (await sitesShown(reader).where('sites.id', '=', id).executeTakeFirst()) !== undefined
}

/** A deactivated business is listed for everyone with the ability, but only the owner of its account and staff can open it. */
export function isOpenTo(reader: ReaderCaller, site: ShownSite): boolean {
  return site.business_state === 'active' || runsAccountOf(reader, site)
}

/** Whether the reader may share the site and note what happened to it. */
export function mayEdit(reader: ReaderCaller, site: ShownSite): boolean {
  return reader.kind !== 'view' && (site.editor_id !== null || runsAccountOf(reader, site))
}

/** Whether the reader may schedule mails about the account of the site. */
export function maySchedule(reader: ReaderCaller, site: ShownSite): boolean {
  return reader.kind !== 'view' && (runsAccountOf(reader, site) || (site.editor_id !== null && site.whole_account_id !== null))
}

/** Whether the reader owns the account of the site, or is staff whose customer it is. */
function runsAccountOf(reader: ReaderCaller, { owner_id, looked_after_by }: ShownSite): boolean {
  if (reader.kind === 'guest') return false
  return lookersOf(reader).every(({ userId, post }) => {
    if (owner_id === userId) return true
    return post?.customers === 'all' || (post?.customers === 'assigned' && looked_after_by === userId)
  })
}

type Looker = Pick<PersonCaller, 'userId' | 'post'>

/** Whoever must be allowed to see something for the caller to see it: somebody of the staff who looks as a person sees what both may see. */
function lookersOf(caller: SeeingCaller): readonly Looker[] {
  return caller.kind === 'view' ? [{ userId: caller.userId, post: null }, caller.by] : [caller]
}

/** Whose lists say what the reader may change; 0 for readers who change nothing. */
function changingId(reader: ReaderCaller): number {
  return reader.kind === 'person' ? reader.userId : 0
}

type Joined = 'sites' | 'businesses' | 'accounts'

function mayShow(eb: ExpressionBuilder<Tables, Joined>, looker: Looker): Expression<SqlBool> {
  const scopes = scopesOf(eb, looker.userId)
  return eb.or([
    isRunBy(looker),
    eb('accounts.id', 'in', scopes('Account')),
    eb('businesses.id', 'in', scopes('Business')),
    eb('sites.id', 'in', scopes('Site')),
  ])
}

/** The ids of what a person was given the ability to see, by type. */
function scopesOf<T extends keyof Tables>(eb: ExpressionBuilder<Tables, T>, userId: number) {
  const given = (eb as ExpressionBuilder<Tables, never>)
    .selectFrom('abilities')
    .select('scope_id')
    .where('user_id', '=', userId)
    .where('key', '=', 'show')
  return (type: 'Account' | 'Business' | 'Site') => given.where('scope_type', '=', type)
}

/** A site that was opened becomes the person's current site. */
export async function rememberSite({ app, userId }: PersonCaller, id: number): Promise<void> {
  const users = app.store.db.selectFrom('users').select('id').where('id', '=', userId).where('current_site_id', '!=', id)
  if ((await users.executeTakeFirst()) === undefined) return
  writeLate(app, (tx) => tx.updateTable('users').set({ current_site_id: id }).where('id', '=', userId).execute())
}
