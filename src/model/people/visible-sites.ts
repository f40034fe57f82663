/**
 * What a reader may see. A person sees accounts by ownership or ability, with their businesses and sites, or single businesses and sites. A guest sees the
 * one site of the share link.
 */

import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { PersonCaller, ReaderCaller } from '../core/caller.ts'
import { writeLate } from '../core/late-writes.ts'

export interface ShownSite {
  readonly id: number
  readonly account_id: number
  readonly domain: string
  readonly business_name: string
  readonly business_state: 'active' | 'deactivated'
  readonly owner_id: number | null
  /** The time zone in which pages count the account's days. */
  readonly time_zone: string
}

const columns = [
  'sites.id',
  'sites.account_id',
  'sites.domain',
  'businesses.name as business_name',
  'businesses.aasm_state as business_state',
  'accounts.owner_id',
] as const

/** Every query of a page starts here, so that what a reader may not see does not exist for them. */
export function sitesShown(reader: ReaderCaller, db: Kysely<Tables> = reader.app.store.db) {
  return db
    .selectFrom('sites')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .where('accounts.partner_id', '=', reader.partnerId)
    .where((eb) => (reader.kind === 'guest' ? eb('sites.id', '=', reader.siteId) : mayShow(eb, reader)))
    .select(columns)
    .select((eb) => eb.fn.coalesce('accounts.time_zone', eb.val('UTC')).as('time_zone'))
}

export function listVisibleSites(person: PersonCaller): Promise<ShownSite[]> {
  return sitesShown(person).orderBy('sites.domain').orderBy('sites.id').execute()
}

/** A few sites whose domain or business contains the words, for the site switcher. */
export async function findSites(person: PersonCaller, words: string, most: number): Promise<ShownSite[]> {
  const needles = words.toLowerCase().split(/\s+/).filter(Boolean)
  const isWanted = (site: ShownSite) => needles.every((needle) => `${site.domain} ${site.business_name}`.toLowerCase().includes(needle))
  return (await listVisibleSites(person)).filter((site) => isOpenTo(person, site) && isWanted(site)).slice(0, most)
}

/** The requested site; it becomes the person's current site. */
export async function openSite(reader: ReaderCaller, id: number): Promise<ShownSite> {
  const site = await sitesShown(reader).where('sites.id', '=', id).executeTakeFirst()
  if (!site || !isOpenTo(reader, site)) return notFound('page')
  if (reader.kind === 'person') await rememberSite(reader, id)
  return site
}

/** Whether the reader can see the site in lists; opening it may still be refused. */
export async function maySee(reader: ReaderCaller, id: number): Promise<boolean> {
  return (await sitesShown(reader).where('sites.id', '=', id).executeTakeFirst()) !== undefined
}

/** A deactivated business is listed for everyone with the ability, but only the owner of its account can open it. */
export function isOpenTo(reader: ReaderCaller, site: ShownSite): boolean {
  return site.business_state === 'active' || (reader.kind === 'person' && site.owner_id === reader.userId)
}

type Joined = 'sites' | 'businesses' | 'accounts'

function mayShow(eb: ExpressionBuilder<Tables, Joined>, { userId }: PersonCaller): Expression<SqlBool> {
  const scopes = (type: 'Account' | 'Business' | 'Site') =>
    eb.selectFrom('abilities').select('scope_id').where('user_id', '=', userId).where('key', '=', 'show').where('scope_type', '=', type)
  return eb.or([
    eb('accounts.owner_id', '=', userId),
    eb('accounts.id', 'in', scopes('Account')),
    eb('businesses.id', 'in', scopes('Business')),
    eb('sites.id', 'in', scopes('Site')),
  ])
}

async function rememberSite({ app, userId }: PersonCaller, id: number): Promise<void> {
  const users = app.store.db.selectFrom('users').select('id').where('id', '=', userId).where('current_site_id', '!=', id)
  if ((await users.executeTakeFirst()) === undefined) return
  writeLate(app, (tx) => tx.updateTable('users').set({ current_site_id: id }).where('id', '=', userId).execute())
}
