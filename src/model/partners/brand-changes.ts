/** Sets and removes the brand of a partner or of one of its accounts. */

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import type { BrandRow } from '../../store/rows/people.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { accountsWithin, type Managing } from '../core/tenancy.ts'
import { change, refuseMeanwhile } from '../core/transaction.ts'
import { checkedAccent, checkedHost, checkedName, checkedPicture, checkedSupport, type PictureKind } from './brand-checks.ts'
import { brandVersion, said, sayingNothing } from './brand-version.ts'
import { type Brand, brandWhere, type Picture } from './brands.ts'
import { forgetUnusedHosts } from './hosts/placed-hosts.ts'

/** Undefined leaves a value as it is; null removes it. */
export interface AccountBrandWishes {
  readonly name?: string | null
  readonly accent?: string | null
  readonly senderName?: string | null
  readonly support?: string | null
  readonly logo?: Uint8Array | null
  readonly darkLogo?: Uint8Array | null
  readonly favicon?: Uint8Array | null
}

export interface BrandWishes extends AccountBrandWishes {
  readonly hostName?: string | null
}

type Changes = Partial<Omit<BrandRow, 'partner_id' | 'updated_at'>>

/** Returns the brand that people see from now on; undefined if it is Marquee's own. With a version, the brand must be the one that was seen. */
export function setBrand(caller: Managing, partnerId: number, wishes: BrandWishes, was?: string): Promise<Brand | undefined> {
  const { changes, pictures } = changesOf(wishes)
  if (changes.host_name !== undefined && caller.kind !== 'operator') refuse('forbidden', 'Only the operator sets a host name')
  return change(caller, async (tx) => {
    await refuseOthers(caller, tx, partnerId)
    await caller.app.store.lock(tx, 'partners', partnerId)
    if (changes.host_name) await refuseTaken(tx, partnerId, changes.host_name)
    const known = await tx.selectFrom('brands').selectAll().where('partner_id', '=', partnerId).executeTakeFirst()
    if (was !== undefined && was !== brandVersion(known)) refuseMeanwhile()
    if (!hasNews(known, changes)) return brandWhere(tx, 'partners.id', partnerId, null)
    await keepPictures(tx, pictures)
    const fresh = { partner_id: partnerId, host_name: null, ...sayingNothing, updated_at: caller.app.clock.now() }
    const rows = tx.insertInto('brands').values({ ...fresh, ...changes })
    const set = { ...changes, updated_at: fresh.updated_at }
    await rows.onConflict((on) => on.column('partner_id').doUpdateSet(set)).execute()
    if (isNothing({ ...fresh, ...known, ...changes })) await tx.deleteFrom('brands').where('partner_id', '=', partnerId).execute()
    await forgetPictures(tx, known, changes)
    if (changes.host_name !== undefined) await forgetProvedPages(tx, partnerId)
    await audit(tx, caller, 'partner.brand', { id: partnerId, partner_id: partnerId }, { after: changes })
    return brandWhere(tx, 'partners.id', partnerId, null)
  })
}

export function setAccountBrand(caller: Managing, accountId: number, wishes: AccountBrandWishes): Promise<Brand | undefined> {
  const { changes, pictures } = changesOf(wishes)
  return change(caller, async (tx) => {
    const partner_id = await partnerOf(caller, tx, accountId)
    await caller.app.store.lock(tx, 'accounts', accountId)
    const known = await tx.selectFrom('account_brands').selectAll().where('account_id', '=', accountId).executeTakeFirst()
    const { host_name: _, ...own } = changes
    if (!hasNews(known, own)) return brandWhere(tx, 'partners.id', partner_id, accountId)
    await keepPictures(tx, pictures)
    const fresh = { account_id: accountId, ...sayingNothing, updated_at: caller.app.clock.now() }
    const rows = tx.insertInto('account_brands').values({ ...fresh, ...own })
    await rows.onConflict((on) => on.column('account_id').doUpdateSet({ ...own, updated_at: fresh.updated_at })).execute()
    if (isNothing({ ...fresh, ...known, ...own })) await tx.deleteFrom('account_brands').where('account_id', '=', accountId).execute()
    await forgetPictures(tx, known, own)
    await audit(tx, caller, 'account.brand', { id: accountId, account_id: accountId, partner_id }, { after: own })
    return brandWhere(tx, 'partners.id', partner_id, accountId)
  })
}

/** Shows Marquee's own brand again on every page; the partner's host name is no longer served. */
export function removeBrand(operator: OperatorCaller, partnerId: number): Promise<Brand | undefined> {
  return setBrand(operator, partnerId, { ...off, hostName: null })
}

/** Shows the account in its partner's brand again, or in Marquee's own. */
export function removeAccountBrand(operator: OperatorCaller, accountId: number): Promise<Brand | undefined> {
  return setAccountBrand(operator, accountId, off)
}

const off = { name: null, accent: null, senderName: null, support: null, logo: null, darkLogo: null, favicon: null }

