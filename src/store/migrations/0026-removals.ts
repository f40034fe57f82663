/** What was removed and still has to be cleared; rows may stay behind those to which they belonged. */

import type { Migration } from '../schema.ts'

/** Earlier versions rely on the keys and would count what is hidden, so they must be stopped. */
export const removals: Migration = {
  name: '0026-removals',
  async up({ createTable, dropAccountReference }) {
    await createTable(
      'removals',
      { account_id: 'integer', kind: 'text', id: 'integer' },
      { primaryKey: ['account_id', 'kind', 'id'], references: { account_id: 'accounts' } },
    )
    for (const table of ['keywords', 'pages', 'backlinks', 'snapshots', 'ranked_urls']) await dropAccountReference(table, 'subject_id')
    for (const table of ['ranking_months', 'ranked_url_months', 'click_count_months']) await dropAccountReference(table, 'keyword_id')
    for (const table of ['reviews', 'review_count_months']) await dropAccountReference(table, 'page_id')
  },
}
