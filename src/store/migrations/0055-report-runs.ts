/** The reports of a period before and after they go: what waits for somebody's word, and why; and which schedules and partners want that. */

import type { Migration } from '../schema.ts'

export const reportRuns: Migration = {
  name: '0055-report-runs',
  worksFrom: '0054-preferences',
  async up({ db, createTable, addColumns }) {
    await addColumns('report_schedules', { release: 'text?' })
    await addColumns('partners', { release: 'text?' })
    await createTable(
      'report_runs',
      {
        schedule_id: 'integer',
        period_to: 'text',
        period_from: 'text',
        account_id: 'integer',
        rhythm: 'text',
        state: 'text',
        reasons: 'text',
        sentence: 'text',
        updated_at: 'text',
      },
      {
        primaryKey: ['schedule_id', 'period_to'],
        indexes: [['account_id'], ['rhythm', 'period_to']],
        references: { schedule_id: 'report_schedules', account_id: 'accounts' },
      },
    )
    // By which the files of an account are found when its report falls due.
    await db.schema.createIndex('intakes_account').on('intakes').columns(['account_id', 'created_at']).execute()
  },
}
