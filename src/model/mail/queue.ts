/**
 * The mail queue: each mail is queued once per key, in the transaction that causes it, and handed to the mail server at most once. A mail is marked `sending`
 * before the mail server is contacted. If the process ends in between, nobody can know whether the server accepted it; such a mail becomes `uncertain` and is
 * not sent again. A mail that the server refused is retried at growing intervals, unless the refusal is final (lib/network/smtp-verdicts.ts); one that never
 * came to a server waits for as long as it takes. What a person waits for goes before reports, and of each kind partners take turns.
 */

import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { readSender } from '../../lib/network/sender.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { MailRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { deletedAccountIds } from '../core/tenancy.ts'
import { forgetRefusal, noteRefusal } from './suppressions.ts'

export type Mail = Selectable<MailRow>

export interface NewMail extends Pick<Mail, 'key' | 'kind' | 'account_id' | 'recipient'> {
  readonly payload: object
}

const sendingSeconds = 5 * 60
/** The intervals between attempts; after the last one a refused mail has failed. */
const retryMinutes = [1, 5, 30, 120, 480]
const mostErrorCharacters = 500

/** The kinds of mail in the order in which they go: a person waits for all but reports. */
export const mailKinds: readonly Mail['kind'][] = [
  'email_change',
  'email_changed',
  'left',
  'lost_links',
  'invitation',
  'confirmation',
  'host_missing',
  'report',
]

/** Whose mail may go now. */
export interface Turn {
  readonly kinds: readonly Mail['kind'][]
  /** The partner whose mail went last; the one with the next id follows, and after the last one the first. */
  readonly after: number
  readonly except: readonly number[]
}

const anyTurn: Turn = { kinds: mailKinds, after: 0, except: [] }
const endOfPartners = Number.MAX_SAFE_INTEGER

