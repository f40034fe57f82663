/** Recipients of scheduled reports: each confirms or unsubscribes with a link that is only in their mail. */

import type { ExpressionBuilder } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { ReportRecipientRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { accountsOf, livingAccounts } from '../core/tenancy.ts'
import { liftSuppression, suppressUnsubscribed } from './suppressions.ts'

type Row = ExpressionBuilder<Tables, 'report_recipients'>

const tokenDigits = 40

/** Computed from the server secret, so that it need not be stored. */
export function recipientToken({ secrets }: App, recipientId: number): string {
  return `${recipientId}.${secrets.hmac('session', signedOf(recipientId), tokenDigits)}`
}

export interface RecipientShown {
  readonly id: number
  readonly email: string
  readonly state: ReportRecipientRow['state']
  readonly account_id: number
  readonly partner_id: number
  readonly account_name: string
}

/** The recipient of a token; not found if the token is forged. */
export async function findRecipient(app: App, token: string): Promise<RecipientShown> {
  const [, id, value = ''] = /^(\d{1,15})\.(.+)$/.exec(token) ?? []
  if (id === undefined || !app.secrets.isHmac(value, 'session', signedOf(Number(id)), tokenDigits)) return notFound('page')
  return readRecipient(app, Number(id))
}

/** For what was queued for a recipient; who comes with a link is found by its token. */
export async function readRecipient({ store }: App, id: number): Promise<RecipientShown> {
  const recipients = livingAccounts(store.db)
    .innerJoin('report_recipients', 'report_recipients.account_id', 'accounts.id')
    .select([
      'report_recipients.id',
      'email',
      'report_recipients.state',
      'report_recipients.account_id',
      'accounts.partner_id',
      'accounts.name as account_name',
    ])
  const found = (await recipients.where('report_recipients.id', '=', id).executeTakeFirst()) ?? notFound('page')
  return { ...found, account_name: oneLine(found.account_name) }
}

/** Whoever wants mail of the partner has answered for all schedules of it that wait for them. */
export async function confirmRecipient(app: App, token: string): Promise<RecipientShown> {
  const recipient = await findRecipient(app, token)
  const { id, email, partner_id } = recipient
  await app.store.write(async (tx) => {
    const accounts = accountsOf(partner_id, tx).select('accounts.id')
    const changed = tx.updateTable('report_recipients').set({ state: 'active', updated_at: app.clock.now() }).where('state', '!=', 'active')
    const waits = (row: Row) => row.and([row('email', '=', email), row('state', '=', 'unconfirmed'), row('account_id', 'in', accounts)])
    await changed.where((row) => row.or([row('id', '=', id), waits(row)])).execute()
    await liftSuppression(tx, app, partner_id, email)
  })
  return { ...recipient, state: 'active' }
}

/** One click is enough (RFC 8058); a second one changes nothing. The partner asks this address no more. */
export async function unsubscribeRecipient(app: App, token: string): Promise<RecipientShown> {
  const recipient = await findRecipient(app, token)
  const state = 'unsubscribed'
  await app.store.write(async (tx) => {
    const ended = tx.updateTable('report_recipients').set({ state, updated_at: app.clock.now() })
    const { numUpdatedRows } = await ended.where('id', '=', recipient.id).where('state', '!=', state).executeTakeFirst()
    if (numUpdatedRows > 0n) await suppressUnsubscribed(tx, app, recipient.partner_id, recipient.email)
  })
  return { ...recipient, state }
}

function signedOf(recipientId: number): string {
  return `recipient:${recipientId}`
}

const longestAsker = 60

/** The name that a mail on somebody's behalf tells; empty if they are gone. */
export async function readAsker({ store }: App, userId: number): Promise<string> {
  const users = store.db.selectFrom('users').select(['name', 'login']).where('id', '=', userId).where('state', '!=', 'deleted')
  const { name, login } = (await users.executeTakeFirst()) ?? { name: '', login: '' }
  return [...oneLine(name || login)].slice(0, longestAsker).join('')
}
