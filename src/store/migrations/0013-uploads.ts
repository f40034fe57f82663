/** Uploaded files that are imported in the background: the progress of each, and the tasks still to be done. */

import type { Migration } from '../schema.ts'

export const uploads: Migration = {
  name: '0013-uploads',
  async up({ createTable, addColumns }) {
    await addColumns('intakes', {
      bytes: 'integer?',
      bytes_read: 'integer=0',
      lines: 'integer=0',
      stored: 'integer=0',
      refused: 'integer=0',
      faults: 'text?',
      undo: 'text?',
    })
    await createTable(
      'intake_tasks',
      {
        intake_id: 'integer',
        partner_id: 'integer',
        task: 'text',
        host: 'text?',
        file: 'text?',
        options: 'text',
        attempts: 'integer',
        is_cancelled: 'integer',
        erased: 'text',
        seen_at: 'text',
      },
      {
        primaryKey: ['intake_id'],
        indexes: [['partner_id', 'intake_id']],
        references: { intake_id: 'intakes', partner_id: 'partners' },
      },
    )
  },
}
