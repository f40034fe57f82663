/** The people who work for a partner, those who are invited to, and who of them looks after which account. */

import type { Migration } from '../schema.ts'

export const staff: Migration = {
  name: '0038-staff',
  worksFrom: '0035-what-files-tell',
  async up({ db, createTable, addColumns }) {
    const post = { role: 'text', customers: 'text', created_at: 'text' } as const
    await createTable(
      'staff',
      { user_id: 'integer', partner_id: 'integer', ...post },
      { primaryKey: ['user_id'], indexes: [['partner_id']], references: { user_id: 'users', partner_id: 'partners' } },
    )
    await createTable(
      'staff_invitations',
      { id: 'id', partner_id: 'integer', email: 'text', name: 'text', ...post, expires_at: 'text' },
      { unique: [['partner_id', 'name']], indexes: [['name']], references: { partner_id: 'partners' } },
    )
    await addColumns('accounts', { looked_after_by: 'integer?' })
    await db.schema.createIndex('accounts_looked_after_by').on('accounts').columns(['looked_after_by']).execute()
  },
}
