/** What people change of themselves at their own page: their name, and how dates are written and counted. */

import type { Kysely } from 'kysely'
import { complete, draftOf } from '../../../fields/read.ts'
import { notFound, refuse } from '../../../lib/failures.ts'
import { changedProfile } from '../../../resources/user.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { change } from '../../core/transaction.ts'

export interface Profile {
  readonly name: string
  /** Null: as the browser asks for. */
  readonly region: string | null
  /** Null: that of the account. */
  readonly time_zone: string | null
}

export async function readProfile({ app, userId }: PersonCaller, db: Kysely<Tables> = app.store.db): Promise<Profile> {
  const users = db.selectFrom('users').leftJoin('preferences', 'preferences.user_id', 'users.id')
  const found = await users.select(['name', 'region', 'time_zone']).where('users.id', '=', userId).executeTakeFirst()
  return found ?? notFound('user')
}

/** What a form shows, so that it is noticed if it is no longer so when the form comes back. */
export function profileState({ name, region, time_zone }: Profile): string {
  return JSON.stringify([name, region, time_zone])
}

export async function changeProfile(person: PersonCaller, given: Readonly<Record<keyof Profile, string>>, was: string): Promise<void> {
  const { name = '', region = null, time_zone = null } = complete(changedProfile, draftOf(changedProfile, given))
  await change(person, async (tx) => {
    await person.app.store.lock(tx, 'users', person.userId)
    const before = await readProfile(person, tx)
    if (profileState(before) !== was)
      refuse('conflict', 'This was changed meanwhile. The form now shows what is stored; please change it again')
    const after = { name, region, time_zone }
    if (profileState(after) === was) return
    const id = person.userId
    if (name !== before.name)
      await tx.updateTable('users').set({ name, updated_at: person.app.clock.now(), updated_by: id }).where('id', '=', id).execute()
    await choose(tx, id, { region, time_zone })
    await audit(tx, person, 'user.profile', { id, account_id: person.accountId }, { before, after })
  })
}

async function choose(tx: Kysely<Tables>, user_id: number, chosen: Omit<Profile, 'name'>): Promise<void> {
  const row = tx.insertInto('preferences').values({ user_id, ...chosen })
  await row.onConflict((on) => on.column('user_id').doUpdateSet(chosen)).execute()
}
