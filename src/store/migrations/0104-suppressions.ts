/** Addresses to which a partner sends no mail that nobody asked for: who unsubscribed, and whom the mail server does not know. */

import type { Migration } from '../schema.ts'

export const suppressions: Migration = {
  name: '0104-suppressions',
  worksFrom: '0097-events',
  async up({ createTable }) {
    await createTable(
      'suppressions',
      {
        id: 'id',
        partner_id: 'integer',
        address_hash: 'text',
        address: 'text',
        reason: 'text',
        created_at: 'text',
      },
      { unique: [['partner_id', 'address_hash']] },
    )
  },
}
