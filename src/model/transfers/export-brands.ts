/** Exports the brand of the partner, those of single accounts, and their pictures. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { PutTransfer } from './kinds.ts'

type Db = Kysely<Tables>

const pictures = ['logo_id', 'dark_logo_id', 'favicon_id'] as const
const look = ['name', 'accent', 'sender_name', 'support', ...pictures] as const

/** Pictures come before the brands that use them, each on a line of its own, because the length of a line is limited. */
export async function exportBrands(db: Db, partnerId: number, accountIds: readonly number[], put: PutTransfer): Promise<void> {
  const brand = await db
    .selectFrom('brands')
    .select(['host_name', ...look])
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  if (brand !== undefined) {
    await exportPictures(
      db,
      pictures.map((name) => brand[name]),
      put,
    )
    await put('brand', [brand])
  }
  for (const id of accountIds) {
    const own = await db
      .selectFrom('account_brands')
      .select(['account_id', ...look])
      .where('account_id', '=', id)
      .executeTakeFirst()
    if (own === undefined) continue
    await exportPictures(
      db,
      pictures.map((name) => own[name]),
      put,
    )
    await put('account_brand', [own])
  }
}

async function exportPictures(db: Db, ids: readonly (string | null)[], put: PutTransfer): Promise<void> {
  for (const id of ids.filter((one) => one !== null)) {
    const { type, bytes } = await db.selectFrom('brand_pictures').select(['type', 'bytes']).where('id', '=', id).executeTakeFirstOrThrow()
    await put('brand_picture', [{ picture: id, picture_type: type, bytes: Buffer.from(bytes).toString('base64') }])
  }
}
