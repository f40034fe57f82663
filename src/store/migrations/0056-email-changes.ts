/** New addresses of people that wait to be confirmed by the mail that went there. */

import type { Migration } from '../schema.ts'

export const emailChanges: Migration = {
  name: '0056-email-changes',
  worksFrom: '0055-report-runs',
  async up({ createTable }) {
    await createTable(
      'email_changes',
      { user_id: 'integer', email: 'text', created_at: 'text', expires_at: 'text' },
      { primaryKey: ['user_id'], references: { user_id: 'users' } },
    )
  },
}
