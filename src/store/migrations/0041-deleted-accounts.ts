/** Deleted accounts belong to no partner, by which nobody finds them, until they are brought back or what belongs to them is cleared. */

import type { Migration } from '../schema.ts'

/** Earlier versions would mail reports of deleted accounts and import into them, so they must be stopped. */
export const deletedAccounts: Migration = {
  name: '0041-deleted-accounts',
  async up({ db, allowNull, createTable }) {
    await allowNull('accounts', 'partner_id')
    await createTable(
      'deleted_accounts',
      { account_id: 'integer', partner_id: 'integer', actor: 'text', deleted_at: 'text', ends_at: 'text?', cleared_at: 'text?' },
      {
        primaryKey: ['account_id'],
        indexes: [['cleared_at', 'deleted_at']],
        references: { account_id: 'accounts', partner_id: 'partners' },
      },
    )
    await db.schema.createIndex('intakes_account_id').on('intakes').column('account_id').execute()
  },
}
