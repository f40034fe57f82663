/** What SEO tools deliver besides ranks: the search volume and tags of a keyword, the page that ranks, and clicks and impressions by day. */

import type { Migration } from '../schema.ts'

export const keywordFacts: Migration = {
  name: '0014-keyword-facts',
  async up({ addColumns, createTable }) {
    await addColumns('keywords', { search_volume: 'integer?', tags: 'text?' })
    await createTable(
      'ranked_urls',
      { account_id: 'integer', subject_id: 'integer', code: 'integer', url: 'text', key_hash: 'text' },
      {
        primaryKey: ['account_id', 'subject_id', 'code'],
        unique: [['account_id', 'subject_id', 'key_hash']],
        accountReferences: { subject_id: 'subjects' },
      },
    )
    for (const table of ['ranked_url_months', 'click_count_months']) {
      await createTable(
        table,
        { account_id: 'integer', keyword_id: 'integer', starts_at: 'integer', data: 'bytes' },
        { primaryKey: ['account_id', 'keyword_id', 'starts_at'], accountReferences: { keyword_id: 'keywords' }, packed: 'data' },
      )
    }
  },
}
