/** The partner's own ids of accounts, users, businesses and sites. */

import type { Migration } from '../schema.ts'

export const partnerApi: Migration = {
  name: '0006-partner-api',
  async up({ createTable }) {
    await createTable(
      'external_ids',
      { partner_id: 'integer', kind: 'text', external_id: 'text', record_id: 'integer' },
      { primaryKey: ['partner_id', 'kind', 'external_id'], unique: [['kind', 'record_id']], references: { partner_id: 'partners' } },
    )
  },
}
