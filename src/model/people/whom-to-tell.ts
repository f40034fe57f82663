/** Who is told by mail of what concerns the people of an account: its owner, else the colleague who looks after it, else the first admin. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { foldEmail } from '../mail/addresses.ts'

interface Concerned {
  readonly accountId: number
  readonly partnerId: number
  readonly exceptId: number
}

export async function whomToTell(tx: Kysely<Tables>, { accountId, partnerId, exceptId }: Concerned): Promise<string | null> {
  const users = tx
    .selectFrom('users')
    .select('users.email')
    .where('users.state', 'not in', ['suspended', 'deleted'])
    .where('users.id', '!=', exceptId)
  const ofAccount = (column: 'owner_id' | 'looked_after_by') =>
    users.innerJoin('accounts', `accounts.${column}`, 'users.id').where('accounts.id', '=', accountId).executeTakeFirst()
  const admins = users.innerJoin('staff', 'staff.user_id', 'users.id').where('staff.partner_id', '=', partnerId)
  const firstAdmin = () => admins.where('role', '=', 'admin').orderBy('users.id').executeTakeFirst()
  const told = (await ofAccount('owner_id')) ?? (await ofAccount('looked_after_by')) ?? (await firstAdmin())
  return told === undefined ? null : foldEmail(told.email)
}
