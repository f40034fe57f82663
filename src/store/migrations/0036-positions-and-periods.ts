/** Average positions of days, packed by the month like ranks, and figures of longer periods as plain rows. */

import type { Migration } from '../schema.ts'

/** Earlier versions would leave both behind with a keyword that they delete, so they must be stopped. */
export const positionsAndPeriods: Migration = {
  name: '0036-positions-and-periods',
  async up({ createTable, partitionByMonth }) {
    await createTable(
      'average_position_months',
      { account_id: 'integer', keyword_id: 'integer', starts_at: 'integer', data: 'bytes' },
      { primaryKey: ['account_id', 'keyword_id', 'starts_at'], packed: 'data' },
    )
    await partitionByMonth('average_position_months')
    await createTable(
      'periods',
      {
        account_id: 'integer',
        keyword_id: 'integer',
        key_hash: 'text',
        start_date: 'text',
        end_date: 'text',
        search_engine: 'text',
        locale: 'text',
        device: 'text',
        location: 'text',
        clicks: 'integer?',
        impressions: 'integer?',
        average_position: 'real?',
      },
      { primaryKey: ['account_id', 'keyword_id', 'key_hash'] },
    )
  },
}
