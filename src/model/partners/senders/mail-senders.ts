/** The address from which a partner's mails come, instead of that of the service: an address of a domain in whose DNS the partner publishes the key by which they are signed (DKIM). */

import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { refuse } from '../../../lib/failures.ts'
import { readSender } from '../../../lib/network/sender.ts'
import type { SignedSender } from '../../../lib/network/smtp.ts'
import type { MailSenderRow } from '../../../store/rows/partners.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { seal, unseal } from '../../core/secrets/sealed-values.ts'
import { change } from '../../core/transaction.ts'
import { checkedHost } from '../brand-checks.ts'
import { refuseMembers } from '../hosts/named-hosts.ts'

export interface MailSender extends Pick<MailSenderRow, 'address' | 'seen' | 'looked_at' | 'proved_at' | 'missing_since'> {
  /** What the partner publishes. */
  readonly record: { readonly name: string; readonly value: string }
}

/** Long enough for years, and short enough for every name server. */
const keyBits = 2_048

export async function findMailSender(staff: StaffCaller): Promise<MailSender | null> {
  refuseMembers(staff)
  const rows = staff.app.store.db.selectFrom('mail_senders').selectAll().where('partner_id', '=', staff.partnerId)
  const row = await rows.executeTakeFirst()
  return row === undefined ? null : shownOf(row)
}

function shownOf(row: MailSenderRow): MailSender {
  const { address, seen, looked_at, proved_at, missing_since } = row
  return { address, seen, looked_at, proved_at, missing_since, record: keyRecordOf(row) }
}

/** Of all partners that are served, for the operator. */
export async function listMailSenders({ db }: Store): Promise<MailSender[]> {
  const senders = db.selectFrom('mail_senders').innerJoin('partners', 'partners.id', 'partner_id').where('partners.state', '=', 'active')
  return (await senders.selectAll('mail_senders').orderBy('partner_id').execute()).map(shownOf)
}

/** Another address of the same domain keeps its key and its proof. A repetition changes nothing and records nothing. */
export async function nameMailSender(staff: StaffCaller, given: string): Promise<void> {
  refuseMembers(staff)
  const { app, partnerId } = staff
  const address = checkedAddress(given)
  const fresh = await newKey()
  await change(staff, async (tx) => {
    await app.store.lock(tx, 'partners', partnerId)
    const known = await tx.selectFrom('mail_senders').select('address').where('partner_id', '=', partnerId).executeTakeFirst()
    if (known?.address === address) return
    const own = tx.updateTable('mail_senders').set({ address }).where('partner_id', '=', partnerId)
    if (known !== undefined && domainOf(known.address) === domainOf(address)) await own.execute()
    else {
      await tx.deleteFrom('mail_senders').where('partner_id', '=', partnerId).execute()
      const now = app.clock.now()
      const key = { public_key: fresh.public_key, sealed: seal(app.secrets, 'mail_senders', partnerId, fresh.private_key) }
      const selector = `marquee-${randomBytes(4).toString('hex')}`
      const unseen = { seen: null, looked_at: null, proved_at: null, missing_since: null }
      const row = { partner_id: partnerId, address, selector, ...key, ...unseen, look_at: now, created_at: now }
      await tx.insertInto('mail_senders').values(row).execute()
    }
    await audit(tx, staff, 'partner.sender', { id: partnerId }, { after: { address } })
  })
}

/** The mails come from the address of the service again. */
export function removeMailSender(staff: StaffCaller): Promise<void> {
  refuseMembers(staff)
  return change(staff, async (tx) => {
    const rows = tx.deleteFrom('mail_senders').where('partner_id', '=', staff.partnerId).returning('address')
    const gone = await rows.executeTakeFirst()
    if (gone !== undefined) await audit(tx, staff, 'partner.sender', { id: staff.partnerId }, { before: gone })
  })
}

/** Null for the address of the service: before the key was seen in the DNS, and while it is missing, because nobody would believe the signature. */
export async function signedSenderOf({ store, secrets }: App, partnerId: number): Promise<SignedSender | null> {
  const rows = store.db.selectFrom('mail_senders').selectAll().where('partner_id', '=', partnerId)
  const row = await rows.where('proved_at', 'is not', null).where('missing_since', 'is', null).executeTakeFirst()
  const privateKey = row && unseal(secrets, 'mail_senders', partnerId, row.sealed)
  if (!row || !privateKey) return null
  return { address: row.address, dkim: { domainName: domainOf(row.address), keySelector: row.selector, privateKey } }
}

export function keyRecordOf({ address, selector, public_key }: Pick<MailSenderRow, 'address' | 'selector' | 'public_key'>) {
  return { name: `${selector}._domainkey.${domainOf(address)}`, value: `v=DKIM1; k=rsa; p=${public_key}` }
}

function domainOf(address: string): string {
  return address.slice(address.indexOf('@') + 1)
}

function checkedAddress(given: string): string {
  const { address } = readSender(given.trim().toLowerCase()) ?? refuse('bad_request', 'Write an address such as reports@acme.example.')
  checkedHost(domainOf(address))
  return address
}

async function newKey(): Promise<{ public_key: string; private_key: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: keyBits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { public_key: publicKey.toString('base64'), private_key: privateKey }
}
