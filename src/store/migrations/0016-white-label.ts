/** White label: name, sender, support address and pictures of a brand, and brands of accounts that override their partner's. */

import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from '../schema.ts'

const look = {
  name: 'text?',
  sender_name: 'text?',
  support: 'text?',
  logo_id: 'text?',
  dark_logo_id: 'text?',
  favicon_id: 'text?',
} as const

export const whiteLabel: Migration = {
  name: '0016-white-label',
  async up({ createTable, addColumns, db }) {
    await createTable('brand_pictures', { id: 'text', type: 'text', bytes: 'bytes' }, { primaryKey: ['id'] })
    await addColumns('brands', look)
    await createTable(
      'account_brands',
      { account_id: 'integer', accent: 'text?', ...look, updated_at: 'text' },
      { primaryKey: ['account_id'], references: { account_id: 'accounts' } },
    )
    await moveLogos(db as unknown as Kysely<Before>)
  },
}

interface Before {
  brands: { partner_id: number; logo: Uint8Array | null; logo_type: string | null; logo_id: string | null }
  brand_pictures: { id: string; type: string; bytes: Uint8Array }
}

/** Logos were columns of the brand before this step. */
async function moveLogos(db: Kysely<Before>): Promise<void> {
  const rows = await db.selectFrom('brands').select(['partner_id', 'logo', 'logo_type']).where('logo', 'is not', null).execute()
  for (const { partner_id, logo, logo_type } of rows) {
    const id = randomBytes(16).toString('base64url')
    await db
      .insertInto('brand_pictures')
      .values({ id, type: logo_type ?? '', bytes: logo ?? new Uint8Array() })
      .execute()
    await db.updateTable('brands').set({ logo_id: id }).where('partner_id', '=', partner_id).execute()
  }
  for (const column of ['logo', 'logo_type']) await sql`alter table brands drop column ${sql.ref(column)}`.execute(db)
}
