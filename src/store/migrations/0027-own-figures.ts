/** Numbers of the customer's own, packed by the month like other figures. */

import type { Migration } from '../schema.ts'

/** Earlier versions would leave them behind with a site that they delete, so they must be stopped. */
export const ownFigures: Migration = {
  name: '0027-own-figures',
  async up({ createTable, partitionByMonth }) {
    await createTable(
      'own_figure_months',
      { account_id: 'integer', subject_id: 'integer', starts_at: 'integer', data: 'bytes' },
      { primaryKey: ['account_id', 'subject_id', 'starts_at'], packed: 'data' },
    )
    await partitionByMonth('own_figure_months')
  },
}
