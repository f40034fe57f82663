/** Hosts that partners name for their pages and for pages around share links, each with the record that proves whose it is. */

import type { Migration } from '../schema.ts'

export const namedHosts: Migration = {
  name: '0058-named-hosts',
  worksFrom: '0057-fresh-logins',
  async up({ createTable }) {
    await createTable(
      'named_hosts',
      {
        partner_id: 'integer',
        host_name: 'text',
        for_pages: 'text?',
        for_frames: 'integer=0',
        token: 'text',
        seen: 'text?',
        looked_at: 'text?',
        look_at: 'text?',
        proved_at: 'text?',
        missing_since: 'text?',
        created_at: 'text',
      },
      { primaryKey: ['partner_id', 'host_name'], references: { partner_id: 'partners' }, indexes: [['look_at'], ['host_name']] },
    )
  },
}
