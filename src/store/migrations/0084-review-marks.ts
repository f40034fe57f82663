/** What the people of a customer and its staff note of reviews: that they have seen or answered them, and a sentence. */

import type { Migration } from '../schema.ts'

export const reviewMarks: Migration = {
  name: '0084-review-marks',
  worksFrom: '0079-previews-of-undo',
  async up({ createTable }) {
    await createTable(
      'review_marks',
      {
        id: 'id',
        account_id: 'integer',
        site_id: 'integer',
        source: 'text',
        review_hash: 'text',
        date: 'text',
        state: 'text',
        note: 'text',
        marked_by: 'integer?',
        marked_at: 'text',
      },
      {
        unique: [['site_id', 'source', 'review_hash']],
        indexes: [
          ['account_id', 'date'],
          ['account_id', 'review_hash'],
        ],
        references: { account_id: 'accounts', site_id: 'sites' },
      },
    )
  },
}
