/**
 * The suppression list of a partner: who has unsubscribed is not asked again, and an address that the mail server does not know gets nothing more that nobody
 * asked for. An entry knows the address by a keyed hash, and shows its first letter and its domain until the person is erased.
 */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import { hexOf } from '../../lib/secrets.ts'
import type { Suppression } from '../../resources/schedule.ts'
import type { MailRow, SuppressionRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import { type ListPage, page } from '../core/paging.ts'
import type { Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { foldEmail } from './addresses.ts'

type Db = Kysely<Tables>
type Mail = Pick<MailRow, 'kind' | 'recipient'> & { readonly partner_id: number }

/** Mails that somebody caused who is not their recipient; the others are of use to whoever waits for them. */
const unaskedKinds: readonly MailRow['kind'][] = ['report', 'confirmation', 'invitation']

/** Narrowed to one address, or to those that look like it where they are shown: a page is made where there is no secret to hash with. */
export async function listSuppressions(
  caller: Managing,
  partnerId: number,
  after: string | undefined,
  { email, like }: { readonly email?: string; readonly like?: string } = {},
): Promise<ListPage<Suppression>> {
  if (!seesAllAccounts(caller))
    refuse('forbidden', 'The list of suppressed addresses is that of all accounts, and this caller reaches only some of them')
  const all = shown(within(caller, partnerId))
  const named = email === undefined ? all : all.where('address_hash', 'in', hashesOf(caller.app, email))
  return page<Suppression>(like === undefined ? named : named.where('address', '=', masked(like)), after)
}

export async function findSuppression(caller: Managing, partnerId: number, id: number, db = caller.app.store.db): Promise<Suppression> {
  return (
    (await shown(within(caller, partnerId, db))
      .where('id', '=', id)
      .executeTakeFirst()) ?? notFound('suppression')
  )
}

/** The address may be asked and mailed again. Its recipients stay as they are. */
export async function endSuppression(caller: Managing, partnerId: number, id: number): Promise<Suppression> {
  await findSuppression(caller, partnerId, id)
  return change(caller, async (tx) => {
    const ended = await findSuppression(caller, partnerId, id, tx)
    await tx.deleteFrom('suppressions').where('id', '=', id).execute()
    await audit(tx, caller, 'suppression.end', { id, partner_id: partnerId }, { before: { reason: ended.reason } })
    return ended
  })
}

/** The list is of all accounts; a first refusal is noted in it and not shown. */
function within(caller: Managing, partnerId: number, db: Db = caller.app.store.db) {
  if (caller.kind !== 'operator' && caller.partnerId !== partnerId) notFound('partner')
  if (!seesAllAccounts(caller)) notFound('suppression')
  return db.selectFrom('suppressions').where('partner_id', '=', partnerId).where('reason', '!=', 'refused_once')
}

function shown(rows: ReturnType<typeof within>) {
  return rows.select(['id', 'address', 'reason', 'created_at']).$narrowType<Pick<Suppression, 'reason'>>()
}

function seesAllAccounts(caller: Managing): boolean {
  switch (caller.kind) {
    case 'operator':
      return true
    case 'partner':
      return caller.accountIds === null
    case 'staff':
      return caller.customers === 'all'
  }
}

type Reason = SuppressionRow['reason']

/** Those of the addresses that are on the list, each with its reason. */
export async function suppressedAmong(db: Db, app: App, partnerId: number, emails: readonly string[]): Promise<Map<string, Reason>> {
  const byHash = new Map(emails.flatMap((email) => hashesOf(app, email).map((hash) => [hash, email] as const)))
  if (byHash.size === 0) return new Map()
  const rows = db.selectFrom('suppressions').select(['address_hash', 'reason']).where('partner_id', '=', partnerId)
  const found = await rows
    .where('reason', '!=', 'refused_once')
    .where('address_hash', 'in', [...byHash.keys()])
    .execute()
  return new Map(found.map(({ address_hash, reason }) => [byHash.get(address_hash) ?? '', reason]))
}

/** Why a mail is not handed to the mail server; null if it may go. */
export async function refusalOf(app: App, { kind, partner_id, recipient }: Mail): Promise<string | null> {
  if (!unaskedKinds.includes(kind)) return null
  const found = await suppressedAmong(app.store.db, app, partner_id, [recipient])
  return found.get(recipient) === 'refused'
    ? 'The mail server has said on two days that there is no such address; take it off the list of suppressed addresses to try again.'
    : null
}

/** Whoever unsubscribes is asked no more by this partner, until they agree to a mail of it or somebody takes them off the list. */
export async function suppressUnsubscribed(tx: Db, app: App, partnerId: number, email: string): Promise<void> {
  await forget(tx, app, partnerId, email)
  await insert(tx, app, { partner_id: partnerId, email, reason: 'unsubscribed' })
}

/** For whoever asks for mails by themselves, or agrees to them. */
export function liftSuppression(tx: Db, app: App, partnerId: number, email: string): Promise<void> {
  return forget(tx, app, partnerId, email)
}

/** The mail server will never take mail for this address; once may be a mistake of it, on a second day it is not. */
export async function noteRefusal(tx: Db, app: App, { partner_id, recipient }: Mail): Promise<void> {
  const known = await entryOf(tx, app, partner_id, recipient)
  const now = app.clock.now()
  if (known === undefined) return insert(tx, app, { partner_id, email: recipient, reason: 'refused_once' })
  if (known.reason !== 'refused_once' || known.created_at.slice(0, 10) === now.slice(0, 10)) return
  await tx.updateTable('suppressions').set({ reason: 'refused', created_at: now }).where('id', '=', known.id).execute()
}

/** A mail server that took a mail knows the address after all. */
export async function forgetRefusal(tx: Db, app: App, { partner_id, recipient }: Mail): Promise<void> {
  const noted = tx.deleteFrom('suppressions').where('partner_id', '=', partner_id).where('reason', '=', 'refused_once')
  await noted.where('address_hash', 'in', hashesOf(app, recipient)).execute()
}

/** Leaves only the hash of an erased person, so that nobody mails to them again. */
export async function eraseFromSuppressions(tx: Db, hashes: readonly string[], partnerId: number | null): Promise<void> {
  const masks = tx.updateTable('suppressions').set({ address: '' }).where('address_hash', 'in', hashes).where('address', '!=', '')
  await (partnerId === null ? masks : masks.where('partner_id', '=', partnerId)).execute()
}

/** What is known of an address, for the person whose it is. */
export function suppressionsOf(db: Db, app: App, email: string) {
  const rows = db.selectFrom('suppressions').select(['partner_id', 'address', 'reason', 'created_at'])
  return rows.where('address_hash', 'in', hashesOf(app, email)).orderBy('id')
}

export function addressHash({ secrets }: App, email: string): string {
  return hexOf(secrets.hmac('erasure', hashed(email)))
}

/** Under any secret: an entry is older than the newest one. */
export function hashesOf({ secrets }: App, email: string): readonly string[] {
  return secrets.hmacsEver('erasure', hashed(email))
}

/** Unlike the hash of a reviewer who calls themselves by their address. */
function hashed(email: string): string {
  return `address:${foldEmail(email)}`
}

function entryOf(db: Db, app: App, partnerId: number, email: string) {
  const rows = db.selectFrom('suppressions').select(['id', 'reason', 'created_at']).where('partner_id', '=', partnerId)
  return rows.where('address_hash', 'in', hashesOf(app, email)).executeTakeFirst()
}

async function forget(tx: Db, app: App, partnerId: number, email: string): Promise<void> {
  const rows = tx.deleteFrom('suppressions').where('partner_id', '=', partnerId)
  await rows.where('address_hash', 'in', hashesOf(app, email)).execute()
}

interface Suppressed extends Pick<SuppressionRow, 'partner_id' | 'reason'> {
  readonly email: string
}

async function insert(tx: Db, app: App, { email, ...entry }: Suppressed): Promise<void> {
  const row = { ...entry, address_hash: addressHash(app, email), address: masked(email), created_at: app.clock.now() }
  await tx
    .insertInto('suppressions')
    .values(row)
    .onConflict((on) => on.columns(['partner_id', 'address_hash']).doNothing())
    .execute()
}

/** `d…@acme.example` */
function masked(email: string): string {
  const address = foldEmail(email)
  return `${[...address][0] ?? ''}…${address.slice(address.lastIndexOf('@'))}`
}
