/** Which recipients of reports a mailed invitation names, so that accepting it confirms them; and how many mails a partner has sent on a day. */

import type { Migration } from '../schema.ts'

export const askedOnce: Migration = {
  name: '0065-asked-once',
  worksFrom: '0064-ended-links',
  async up({ db, addColumns }) {
    await addColumns('login_links', { confirms: 'text?' })
    await db.schema.createIndex('mails_of_days').on('mails').columns(['partner_id', 'created_at']).execute()
  },
}
