/** The customers by name, so that one can be chosen by writing it: where two have the same name, the number of the account stands behind it. */

import { oneLine } from '../../../lib/one-line.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'

/** Ids by the names that can be written, in the order of the names. */
export async function customerNames(caller: StaffCaller): Promise<ReadonlyMap<string, number>> {
  const accounts = await accountsWithin(caller)
    .select(['id', 'name'])
    .where('archived_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const named = accounts.map(({ id, name }) => ({ id, name: oneLine(name) }))
  const together = Map.groupBy(named, ({ name }) => plain(name))
  return new Map(named.map(({ id, name }) => [(together.get(plain(name))?.length ?? 0) > 1 ? `${name} (${id})` : name, id]))
}

/** However it is written; undefined if no customer, or more than one, is meant. */
export function customerCalled(names: ReadonlyMap<string, number>, written: string): number | undefined {
  const wanted = plain(oneLine(written))
  const found = [...names].filter(([name]) => plain(name) === wanted)
  return found.length === 1 ? found[0]?.[1] : undefined
}

function plain(name: string): string {
  return name.trim().toLowerCase()
}
