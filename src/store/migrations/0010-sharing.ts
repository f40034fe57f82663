/** Links that show one site to everyone who has them, until they expire or are revoked. */

import type { Migration } from '../schema.ts'

export const sharing: Migration = {
  name: '0010-sharing',
  async up({ createTable }) {
    await createTable(
      'share_links',
      {
        id: 'id',
        site_id: 'integer',
        label: 'text',
        token_hash: 'text',
        verifier: 'text?',
        created_by: 'integer?',
        created_at: 'text',
        expires_at: 'text',
        revoked_at: 'text?',
        last_used_at: 'text?',
      },
      { unique: [['token_hash']], indexes: [['site_id']], references: { site_id: 'sites', created_by: 'users' } },
    )
  },
}
