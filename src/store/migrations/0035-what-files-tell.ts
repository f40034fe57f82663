/** What files tell: the refused lines of an upload, the tool that wrote it, and the language and answer of a review. */

import type { Migration } from '../schema.ts'

/** Earlier versions would leave the answer of a review behind in what they undo, and could not forget an intake with refused lines. */
export const whatFilesTell: Migration = {
  name: '0035-what-files-tell',
  async up({ createTable, addColumns }) {
    await createTable(
      'intake_refused_lines',
      { intake_id: 'integer', part: 'integer', data: 'bytes' },
      { primaryKey: ['intake_id', 'part'], references: { intake_id: 'intakes' } },
    )
    await addColumns('intakes', { recognised_as: 'text?' })
    await addColumns('reviews', { language: 'text?', answer: 'text?' })
  },
}
