/** What the desk shows to those who write programs: the keys of the partner, how much each is used, and what old clients need. */

import { oneLine } from '../../../lib/one-line.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin, sitesWithin } from '../../core/tenancy.ts'
import { countIssued, findAnyKey, keysAtOnce, listAllKeys, newestKey } from '../../partners/keys/admin-keys.ts'
import { idsIn, isLive, type Key } from '../../partners/keys/keys.ts'
import { readOrigins } from '../../partners/keys/origins.ts'
import { readOldClient } from '../../partners/old-clients.ts'
import { readUsageDays, usualDays } from '../../partners/usage.ts'

export type Developers = Awaited<ReturnType<typeof openDevelopers>>

export interface ShownKey extends Key {
  readonly isLive: boolean
  /** To how many customers it is limited; null: to none. */
  readonly limitedTo: number | null
  /** Requests by day, the oldest first. */
  readonly requests: readonly number[]
}

interface Wanted {
  readonly which: 'live' | 'ended'
  readonly before: number | null
  /** The key that is looked at more closely; 0 for none. */
  readonly key: number
}

/** For admins. */
export async function openDevelopers(staff: StaffCaller, wanted: Wanted) {
  const found = await listAllKeys(staff, wanted)
  const keys = found.slice(0, keysAtOnce)
  const days = daysShown(staff)
  const site = await sitesWithin(staff).select('sites.id').orderBy('sites.id').executeTakeFirst()
  return {
    keys: await withUse(staff, keys, days),
    older: found.length > keysAtOnce ? (keys.at(-1)?.id ?? null) : null,
    chosen: wanted.key === 0 ? null : await openKey(staff, wanted.key, days),
    newest: await newestKey(staff),
    days,
    usage: await readUsageDays(staff, { start_date: days[0], end_date: days.at(-1) }),
    oldClient: await readOldClient(staff),
    origins: await readOrigins(staff),
    siteId: site?.id ?? null,
  }
}

async function openKey(staff: StaffCaller, id: number, days: readonly string[]) {
  const key = await findAnyKey(staff, id)
  const [used] = await withUse(staff, [key], days)
  const ids = key.account_ids === null ? [] : idsIn(key.account_ids)
  const accounts = ids.length === 0 ? [] : await accountsWithin(staff).select('name').where('id', 'in', ids).orderBy('name').execute()
  return { ...(used as ShownKey), customers: accounts.map(({ name }) => oneLine(name)), issued: await countIssued(staff, id) }
}

/** The days of which use is shown, the oldest first. */
function daysShown({ app }: StaffCaller): string[] {
  const today = app.clock.now()
  return Array.from({ length: usualDays }, (_, index) => secondsAfter(today, (index + 1 - usualDays) * 86_400).slice(0, 10))
}

async function withUse(staff: StaffCaller, keys: readonly Key[], days: readonly string[]): Promise<ShownKey[]> {
  if (keys.length === 0) return []
  const { app, partnerId } = staff
  const ids = keys.map(({ id }) => id)
  const rows = await app.store.db
    .selectFrom('usage_days')
    .select(['key_id', 'day', 'requests'])
    .where('partner_id', '=', partnerId)
    .where('key_id', 'in', ids)
    .where('day', '>=', days[0] ?? '')
    .execute()
  const used = new Map(rows.map(({ key_id, day, requests }) => [`${key_id} ${day}`, requests]))
  return keys.map((key) => ({
    ...key,
    isLive: isLive(key, app.clock.now()),
    limitedTo: key.account_ids === null ? null : idsIn(key.account_ids).length,
    requests: days.map((day) => used.get(`${key.id} ${day}`) ?? 0),
  }))
}
