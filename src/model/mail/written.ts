/** In which region's way the dates and numbers of a mail are written: as its reader has chosen, else as the account says, else as its owner has chosen. */

import type { App } from '../core/app.ts'

/** Null if nobody has chosen; `email` is null where the reader is not known. */
export async function regionOfMail({ store }: App, accountId: number, email: string | null): Promise<string | null> {
  const people = store.db
    .selectFrom('users')
    .innerJoin('preferences', 'preferences.user_id', 'users.id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .where('users.account_id', '=', accountId)
    .where('preferences.region', 'is not', null)
    .where((eb) => eb.or([eb('users.email', '=', email ?? ''), eb('users.id', '=', eb.ref('accounts.owner_id'))]))
  const found = await people.select(['users.email', 'preferences.region']).execute()
  const account = await store.db.selectFrom('accounts').select('region').where('id', '=', accountId).executeTakeFirst()
  return found.find((person) => person.email === email)?.region ?? account?.region ?? found[0]?.region ?? null
}
