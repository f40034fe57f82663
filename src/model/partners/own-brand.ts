/** What a partner's brand says by itself, for those who change it. */

import type { StaffCaller } from '../core/caller.ts'
import { showBrand } from './brand-changes.ts'
import { brandVersion, type SaidByBrand, said, sayingNothing } from './brand-version.ts'
import type { Brand } from './brands.ts'

export interface OwnBrand extends SaidByBrand {
  /** By which a change that was made meanwhile is noticed. */
  readonly version: string
  /** The brand that people see; undefined if it is Marquee's own. */
  readonly seen: Brand | undefined
}

export async function findOwnBrand(staff: StaffCaller): Promise<OwnBrand> {
  const seen = await showBrand(staff, staff.partnerId)
  const rows = staff.app.store.db.selectFrom('brands').select(said).where('partner_id', '=', staff.partnerId)
  const row = (await rows.executeTakeFirst()) ?? sayingNothing
  return { ...row, version: brandVersion(row), seen }
}
