/** Keys that partners issue by themselves: from which key each comes, and to which accounts it is limited. */

import type { Migration } from '../schema.ts'

export const partnerKeys: Migration = {
  name: '0015-partner-keys',
  async up({ addColumns }) {
    await addColumns('keys', { issued_by: 'integer?', account_ids: 'text?' })
  },
}
