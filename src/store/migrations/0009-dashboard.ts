/** Data that only pages need: the time zone of an account, and notes that people attach to a day. */

import type { Migration } from '../schema.ts'

export const dashboard: Migration = {
  name: '0009-dashboard',
  async up({ addColumns, createTable }) {
    await addColumns('accounts', { time_zone: 'text?' })
    await createTable(
      'annotations',
      {
        id: 'id',
        account_id: 'integer',
        site_id: 'integer?',
        day: 'text',
        text: 'text',
        created_at: 'text',
        created_by: 'integer?',
      },
      { indexes: [['account_id', 'day', 'id']], references: { account_id: 'accounts', site_id: 'sites' } },
    )
  },
}
