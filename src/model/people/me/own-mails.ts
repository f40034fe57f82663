/** The reports that a person gets by mail, in the accounts of their own partner, and the switch that stops them. */

import type { Kysely } from 'kysely'
import { notFound } from '../../../lib/failures.ts'
import { oneLine } from '../../../lib/one-line.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { accountsOf } from '../../core/tenancy.ts'
import { foldEmail } from '../../mail/addresses.ts'
import { liftSuppression, suppressUnsubscribed } from '../../mail/suppressions.ts'
import type { LoggedIn } from '../sessions.ts'

type Whose = Pick<LoggedIn, 'person' | 'email'>

const mostListed = 200

export async function listOwnMails({ person, email }: Whose) {
  const mails = ownMails({ person, email }, person.app.store.db)
    .innerJoin('report_schedules', 'report_schedules.id', 'report_recipients.schedule_id')
    .select(['report_recipients.id', 'report_recipients.state', 'rhythm', 'accounts.name as account_name'])
  const rows = await mails.orderBy('accounts.name').orderBy('report_recipients.id').limit(mostListed).execute()
  return rows.map((row) => ({ ...row, account_name: oneLine(row.account_name) }))
}

export type OwnMail = Awaited<ReturnType<typeof listOwnMails>>[number]

/** Stops a mail, or starts one again that the person had stopped; one that was never confirmed is confirmed by its own mail only. */
export async function switchOwnMail(whose: Whose, id: number, state: 'active' | 'unsubscribed'): Promise<void> {
  const { app } = whose.person
  await app.store.write(async (tx) => {
    const known = await ownMails(whose, tx).select('report_recipients.state').where('report_recipients.id', '=', id).executeTakeFirst()
    if (known === undefined) notFound('mail')
    const changed = tx.updateTable('report_recipients').set({ state, updated_at: app.clock.now() }).where('id', '=', id)
    const from = state === 'active' ? (['unsubscribed'] as const) : (['active', 'unconfirmed'] as const)
    const { numUpdatedRows } = await changed.where('state', 'in', from).executeTakeFirst()
    const listed = state === 'active' ? liftSuppression : suppressUnsubscribed
    if (numUpdatedRows > 0n) await listed(tx, app, whose.person.partnerId, whose.email)
  })
}

function ownMails({ person, email }: Whose, db: Kysely<Tables>) {
  return accountsOf(person.partnerId, db)
    .innerJoin('report_recipients', 'report_recipients.account_id', 'accounts.id')
    .where('report_recipients.email', '=', foldEmail(email))
}
