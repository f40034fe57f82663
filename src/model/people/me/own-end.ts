/** Ends a person's own login, proved with the password. The owner of the account is told, or else who looks after it. */

import { refuse } from '../../../lib/failures.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { queueMail } from '../../mail/queue.ts'
import { forgive } from '../login-throttle.ts'
import type { LoggedIn } from '../sessions.ts'
import { postOf } from '../staff/staff-rules.ts'
import { provePassword } from '../user-passwords.ts'
import { endUser } from '../user-states.ts'
import type { Visitor } from '../visitor.ts'
import { whomToTell } from '../whom-to-tell.ts'

/** What is queued with the mail; the name is gone from the database by the time that it is sent. */
export interface LeftPayload {
  readonly who: string
}

export async function endOwnLogin(visitor: Visitor, loggedIn: LoggedIn, current: string): Promise<void> {
  const { person, login } = loggedIn
  const { app, userId: id, accountId: account_id, partnerId: partner_id } = person
  await provePassword(visitor, loggedIn, current)
  await app.store.write(async (tx) => {
    await app.store.lock(tx, 'users', id)
    if ((await postOf(tx, id)) !== undefined)
      refuse('conflict', 'You work at the desk: an admin removes you from the team first, and says who takes over')
    await forgive(tx, visitor, login)
    const user = await tx.selectFrom('users').select(['state', 'activated_at']).where('id', '=', id).executeTakeFirstOrThrow()
    const told = sendsMail(app.settings) ? await whomToTell(tx, { accountId: account_id, partnerId: partner_id, exceptId: id }) : null
    await endUser(tx, person, { id, account_id, partner_id, ...user })
    const payload: LeftPayload = { who: loggedIn.name }
    if (told !== null) await queueMail(tx, app, { key: `left:${id}`, kind: 'left', account_id, recipient: told, payload })
  })
}
