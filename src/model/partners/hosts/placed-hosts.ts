/** The host at which the pages of a partner are, kept with its brand. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { said, sayingNothing } from '../brand-version.ts'

/** Null for the address of the service. */
export async function placeHost(tx: Kysely<Tables>, { clock }: App, partner_id: number, host_name: string | null): Promise<void> {
  const placed = { host_name, updated_at: clock.now() }
  const rows = tx.insertInto('brands').values({ partner_id, ...sayingNothing, ...placed })
  await rows.onConflict((on) => on.column('partner_id').doUpdateSet(placed)).execute()
  if (host_name !== null) return
  const empty = tx.deleteFrom('brands').where('partner_id', '=', partner_id).where('host_name', 'is', null)
  await said.reduce((query, column) => query.where(column, 'is', null), empty).execute()
}

/** The proof of a host that is used for nothing is no longer watched. */
export async function forgetUnusedHosts(tx: Kysely<Tables>, partnerId: number): Promise<void> {
  const rows = tx.deleteFrom('named_hosts').where('partner_id', '=', partnerId)
  await rows.where('for_pages', 'is', null).where('for_frames', '=', 0).execute()
}
