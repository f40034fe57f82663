/** The partner of each waiting mail, by which partners take turns. What older versions queue is of partner 0, which takes its turn like any other. */

import type { Migration } from '../schema.ts'

export const mailTurns: Migration = {
  name: '0031-mail-turns',
  worksFrom: '0022-months',
  async up({ db, addColumns }) {
    await addColumns('mails', { partner_id: 'integer=0' })
    await db.schema.createIndex('mails_turns').on('mails').columns(['state', 'kind', 'partner_id', 'due_at']).execute()
  },
}
