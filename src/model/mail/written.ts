/** In which region's way the dates and numbers of a mail are written: as its reader has chosen, else as the owner of the account has. */

import type { App } from '../core/app.ts'

/** Null if neither has chosen; `email` is null where the reader is not known. */
export async function regionOfMail({ store }: App, accountId: number, email: string | null): Promise<string | null> {
  const people = store.db
    .selectFrom('users')
    .innerJoin('preferences', 'preferences.user_id', 'users.id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .where('users.account_id', '=', accountId)
    .where('preferences.region', 'is not', null)
    .where((eb) => eb.or([eb('users.email', '=', email ?? ''), eb('users.id', '=', eb.ref('accounts.owner_id'))]))
  const found = await people.select(['users.email', 'preferences.region']).execute()
  return (found.find((person) => person.email === email) ?? found[0])?.region ?? null
}
