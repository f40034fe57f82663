/** What happened: as it is written in the transaction of the change, and in the order in which the changes were committed. */

import type { Migration } from '../schema.ts'

export const eventLog: Migration = {
  name: '0097-events',
  worksFrom: '0086-step-hashes',
  async up({ createTable }) {
    const about = { uid: 'text', type: 'text', at: 'text', record_id: 'integer', account_id: 'integer?', changed: 'text?' } as const
    await createTable('event_drafts', { id: 'id', partner_id: 'integer?', ...about })
    await createTable(
      'events',
      { place: 'integer', partner_id: 'integer', ...about },
      { primaryKey: ['place'], indexes: [['partner_id', 'place'], ['at']] },
    )
  },
}
