/** People who use the pages: sessions, login links, refused logins, known networks, and the brand of a partner. */

import type { Migration } from '../schema.ts'

export const people: Migration = {
  name: '0003-people',
  async up({ createTable }) {
    await createTable(
      'sessions',
      {
        token_hash: 'text',
        user_id: 'integer',
        password_mark: 'text',
        is_remembered: 'integer',
        opened_by: 'text',
        last_visit_at: 'text?',
        created_at: 'text',
        last_seen_at: 'text',
        expires_at: 'text',
      },
      { primaryKey: ['token_hash'], indexes: [['user_id'], ['expires_at']], references: { user_id: 'users' } },
    )
    await createTable(
      'login_links',
      { token_hash: 'text', user_id: 'integer', password_mark: 'text', created_at: 'text', expires_at: 'text' },
      { primaryKey: ['token_hash'], indexes: [['user_id'], ['expires_at']], references: { user_id: 'users' } },
    )
    await createTable(
      'login_throttles',
      { subject: 'text', failures: 'integer', last_failed_at: 'text', blocked_until: 'text' },
      { primaryKey: ['subject'], indexes: [['last_failed_at']] },
    )
    await createTable(
      'login_networks',
      { user_id: 'integer', network: 'text', last_login_at: 'text' },
      { primaryKey: ['user_id', 'network'], references: { user_id: 'users' } },
    )
    await createTable(
      'brands',
      { partner_id: 'integer', host_name: 'text?', accent: 'text?', logo: 'bytes?', logo_type: 'text?', updated_at: 'text' },
      { primaryKey: ['partner_id'], unique: [['host_name']], references: { partner_id: 'partners' } },
    )
  },
}
