/** Keys that partners issue themselves: the key each was issued with, and the accounts it is limited to. */

import type { Migration } from '../schema.ts'

export const partnerKeys: Migration = {
  name: '0015-partner-keys',
  async up({ addColumns }) {
    await addColumns('keys', { issued_by: 'integer?', account_ids: 'text?' })
  },
}