export async function showBrand(caller: Managing, partnerId: number): Promise<Brand | undefined> {
  const { db } = caller.app.store
  await refuseOthers(caller, db, partnerId)
  return brandWhere(db, 'partners.id', partnerId, null)
}

export async function showAccountBrand(caller: Managing, accountId: number): Promise<Brand | undefined> {
  const { db } = caller.app.store
  return brandWhere(db, 'partners.id', await partnerOf(caller, db, accountId), accountId)
}

type KeptPicture = Picture & { readonly id: string }

function changesOf(wishes: BrandWishes): { changes: Changes; pictures: KeptPicture[] } {
  const { hostName, accent, name, senderName, support, ...files } = wishes
  const pictures: KeptPicture[] = []
  const kept = (kind: PictureKind, bytes: Uint8Array) => {
    const id = randomBytes(16).toString('base64url')
    pictures.push({ id, type: checkedPicture(kind, bytes), bytes })
    return id
  }
  const changes = {
    ...given('host_name', hostName, checkedHost),
    ...given('accent', accent, checkedAccent),
    ...given('name', name, (text) => checkedName('name', text)),
    ...given('sender_name', senderName, (text) => checkedName('sender name', text)),
    ...given('support', support, checkedSupport),
    ...given('logo_id', files.logo, (bytes) => kept('logo', bytes)),
    ...given('dark_logo_id', files.darkLogo, (bytes) => kept('dark logo', bytes)),
    ...given('favicon_id', files.favicon, (bytes) => kept('favicon', bytes)),
  }
  return { changes, pictures }
}

function given<Column extends keyof Changes, Given>(
  column: Column,
  wish: Given | null | undefined,
  check: (wish: Given) => string,
): { [column in Column]?: string | null } {
  return wish === undefined ? {} : ({ [column]: wish === null ? null : check(wish) } as { [column in Column]?: string | null })
}

async function keepPictures(tx: Kysely<Tables>, pictures: readonly KeptPicture[]): Promise<void> {
  if (pictures.length > 0) await tx.insertInto('brand_pictures').values(pictures).execute()
}

type Pictured = Pick<BrandRow, 'logo_id' | 'dark_logo_id' | 'favicon_id'>

/** Each picture belongs to one brand: what it has no more is gone. */
async function forgetPictures(tx: Kysely<Tables>, known: Pictured | undefined, changes: Changes): Promise<void> {
  const left = pictured.flatMap((column) => (changes[column] === undefined ? [] : (known?.[column] ?? [])))
  if (left.length > 0) await tx.deleteFrom('brand_pictures').where('id', 'in', left).execute()
}

/** What the operator says needs no proof, and none brings back what was there before. */
async function forgetProvedPages(tx: Kysely<Tables>, partnerId: number): Promise<void> {
  const rows = tx.updateTable('named_hosts').set({ for_pages: null }).where('partner_id', '=', partnerId)
  await rows.where('for_pages', 'is not', null).execute()
  await forgetUnusedHosts(tx, partnerId)
}

const pictured = ['logo_id', 'dark_logo_id', 'favicon_id'] as const

/** A repetition changes nothing and records nothing; a picture is always a new one. */
function hasNews(known: Changes | undefined, changes: Changes): boolean {
  return (Object.keys(changes) as (keyof Changes)[]).some((column) => (known?.[column] ?? null) !== changes[column])
}

/** Whether a brand says nothing, so that it need not be there. */
function isNothing(row: Changes): boolean {
  return !row.host_name && said.every((column) => row[column] === null)
}

/** The brand of a partner is for all its accounts, and a matter of its admins. */
async function refuseOthers(caller: Managing, db: Kysely<Tables>, partnerId: number): Promise<void> {
  const known = db.selectFrom('partners').select('id').where('id', '=', partnerId)
  if (caller.kind !== 'operator' && caller.partnerId !== partnerId) notFound('partner')
  if ((await known.executeTakeFirst()) === undefined) notFound('partner')
  refuseMembers(caller)
  if (caller.kind === 'partner' && caller.accountIds !== null)
    refuse('forbidden', 'This key is limited to accounts, and the brand is for all of them; each account can have its own')
}

async function partnerOf(caller: Managing, db: Kysely<Tables>, accountId: number): Promise<number> {
  const found = await accountsWithin(caller, db).select('accounts.partner_id').where('accounts.id', '=', accountId).executeTakeFirst()
  refuseMembers(caller)
  return found?.partner_id ?? notFound('account')
}

function refuseMembers(caller: Managing): void {
  if (caller.kind === 'staff' && caller.role !== 'admin') refuse('forbidden', 'Only an admin concerns themselves with the brand')
}

async function refuseTaken(tx: Kysely<Tables>, partnerId: number, host_name: string): Promise<void> {
  const other = tx.selectFrom('brands').select('partner_id').where('host_name', '=', host_name).where('partner_id', '!=', partnerId)
  if (await other.executeTakeFirst()) refuse('conflict', `The host name ${host_name} has already been taken by another partner`)
}
