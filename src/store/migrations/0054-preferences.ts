/** What people choose for themselves on their pages: how dates are written, and their time zone. */

import type { Migration } from '../schema.ts'

export const preferences: Migration = {
  name: '0054-preferences',
  worksFrom: '0053-where-sessions-are',
  async up({ createTable }) {
    await createTable(
      'preferences',
      { user_id: 'integer', region: 'text?', time_zone: 'text?' },
      { primaryKey: ['user_id'], references: { user_id: 'users' } },
    )
  },
}
