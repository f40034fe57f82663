/** Partners that are only for trying things out, each filled with a world of its own. */

import type { Migration } from '../schema.ts'

export const testPartners: Migration = {
  name: '0067-test-partners',
  worksFrom: '0066-dismissals',
  async up({ createTable }) {
    await createTable(
      'test_partners',
      {
        partner_id: 'integer',
        of_partner_id: 'integer?',
        state: 'text',
        fillings: 'integer=0',
        intake_id: 'integer?',
        changed_at: 'text',
      },
      { primaryKey: ['partner_id'], unique: [['of_partner_id']], references: { partner_id: 'partners', of_partner_id: 'partners' } },
    )
  },
}
