/** Sets and removes the brand of a partner or of one of its accounts. */

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import type { BrandRow } from '../../store/rows/people.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { livingAccounts } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { checkedAccent, checkedHost, checkedName, checkedPicture, checkedSupport, type PictureKind } from './brand-checks.ts'
import { type Brand, brandWhere, type Picture } from './brands.ts'

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

const nothing = { name: null, accent: null, sender_name: null, support: null, logo_id: null, dark_logo_id: null, favicon_id: null }

/** Returns the brand that people see from now on; undefined if it is Marquee's own. */
export function setBrand(operator: OperatorCaller, partnerId: number, wishes: BrandWishes): Promise<Brand | undefined> {
  const { changes, pictures } = changesOf(wishes)
  return change(operator, async (tx) => {
    await refuseAbsent(tx, 'partners', partnerId)
    if (changes.host_name) await refuseTaken(tx, partnerId, changes.host_name)
    await keepPictures(tx, pictures)
    const fresh = { partner_id: partnerId, host_name: null, ...nothing, updated_at: operator.app.clock.now() }
    const rows = tx.insertInto('brands').values({ ...fresh, ...changes })
    const set = { ...changes, updated_at: fresh.updated_at }
    await rows.onConflict((on) => on.column('partner_id').doUpdateSet(set)).execute()
    await settle(tx)
    await audit(tx, operator, 'partner.brand', { id: partnerId, partner_id: partnerId }, { after: changes })
    return brandWhere(tx, 'partners.id', partnerId, null)
  })
}

export function setAccountBrand(operator: OperatorCaller, accountId: number, wishes: AccountBrandWishes): Promise<Brand | undefined> {
  const { changes, pictures } = changesOf(wishes)
  return change(operator, async (tx) => {
    const { partner_id } = await refuseAbsentAccount(tx, accountId)
    await keepPictures(tx, pictures)
    const fresh = { account_id: accountId, ...nothing, updated_at: operator.app.clock.now() }
    const { host_name: _, ...own } = changes
    const rows = tx.insertInto('account_brands').values({ ...fresh, ...own })
    await rows.onConflict((on) => on.column('account_id').doUpdateSet({ ...own, updated_at: fresh.updated_at })).execute()
    await settle(tx)
    await audit(tx, operator, 'account.brand', { id: accountId, account_id: accountId, partner_id }, { after: own })
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

export async function showBrand({ app }: OperatorCaller, partnerId: number): Promise<Brand | undefined> {
  await refuseAbsent(app.store.db, 'partners', partnerId)
  return brandWhere(app.store.db, 'partners.id', partnerId, null)
}

export async function showAccountBrand({ app }: OperatorCaller, accountId: number): Promise<Brand | undefined> {
  const { partner_id } = await refuseAbsentAccount(app.store.db, accountId)
  return brandWhere(app.store.db, 'partners.id', partner_id, accountId)
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

/** Deletes brands without any value, and pictures that no brand uses. */
async function settle(tx: Kysely<Tables>): Promise<void> {
  const columns = Object.keys(nothing) as (keyof typeof nothing)[]
  let partners = tx.deleteFrom('brands').where('host_name', 'is', null)
  let accounts = tx.deleteFrom('account_brands')
  for (const column of columns) {
    partners = partners.where(column, 'is', null)
    accounts = accounts.where(column, 'is', null)
  }
  await partners.execute()
  await accounts.execute()
  let unseen = tx.deleteFrom('brand_pictures')
  for (const column of ['logo_id', 'dark_logo_id', 'favicon_id'] as const)
    for (const table of ['brands', 'account_brands'] as const)
      unseen = unseen.where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom(table).select('updated_at').whereRef(`${table}.${column}`, '=', 'brand_pictures.id'))),
      )
  await unseen.execute()
}

async function refuseAbsent(db: App['store']['db'], table: 'partners', id: number): Promise<void> {
  if ((await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) === undefined) notFound('partner')
}

async function refuseAbsentAccount(db: App['store']['db'], id: number): Promise<{ partner_id: number }> {
  const found = livingAccounts(db).select('partner_id').where('id', '=', id)
  return (await found.executeTakeFirst()) ?? notFound('account')
}

async function refuseTaken(tx: Kysely<Tables>, partnerId: number, host_name: string): Promise<void> {
  const other = tx.selectFrom('brands').select('partner_id').where('host_name', '=', host_name).where('partner_id', '!=', partnerId)
  if (await other.executeTakeFirst()) refuse('conflict', `The host name ${host_name} has already been taken by another partner`)
}
