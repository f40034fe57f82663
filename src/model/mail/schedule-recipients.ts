/** The recipients of a schedule: users of the account get its mail at once, and everybody else is asked first. */

import type { Kysely, Selectable } from 'kysely'
import type { ReportRecipientRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Caller } from '../core/caller.ts'
import { refusePestering } from './pestering.ts'
import { queueMail } from './queue.ts'

const maxEmailCharacters = 254

export type Recipient = Pick<Selectable<ReportRecipientRow>, 'id' | 'email' | 'state'>

/** Recipients who stay keep their state. Of the new ones users of the account are active at once; others must confirm first. */
export async function replaceRecipients(
  tx: Kysely<Tables>,
  caller: Caller,
  { id, account_id }: { readonly id: number; readonly account_id: number },
  before: readonly Recipient[],
  emails: readonly string[],
): Promise<void> {
  const gone = before.filter(({ email }) => !emails.includes(email)).map(({ id }) => id)
  if (gone.length > 0) await tx.deleteFrom('report_recipients').where('id', 'in', gone).execute()
  const added = emails.filter((email) => !before.some((held) => held.email === email))
  const now = caller.app.clock.now()
  const known = await usersAmong(tx, caller, account_id, added)
  for (const email of added) {
    const state = known.has(email) ? 'active' : 'unconfirmed'
    const recipient = await tx
      .insertInto('report_recipients')
      .values({ schedule_id: id, account_id, email, state, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (state === 'unconfirmed') {
      const asking = { kind: 'confirmation', account_id, recipient: email } as const
      await refusePestering(tx, caller.app, asking)
      await queueMail(tx, caller.app, { ...asking, key: `confirmation:${recipient.id}`, payload: { recipient_id: recipient.id } })
    }
  }
}

/** Those of the addresses that are users' of the account. They are locked, so that who is being deleted is a stranger, or is taken off the schedule again. */
async function usersAmong(tx: Kysely<Tables>, { app }: Caller, accountId: number, emails: readonly string[]): Promise<Set<string>> {
  const users = tx.selectFrom('users').select(['id', 'email']).where('account_id', '=', accountId).where('state', '!=', 'deleted')
  const named = (await users.orderBy('id').execute()).filter(({ email }) => emails.includes(foldEmail(email)))
  const ids = named.map(({ id }) => id)
  await app.store.lockAll(tx, 'users', ids)
  const still = ids.length === 0 ? [] : await users.where('id', 'in', ids).execute()
  return new Set(still.map(({ email }) => foldEmail(email)))
}

/** Removes duplicates and converts to lower case, as they are stored. */
export function foldEmails(emails: readonly string[]): string[] {
  return [...new Set(emails.map(foldEmail))]
}

export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}

export function looksLikeEmail(email: string): boolean {
  return email.length <= maxEmailCharacters && /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+\.[^\s@<>(),;:"\\[\].]+$/.test(email)
}
