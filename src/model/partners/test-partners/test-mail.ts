/** Where mails of a test partner go: to the admins of the partner that tries something out, and to nobody else. */

import type { App } from '../../core/app.ts'

export interface MailPlace {
  readonly to: readonly string[]
  /** What stands before the subject. */
  readonly mark: string
}

/** Mails of all other partners go to their recipient. */
export async function placeOfMail({ store }: App, partnerId: number, recipient: string): Promise<MailPlace> {
  const tests = store.db.selectFrom('test_partners').select('of_partner_id').where('partner_id', '=', partnerId)
  const test = await tests.executeTakeFirst()
  if (test === undefined) return { to: [recipient], mark: '' }
  const admins = await store.db
    .selectFrom('staff')
    .innerJoin('users', 'users.id', 'staff.user_id')
    .select('users.email')
    .where('staff.partner_id', '=', test.of_partner_id ?? 0)
    .where('role', '=', 'admin')
    .where('users.state', 'not in', ['suspended', 'deleted'])
    .orderBy('users.id')
    .execute()
  return { to: admins.map(({ email }) => email), mark: '[Test] ' }
}
