/** Stores the brands of an account export; an existing brand is kept. */

import { randomBytes } from 'node:crypto'
import type { BrandPictureRow } from '../../store/rows/people.ts'
import type { TransferRow } from './read-record.ts'
import type { StoreOutcome, Storing } from './storing.ts'

/** Kept in memory until a brand uses it; a picture without a brand is not stored. */
export async function storePicture({ ids }: Storing, row: TransferRow): Promise<StoreOutcome> {
  const { picture, picture_type, bytes } = row as { picture: string; picture_type: BrandPictureRow['type']; bytes: string }
  ids.pictures.set(picture, { type: picture_type, bytes: Buffer.from(bytes, 'base64') })
  return 'created'
}

export async function storeBrand(work: Storing, table: 'brands' | 'account_brands', row: TransferRow): Promise<StoreOutcome> {
  const { tx, caller, target } = work
  const owner = table === 'brands' ? { partner_id: target.partnerId } : { account_id: row['account_id'] as number }
  const [column, id] = Object.entries(owner)[0] as ['account_id', number]
  const known = await tx.selectFrom(table).select('updated_at').where(column, '=', id).executeTakeFirst()
  if (known !== undefined) return { what: 'brand', why: `the ${table === 'brands' ? 'partner' : 'account'} has a brand already` }
  const host = await freeHost(work, row)
  const named = table === 'brands' ? { host_name: host } : {}
  const values = { ...row, ...(await storedPictures(work, row)), ...owner, ...named, updated_at: caller.app.clock.now() }
  await tx
    .insertInto(table)
    .values(values as never)
    .execute()
  return host === (row['host_name'] ?? null) ? 'created' : { what: `host name ${row['host_name']}`, why: 'another partner has it' }
}

/** Pictures get new ids, because knowing an id is enough to see the picture. */
async function storedPictures({ tx, ids }: Storing, row: TransferRow): Promise<Record<string, string | null>> {
  const names: Record<string, string | null> = {}
  for (const column of ['logo_id', 'dark_logo_id', 'favicon_id']) {
    const picture = ids.pictures.get(row[column] as string)
    names[column] = picture === undefined ? null : randomBytes(16).toString('base64url')
    const id = names[column]
    if (picture !== undefined && id)
      await tx
        .insertInto('brand_pictures')
        .values({ id, ...picture })
        .execute()
  }
  return names
}

/** A host name belongs to one partner, so a name that is taken is left out. */
async function freeHost({ tx }: Storing, row: TransferRow): Promise<string | null> {
  const wanted = (row['host_name'] ?? null) as string | null
  if (wanted === null) return null
  const taken = await tx.selectFrom('brands').select('partner_id').where('host_name', '=', wanted).executeTakeFirst()
  return taken === undefined ? wanted : null
}
