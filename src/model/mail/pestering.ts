/** Limits the mails that ask somebody for something, to an address that is removed and added again and again. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { Mail } from './queue.ts'

const mostADay = 3

const asked = { confirmation: 'asked to confirm', invitation: 'invited', email_change: 'asked to confirm' } as const

interface Asking extends Pick<Mail, 'account_id' | 'recipient'> {
  readonly kind: keyof typeof asked
}

export async function refusePestering(tx: Kysely<Tables>, { clock }: App, { kind, account_id, recipient }: Asking): Promise<void> {
  const since = secondsAfter(clock.now(), -86_400)
  const mails = tx.selectFrom('mails').select('id').where('account_id', '=', account_id).where('kind', '=', kind)
  const { length } = await mails.where('recipient', '=', recipient).where('created_at', '>', since).execute()
  if (length >= mostADay) refuse('conflict', `${recipient} has been ${asked[kind]} ${length} times within a day: wait until tomorrow`)
}
