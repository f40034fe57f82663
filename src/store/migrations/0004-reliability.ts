/** The hash chain over the audit entries. It is extended after the entries were committed, so that writers do not wait for each other. */

import type { Migration } from '../schema.ts'

export const reliability: Migration = {
  name: '0004-reliability',
  async up({ createTable }) {
    await createTable(
      'audit_seals',
      { id: 'id', entry_id: 'integer', previous: 'text', seal: 'text' },
      { unique: [['entry_id'], ['previous']], references: { entry_id: 'audit_entries' } },
    )
  },
}
