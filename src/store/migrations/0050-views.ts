/** As whom somebody of the staff looks at the pages: a part of their own session, begun at a customer's page and kept until a time. */

import type { Migration } from '../schema.ts'

export const views: Migration = {
  name: '0050-views',
  worksFrom: '0042-customers',
  async up({ db, addColumns }) {
    await addColumns('sessions', { seen_user_id: 'integer?', seen_account_id: 'integer?', seen_until: 'text?' })
    await db.schema.createIndex('sessions_seen_until').on('sessions').column('seen_until').execute()
  },
}
