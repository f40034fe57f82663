/** What the API answered last, for those who write programs. Losing these rows does no harm, so the table is unlogged. */

import type { Migration } from '../schema.ts'

export const requests: Migration = {
  name: '0063-requests',
  worksFrom: '0062-order-of-steps',
  async up({ createTable }) {
    await createTable(
      'requests',
      {
        id: 'id',
        partner_id: 'integer',
        is_refused: 'integer',
        at: 'text',
        request_id: 'text',
        public_part: 'text?',
        method: 'text',
        path: 'text',
        parameters: 'text',
        status: 'integer',
        code: 'text?',
        sentence: 'text?',
        tenths: 'integer',
      },
      { indexes: [['partner_id', 'is_refused', 'id'], ['at']], isFleeting: true },
    )
  },
}
