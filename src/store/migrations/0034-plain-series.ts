/** Which device and location of each site, engine and locale are stored as those without, so that later files go on in the same series; what was told of that. */

import type { Migration } from '../schema.ts'

export const plainSeries: Migration = {
  name: '0034-plain-series',
  worksFrom: '0033-devices',
  async up({ createTable, addColumns }) {
    await addColumns('intakes', { notices: 'text?' })
    await createTable(
      'plain_series',
      {
        account_id: 'integer',
        site_id: 'integer',
        engine: 'text',
        locale: 'text',
        device: 'text',
        location: 'text',
        intake_id: 'integer',
      },
      { primaryKey: ['site_id', 'engine', 'locale'], references: { account_id: 'accounts', site_id: 'sites' } },
    )
  },
}
