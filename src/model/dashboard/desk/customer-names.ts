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

/** Finds customers however they are written; undefined if none, or more than one, is meant. */
export function customerFinder(names: ReadonlyMap<string, number>): (written: string) => number | undefined {
  const found = Map.groupBy(names, ([name]) => plain(name))
  return (written) => {
    const called = found.get(plain(oneLine(written))) ?? []
    return called.length === 1 ? called[0]?.[1] : undefined
  }
}

function plain(name: string): string {
  return name.trim().toLowerCase()
}
