/** What several processes on one database must agree on: which process does which job, and how much of a budget is spent. */

import type { Migration } from '../schema.ts'

export const leases: Migration = {
  name: '0005-leases',
  async up({ createTable }) {
    await createTable(
      'leases',
      { name: 'text', holder: 'text', expires_at: 'text', done_at: 'text?' },
      { primaryKey: ['name'], indexes: [['expires_at']] },
    )
    await createTable(
      'budgets',
      { name: 'text', begins_at: 'text', spent: 'integer' },
      { primaryKey: ['name', 'begins_at'], indexes: [['begins_at']] },
    )
  },
}
