/** Sources from which figures are fetched, and the sites of each with what came of the last run. */

import type { Migration } from '../schema.ts'

export const dataSources: Migration = {
  name: '0090-data-sources',
  worksFrom: '0087-parked-uploads',
  async up({ createTable }) {
    await createTable(
      'data_sources',
      {
        id: 'id',
        partner_id: 'integer',
        account_id: 'integer?',
        kind: 'text',
        rhythm: 'text',
        state: 'text',
        reason: 'text?',
        made_by_key: 'integer?',
        made_by_user: 'integer?',
        created_at: 'text',
        updated_at: 'text',
      },
      {
        references: { partner_id: 'partners', account_id: 'accounts' },
        indexes: [['partner_id'], ['account_id'], ['state'], ['made_by_key'], ['made_by_user']],
      },
    )
    await createTable(
      'data_source_sites',
      {
        id: 'id',
        source_id: 'integer',
        partner_id: 'integer',
        account_id: 'integer',
        site_id: 'integer',
        kind: 'text',
        next_at: 'text',
        held_until: 'text?',
        held_host: 'text?',
        ran_at: 'text?',
        came_at: 'text?',
        failing_since: 'text?',
        failures: 'integer=0',
        reason: 'text?',
        found: 'text?',
        known: 'text?',
        intake_id: 'integer?',
      },
      {
        references: { source_id: 'data_sources', site_id: 'sites' },
        unique: [['site_id', 'kind'], ['held_host']],
        indexes: [['next_at'], ['source_id'], ['account_id'], ['partner_id'], ['held_until'], ['intake_id']],
      },
    )
  },
}
