/** The figures of each site over the last thirty days, so that a list of thousands of customers reads no measurements. */

import type { Migration } from '../schema.ts'

export const storedFigures: Migration = {
  name: '0039-site-figures',
  worksFrom: '0038-staff',
  async up({ createTable }) {
    await createTable('account_figures', { account_id: 'integer', day: 'text', versions: 'text' }, { primaryKey: ['account_id'] })
    await createTable(
      'site_figures',
      {
        site_id: 'integer',
        account_id: 'integer',
        visibility: 'real?',
        pairs: 'integer',
        compared_now: 'real?',
        compared_before: 'real?',
        compared_pairs: 'integer',
        rating: 'real?',
        measured_on: 'text?',
        reasons: 'text',
      },
      { primaryKey: ['site_id'], indexes: [['account_id']] },
    )
  },
}
