/** How much each key was used, day by day. */

import type { Migration } from '../schema.ts'

export const usageByDay: Migration = {
  name: '0021-usage',
  worksFrom: '0020-upgrades',
  async up({ createTable }) {
    await createTable(
      'usage_days',
      {
        partner_id: 'integer',
        day: 'text',
        key_id: 'integer',
        requests: 'integer',
        refused: 'integer',
        rate_limited: 'integer',
        records: 'integer',
      },
      { primaryKey: ['partner_id', 'day', 'key_id'], indexes: [['day']] },
    )
  },
}
