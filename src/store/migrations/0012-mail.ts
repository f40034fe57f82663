/** Mail that is waiting to be sent, and the reports that are mailed on a schedule. */

import type { Migration } from '../schema.ts'

export const mail: Migration = {
  name: '0012-mail',
  async up({ createTable }) {
    await createTable(
      'mails',
      {
        id: 'id',
        /** Identifies the content of the mail, so that the same mail is never queued twice. */
        key: 'text',
        kind: 'text',
        account_id: 'integer',
        recipient: 'text',
        payload: 'text',
        state: 'text',
        attempts: 'integer',
        due_at: 'text',
        error: 'text?',
        created_at: 'text',
        settled_at: 'text?',
      },
      { unique: [['key']], indexes: [['state', 'due_at'], ['account_id']], references: { account_id: 'accounts' } },
    )
    await createTable(
      'report_schedules',
      {
        id: 'id',
        account_id: 'integer',
        rhythm: 'text',
        site_ids: 'text?',
        last_period: 'text',
        created_at: 'text',
        updated_at: 'text',
      },
      { indexes: [['account_id']], references: { account_id: 'accounts' } },
    )
    await createTable(
      'report_recipients',
      {
        id: 'id',
        schedule_id: 'integer',
        account_id: 'integer',
        email: 'text',
        state: 'text',
        created_at: 'text',
        updated_at: 'text',
      },
      {
        unique: [['schedule_id', 'email']],
        indexes: [['account_id']],
        references: { schedule_id: 'report_schedules', account_id: 'accounts' },
      },
    )
  },
}
