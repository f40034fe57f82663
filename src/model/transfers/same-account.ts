/** Records that refer to each other belong to one account, whatever a file says. */

import type { StoreOutcome, Storing } from './storing.ts'

export async function isOf({ tx, ids }: Storing, table: 'businesses' | 'sites' | 'users', accountId: number, id: number): Promise<boolean> {
  // In a dry run it is not there yet.
  if (ids.isStandIn(id)) return true
  const found = tx.selectFrom(table).select('id').where('id', '=', id).where('account_id', '=', accountId)
  return (await found.executeTakeFirst()) !== undefined
}

export function notOfAccount(what: string, noun: string): StoreOutcome {
  return { what, why: `its ${noun} belongs to another account` }
}
