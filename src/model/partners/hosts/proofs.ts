/** What a look at the record of a host changes: a proved host is served, a missing record is told, and only another partner's proof takes a host away. */

import type { Kysely } from 'kysely'
import { secondsAfter } from '../../../lib/time/clock.ts'
import type { NamedHostRow } from '../../../store/rows/partners.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { OperatorCaller } from '../../core/caller.ts'
import { change } from '../../core/transaction.ts'
import { forgetUnusedHosts, placeHost } from './placed-hosts.ts'

type Looked = Pick<NamedHostRow, 'partner_id' | 'host_name' | 'token'>
type Seen = NonNullable<NamedHostRow['seen']>

const [minute, hour, day] = [60, 3_600, 86_400]
/** Whoever has just named a host waits for it; whoever has not published the record for long has forgotten it. */
const hasty = 3 * day
const patient = 30 * day

/** Carried out as the operator, because it may be about two partners, neither of whom is told of the other. */
export function keepLook({ app, requestId }: Pick<OperatorCaller, 'app' | 'requestId'>, looked: Looked, seen: Seen): Promise<void> {
  const operator: OperatorCaller = { kind: 'operator', app, requestId }
  return change(operator, async (tx) => {
    await lockRivals(tx, app, looked)
    const rows = tx.selectFrom('named_hosts').selectAll().where('partner_id', '=', looked.partner_id)
    const known = await rows.where('host_name', '=', looked.host_name).where('token', '=', looked.token).executeTakeFirst()
    if (known === undefined) return
    const next = afterLook(known, seen, app.clock.now())
    await tx
      .updateTable('named_hosts')
      .set(next)
      .where('partner_id', '=', looked.partner_id)
      .where('host_name', '=', looked.host_name)
      .execute()
    const news = newsOf(known, next)
    if (news !== null)
      await audit(tx, operator, news, { id: looked.partner_id, partner_id: looked.partner_id }, { after: { host_name: looked.host_name } })
    await settle(tx, app, requestId, looked.partner_id)
  })
}

/** Serves the host that the partner wants, if it is proved and nobody else may keep it. */
export async function settle(tx: Kysely<Tables>, app: App, requestId: string, partnerId: number): Promise<void> {
  const own = tx.selectFrom('named_hosts').select('host_name').where('partner_id', '=', partnerId)
  const proved = own.where('for_pages', '=', 'wanted').where('seen', '=', 'found').where('proved_at', 'is not', null)
  const wanted = await proved.executeTakeFirst()
  if (wanted === undefined || !(await isFree(tx, app, requestId, partnerId, wanted.host_name))) return
  await placeHost(tx, app, partnerId, wanted.host_name)
  const rows = tx.updateTable('named_hosts').where('partner_id', '=', partnerId)
  await rows.set({ for_pages: null }).where('for_pages', '=', 'served').execute()
  await rows.set({ for_pages: 'served' }).where('host_name', '=', wanted.host_name).execute()
  await forgetUnusedHosts(tx, partnerId)
  const subject = { id: partnerId, partner_id: partnerId }
  await audit(tx, { kind: 'operator', app, requestId }, 'partner.host_served', subject, { after: wanted })
}

/** Whoever has a host by a proof that is no longer there gives way; whoever has it from the operator, or with the record in its place, keeps it. */
async function isFree(tx: Kysely<Tables>, app: App, requestId: string, partnerId: number, host_name: string): Promise<boolean> {
  const holders = tx.selectFrom('brands').select('partner_id').where('host_name', '=', host_name).where('partner_id', '!=', partnerId)
  const holder = await holders.executeTakeFirst()
  if (holder === undefined) return true
  const lapsed = await tx
    .updateTable('named_hosts')
    .set({ for_pages: 'wanted' })
    .where('partner_id', '=', holder.partner_id)
    .where('host_name', '=', host_name)
    .where('for_pages', '=', 'served')
    .where('missing_since', 'is not', null)
    .returning('partner_id')
    .executeTakeFirst()
  if (lapsed === undefined) return false
  await placeHost(tx, app, holder.partner_id, null)
  const subject = { id: holder.partner_id, partner_id: holder.partner_id }
  await audit(tx, { kind: 'operator', app, requestId }, 'partner.host_lost', subject, { before: { host_name } })
  return true
}

/** All who name the host, so that two proofs at one time follow one another. */
async function lockRivals(tx: Kysely<Tables>, { store }: App, { host_name }: Looked): Promise<void> {
  const named = await tx.selectFrom('named_hosts').select('partner_id').where('host_name', '=', host_name).execute()
  const holders = await tx.selectFrom('brands').select('partner_id').where('host_name', '=', host_name).execute()
  const ids = new Set([...named, ...holders].map(({ partner_id }) => partner_id))
  await store.lockAll(tx, 'partners', [...ids])
}

type Standing = Pick<NamedHostRow, 'seen' | 'looked_at' | 'look_at' | 'proved_at' | 'missing_since'>

/** When to look again, and since when what was seen stands. */
export function afterLook(
  { created_at, proved_at, missing_since }: Pick<NamedHostRow, 'created_at' | 'proved_at' | 'missing_since'>,
  seen: Seen,
  now: string,
): Standing {
  const looked = { seen, looked_at: now }
  if (seen === 'found') return { ...looked, proved_at: proved_at ?? now, missing_since: null, look_at: secondsAfter(now, day) }
  const since = proved_at === null || seen === 'unknown' ? missing_since : (missing_since ?? now)
  if (proved_at !== null) return { ...looked, proved_at, missing_since: since, look_at: secondsAfter(now, hour) }
  const isAfter = (seconds: number) => secondsAfter(created_at, seconds) < now
  const look_at = isAfter(patient) ? null : secondsAfter(now, isAfter(hasty) ? 6 * hour : 10 * minute)
  return { ...looked, proved_at, missing_since: since, look_at }
}

function newsOf(before: Standing, after: Standing): 'partner.host_proved' | 'partner.host_unproved' | null {
  const stands = ({ proved_at, missing_since }: Standing) => proved_at !== null && missing_since === null
  if (stands(before) === stands(after)) return null
  return stands(after) ? 'partner.host_proved' : 'partner.host_unproved'
}
