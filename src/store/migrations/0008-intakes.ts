/** Every import and push with what it created and changed, so that it can be undone; and saved column mappings. */

import type { Migration } from '../schema.ts'

export const intakes: Migration = {
  name: '0008-intakes',
  async up({ createTable }) {
    await createTable(
      'import_mappings',
      { partner_id: 'integer', name: 'text', mapping: 'text', updated_at: 'text' },
      { primaryKey: ['partner_id', 'name'], references: { partner_id: 'partners' } },
    )
    await createTable(
      'intakes',
      {
        id: 'id',
        partner_id: 'integer',
        account_id: 'integer?',
        via: 'text',
        actor: 'text',
        file_name: 'text?',
        sha256: 'text?',
        mapping: 'text?',
        state: 'text',
        counts: 'text',
        created_at: 'text',
        ended_at: 'text?',
        undone_at: 'text?',
      },
      { indexes: [['partner_id', 'id'], ['created_at']], references: { partner_id: 'partners', account_id: 'accounts' } },
    )
    await createTable(
      'intake_directory_steps',
      { account_id: 'integer', intake_id: 'integer', step: 'integer', kind: 'text', data: 'bytes' },
      { primaryKey: ['account_id', 'intake_id', 'step'], references: { account_id: 'accounts' } },
    )
    await createTable(
      'intake_steps',
      { account_id: 'integer', intake_id: 'integer', step: 'integer', kind: 'text', data: 'bytes' },
      { primaryKey: ['account_id', 'intake_id', 'step'], references: { account_id: 'accounts' } },
    )
  },
}