/** False if a mail with this key was queued before; nothing happens then. */
export async function queueMail(tx: Kysely<Tables>, { clock }: App, { payload, ...mail }: NewMail): Promise<boolean> {
  const now = clock.now()
  const queued = await tx
    .insertInto('mails')
    .values({
      ...mail,
      partner_id: (accounts) => accounts.selectFrom('accounts').select('partner_id').where('id', '=', mail.account_id),
      payload: JSON.stringify(payload),
      state: 'queued',
      attempts: 0,
      due_at: now,
      error: null,
      created_at: now,
      settled_at: null,
    })
    .onConflict((on) => on.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return queued !== undefined
}

/** Checked before anything is written. */
export async function isMailWaiting({ store, clock }: App): Promise<boolean> {
  const waiting = store.db.selectFrom('mails').select('id').where('state', 'in', ['queued', 'sending']).where('due_at', '<=', clock.now())
  const going = waiting.where('account_id', 'not in', deletedAccountIds(store.db))
  return (await going.limit(1).executeTakeFirst()) !== undefined
}

/** Claims the next mail that is due for this process; null if there is none. */
export async function claimMail(app: App, { kinds, after, except }: Turn = anyTurn): Promise<Mail | null> {
  for (const kind of kinds) {
    const claimed =
      (await claimBetween(app, kind, { above: after, upTo: endOfPartners, except })) ??
      (await claimBetween(app, kind, { above: -1, upTo: after, except }))
    if (claimed !== null) return claimed
  }
  return null
}

async function claimBetween(
  app: App,
  kind: Mail['kind'],
  { above, upTo, except }: Record<'above' | 'upTo', number> & Pick<Turn, 'except'>,
) {
  const { store, clock } = app
  const due = store.db
    .selectFrom('mails')
    .select('id')
    .where('state', '=', 'queued')
    .where('kind', '=', kind)
    .where('partner_id', '>', above)
    .where('partner_id', '<=', upTo)
    .where('due_at', '<=', clock.now())
    .where('account_id', 'not in', deletedAccountIds(store.db))
    .$if(except.length > 0, (mails) => mails.where('partner_id', 'not in', except))
  for (const { id } of await due.orderBy('partner_id').orderBy('due_at').limit(10).execute()) {
    const claimed = await claim(app, id)
    if (claimed !== undefined) return claimed
  }
  return null
}

/** Undefined if another process has claimed it. */
function claim({ store, clock }: App, id: number): Promise<Mail | undefined> {
  return store.write((tx) =>
    tx
      .updateTable('mails')
      .set((row) => ({ state: 'sending', attempts: row('attempts', '+', 1), due_at: secondsAfter(clock.now(), sendingSeconds) }))
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .returningAll()
      .executeTakeFirst(),
  )
}

export function settleSent(app: App, mail: Mail): Promise<void> {
  return settle(app, mail, { state: 'sent', error: null }, (tx) => forgetRefusal(tx, app, mail))
}

/** Records that the mail server refused the mail. */
export function settleRefused(app: App, mail: Mail, reason: string): Promise<void> {
  return mail.attempts > retryMinutes.length ? settleFailed(app, mail, reason) : settleUnreached(app, mail, reason)
}

/** Records that the mail never came to a mail server; it waits, however long that lasts. */
export function settleUnreached(app: App, mail: Mail, reason: string): Promise<void> {
  const minutes = retryMinutes[Math.min(mail.attempts, retryMinutes.length) - 1] ?? 0
  return settle(app, mail, {
    state: 'queued',
    error: reason.slice(0, mostErrorCharacters),
    due_at: secondsAfter(app.clock.now(), minutes * 60),
  })
}

/** Records that the mail server will never take mail for this address. */
export function settleUnknown(app: App, mail: Mail, reason: string): Promise<void> {
  return settle(app, mail, { state: 'failed', error: reason.slice(0, mostErrorCharacters) }, (tx) => noteRefusal(tx, app, mail))
}

/** Records that no attempt will send the mail. */
export function settleFailed(app: App, mail: Mail, reason: string): Promise<void> {
  return settle(app, mail, { state: 'failed', error: reason.slice(0, mostErrorCharacters) })
}

/** Records that the mail server did not answer after the whole mail was sent. */
export function settleUncertain(app: App, mail: Mail, reason: string): Promise<void> {
  return settle(app, mail, { state: 'uncertain', error: reason.slice(0, mostErrorCharacters) })
}

/** Settles mails whose sender died in the middle; the operator sees their state in `marquee reports list`. */
export async function settleAbandoned({ store, clock }: App): Promise<number> {
  const now = clock.now()
  const abandoned = store.db.selectFrom('mails').select('id').where('state', '=', 'sending').where('due_at', '<', now)
  if ((await abandoned.limit(1).execute()).length === 0) return 0
  const { numUpdatedRows } = await store.write((tx) =>
    tx
      .updateTable('mails')
      .set({ state: 'uncertain', error: 'The service ended while the mail server was taking this mail.', settled_at: now })
      .where('state', '=', 'sending')
      .where('due_at', '<', now)
      .executeTakeFirst(),
  )
  return Number(numUpdatedRows)
}

/** The same for every attempt from one sender, so that duplicates can be recognized; its domain is that of the sender. */
export function messageIdOf({ settings }: App, { key }: Mail, sender: { readonly address: string } | null = null): string {
  const { address } = sender ?? readSender(settings.mailFrom ?? '') ?? {}
  const domain = address?.split('@').at(-1) ?? new URL(settings.baseUrl).hostname
  return `<${createHash('sha256').update(key).digest('hex').slice(0, 32)}@${domain}>`
}

async function settle(
  { store, clock }: App,
  { id }: Mail,
  result: Partial<Pick<Mail, 'state' | 'error' | 'due_at'>>,
  note?: (tx: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const settled_at = result.state === 'queued' ? null : clock.now()
  await store.write(async (tx) => {
    const settled = tx.updateTable('mails').set({ ...result, settled_at })
    await settled.where('id', '=', id).where('state', '=', 'sending').execute()
    await note?.(tx)
  })
}
