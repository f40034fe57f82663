/** Tokens that read one account or site for a while, and the origins whose pages may use those of a partner. */

import type { Migration } from '../schema.ts'

export const readTokens: Migration = {
  name: '0095-read-tokens',
  worksFrom: '0086-step-hashes',
  async up({ createTable, addColumns }) {
    await createTable(
      'read_tokens',
      {
        id: 'id',
        partner_id: 'integer',
        key_id: 'integer',
        account_id: 'integer',
        site_id: 'integer?',
        public_part: 'text',
        token_hash: 'text',
        created_at: 'text',
        expires_at: 'text',
        revoked_at: 'text?',
      },
      {
        unique: [['public_part']],
        indexes: [['key_id'], ['account_id'], ['site_id'], ['expires_at']],
      },
    )
    await addColumns('partners', { origins: 'text?' })
  },
}
