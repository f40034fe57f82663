/** Who may do more than see on an account: share, note and schedule. */

import type { Migration } from '../schema.ts'

export const editors: Migration = {
  name: '0040-editors',
  worksFrom: '0039-site-figures',
  async up({ createTable }) {
    await createTable(
      'account_editors',
      { account_id: 'integer', user_id: 'integer', created_at: 'text' },
      { primaryKey: ['account_id', 'user_id'], indexes: [['user_id']], references: { account_id: 'accounts', user_id: 'users' } },
    )
  },
}
