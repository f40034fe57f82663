/** Files that came together at the desk, and what is said of each, until they are stored or thrown away. */

import type { Migration } from '../schema.ts'

export const deliveries: Migration = {
  name: '0061-deliveries',
  worksFrom: '0060-brand-drafts',
  async up({ createTable, addColumns }) {
    await createTable(
      'deliveries',
      {
        id: 'id',
        partner_id: 'integer',
        user_id: 'integer',
        options: 'text',
        files: 'text',
        version: 'integer',
        created_at: 'text',
        expires_at: 'text',
      },
      { indexes: [['user_id'], ['expires_at']], references: { partner_id: 'partners', user_id: 'users' } },
    )
    await addColumns('intake_tasks', { delivery_id: 'integer?' })
  },
}
