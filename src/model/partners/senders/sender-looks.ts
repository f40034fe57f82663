/** Looks whether the keys by which mails are signed are in the DNS: when somebody asks, and by itself. */

import { randomUUID } from 'node:crypto'
import { notFound } from '../../../lib/failures.ts'
import { textRecords } from '../../../lib/network/text-records.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import type { MailSenderRow } from '../../../store/rows/partners.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { OperatorCaller, StaffCaller } from '../../core/caller.ts'
import { change } from '../../core/transaction.ts'
import { refuseMembers } from '../hosts/named-hosts.ts'
import { afterLook } from '../hosts/proofs.ts'
import { keyRecordOf } from './mail-senders.ts'

const leastSeconds = 10
const atOnce = 20

/** Looks at most once in ten seconds; whoever asks more often is told what was seen then. */
export async function lookAtSender(staff: StaffCaller): Promise<void> {
  refuseMembers(staff)
  const { app, partnerId, requestId } = staff
  const rows = app.store.db.selectFrom('mail_senders').selectAll().where('partner_id', '=', partnerId)
  const known = (await rows.executeTakeFirst()) ?? notFound('sender')
  if ((known.looked_at ?? '') <= secondsAfter(app.clock.now(), -leastSeconds)) await look({ kind: 'operator', app, requestId }, known)
}

export async function isAnySenderDue(app: App): Promise<boolean> {
  return (await due(app).limit(1).executeTakeFirst()) !== undefined
}

/** A few at a time; the others follow in the next round. */
export async function lookAtDueSenders(app: App): Promise<void> {
  const senders = await due(app).limit(atOnce).execute()
  await Promise.all(senders.map((sender) => look({ kind: 'operator', app, requestId: randomUUID() }, sender)))
}

function due({ store, clock }: App) {
  return store.db
    .selectFrom('mail_senders')
    .innerJoin('partners', 'partners.id', 'mail_senders.partner_id')
    .selectAll('mail_senders')
    .where('look_at', '<=', clock.now())
    .where('partners.state', '=', 'active')
    .orderBy('look_at')
}

/** An answer about a key that was replaced meanwhile is about nothing any more. */
async function look(operator: OperatorCaller, sender: MailSenderRow): Promise<void> {
  const { app } = operator
  const { name, value } = keyRecordOf(sender)
  const records = await textRecords(name, app.settings.dnsServers)
  const seen = records === null ? 'unknown' : records.some((record) => keyIn(record) === keyIn(value)) ? 'found' : 'absent'
  await change(operator, async (tx) => {
    await app.store.lock(tx, 'partners', sender.partner_id)
    const own = tx.selectFrom('mail_senders').selectAll().where('partner_id', '=', sender.partner_id)
    const known = await own.where('selector', '=', sender.selector).executeTakeFirst()
    if (known === undefined) return
    const next = afterLook(known, seen, app.clock.now())
    await tx.updateTable('mail_senders').set(next).where('partner_id', '=', sender.partner_id).execute()
    if (isProved(known) === isProved(next)) return
    const action = isProved(next) ? 'partner.sender_proved' : 'partner.sender_unproved'
    const subject = { id: sender.partner_id, partner_id: sender.partner_id }
    await audit(tx, operator, action, subject, { after: { address: known.address } })
  })
}

function isProved({ proved_at, missing_since }: Pick<MailSenderRow, 'proved_at' | 'missing_since'>): boolean {
  return proved_at !== null && missing_since === null
}

/** Zones are written by hand: blanks and the order of what is said do not matter. */
function keyIn(record: string): string | undefined {
  return /(?:^|;)p=([^;]*)/.exec(record.replaceAll(/[\s"]/g, ''))?.[1]
}
