/** A fresh login: whoever is logged in has proved so by the password or the second factor within half an hour, or proves it again where it is asked. */

import { invalid } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import { admitLogin, forgive } from './login-throttle.ts'
import { hasSecondFactor, useCode } from './second-factor/proof.ts'
import type { LoggedIn } from './sessions.ts'
import { refuseWrongPassword } from './user-passwords.ts'
import type { Visitor } from './visitor.ts'

const freshSeconds = 30 * 60

export function isFreshLogin({ person, session }: LoggedIn): boolean {
  return session.provedAt !== null && person.app.clock.now() <= secondsAfter(session.provedAt, freshSeconds)
}

/** By the password, or by a code where there is a second factor. Throttled like a login, codes for themselves. */
export async function proveAgain(visitor: Visitor, loggedIn: LoggedIn, given: { password: string; code: string }): Promise<void> {
  const { app } = visitor
  const { userId } = loggedIn.person
  const counted = given.code === '' ? loggedIn.login : `second factor of ${userId}`
  await admitLogin(visitor, counted, true)
  if (given.code === '') await refuseWrongPassword(app, userId, given.password)
  await app.store.write(async (tx) => {
    if (given.code !== '') {
      await app.store.lock(tx, 'users', userId)
      const isRight = (await hasSecondFactor(tx, userId)) && (await useCode(tx, app, userId, given.code))
      if (!isRight) invalid([{ field: 'code', code: 'invalid' }])
    }
    await forgive(tx, visitor, counted)
    await tx.updateTable('sessions').set({ proved_at: app.clock.now() }).where('token_hash', '=', loggedIn.session.tokenHash).execute()
  })
}
