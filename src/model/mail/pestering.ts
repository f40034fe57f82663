/** Limits the mails that ask somebody for something: to an address that is removed and added again and again, and of a partner in a day. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { Mail } from './queue.ts'

const mostToOne = 3
const day = 86_400

const asked = { confirmation: 'asked to confirm', invitation: 'invited', email_change: 'asked to confirm' } as const
const askingKinds = Object.keys(asked) as (keyof typeof asked)[]

interface Asking extends Pick<Mail, 'account_id' | 'recipient'> {
  readonly kind: keyof typeof asked
}

export async function refusePestering(
  tx: Kysely<Tables>,
  { clock, settings }: App,
  { kind, account_id, recipient }: Asking,
): Promise<void> {
  const since = secondsAfter(clock.now(), -day)
  const mails = tx.selectFrom('mails').select('id').where('account_id', '=', account_id).where('kind', '=', kind)
  const { length } = await mails.where('recipient', '=', recipient).where('created_at', '>', since).execute()
  if (length >= mostToOne) refuse('conflict', `${recipient} has been ${asked[kind]} ${length} times within a day: wait until tomorrow`)
  const most = settings.askingMailsPerDay
  if (most > 0 && (await askedSince(tx, account_id, since)) >= most)
    refuse('too_many_requests', `${most} people have been asked or invited by mail within a day: go on tomorrow`, { 'retry-after': '3600' })
}

/** Of the whole partner. */
async function askedSince(tx: Kysely<Tables>, accountId: number, since: string): Promise<number> {
  const partner = tx.selectFrom('accounts').select('partner_id').where('id', '=', accountId)
  const mails = tx
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll().as('many'))
    .where('partner_id', '=', partner)
  const { many } = await mails.where('created_at', '>', since).where('kind', 'in', askingKinds).executeTakeFirstOrThrow()
  return Number(many)
}
