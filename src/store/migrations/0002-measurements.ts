/** Measurements of sites and their competitors, clustered in the order in which reports read them. */

import type { Migration } from '../schema.ts'

export const measurements: Migration = {
  name: '0002-measurements',
  async up({ createTable }) {
    await createTable(
      'subjects',
      { account_id: 'integer', id: 'account id', site_id: 'integer', domain: 'text', created_at: 'text' },
      {
        unique: [['account_id', 'site_id', 'domain']],
        indexes: [['account_id', 'site_id', 'id']],
        references: { account_id: 'accounts', site_id: 'sites' },
      },
    )
    await createTable(
      'measured_versions',
      { account_id: 'integer', version: 'integer' },
      { primaryKey: ['account_id'], references: { account_id: 'accounts' } },
    )
    await createTable(
      'sources',
      { account_id: 'integer', code: 'integer', engine: 'text', locale: 'text' },
      { primaryKey: ['account_id', 'code'], unique: [['account_id', 'engine', 'locale']], references: { account_id: 'accounts' } },
    )
    await createTable(
      'keywords',
      { account_id: 'integer', id: 'account id', subject_id: 'integer', phrase: 'text' },
      { unique: [['account_id', 'subject_id', 'phrase']], accountReferences: { subject_id: 'subjects' } },
    )
    await createTable(
      'ranking_months',
      { account_id: 'integer', keyword_id: 'integer', starts_at: 'integer', data: 'bytes' },
      { primaryKey: ['account_id', 'keyword_id', 'starts_at'], accountReferences: { keyword_id: 'keywords' }, packed: 'data' },
    )
    await createTable(
      'backlinks',
      {
        account_id: 'integer',
        id: 'account id',
        subject_id: 'integer',
        found_on: 'text',
        domain: 'text',
        link_strength: 'integer',
        source_url: 'text',
        domain_authority: 'integer',
        anchor_text: 'text',
        key_hash: 'text',
      },
      {
        unique: [['account_id', 'subject_id', 'key_hash']],
        indexes: [['account_id', 'subject_id', 'found_on', 'id']],
        accountReferences: { subject_id: 'subjects' },
      },
    )
    await createTable(
      'snapshots',
      {
        account_id: 'integer',
        subject_id: 'integer',
        day: 'text',
        download_time: 'real?',
        pages_indexed_in_google: 'integer?',
        pages_indexed_in_bing: 'integer?',
        pages_indexed_in_yahoo: 'integer?',
        domain_authority: 'integer?',
        authority_known: 'integer',
        backlink_count: 'integer?',
        domain_count: 'integer?',
        domain_age: 'integer?',
      },
      { primaryKey: ['account_id', 'subject_id', 'day'], accountReferences: { subject_id: 'subjects' } },
    )
    await createTable(
      'locations',
      { id: 'id', account_id: 'integer', site_id: 'integer', twitter_page: 'text?', facebook_page: 'text?', created_at: 'text' },
      { unique: [['account_id', 'site_id']], accountReferences: { site_id: 'sites' } },
    )
    await createTable(
      'pages',
      {
        account_id: 'integer',
        id: 'account id',
        subject_id: 'integer',
        source: 'text',
        page_url: 'text',
        match_confidence: 'integer',
        last_updated: 'text',
        created_at: 'text',
        key_hash: 'text',
      },
      {
        unique: [['account_id', 'subject_id', 'key_hash']],
        indexes: [['account_id', 'subject_id', 'id']],
        accountReferences: { subject_id: 'subjects' },
      },
    )
    await createTable(
      'reviews',
      {
        account_id: 'integer',
        id: 'account id',
        page_id: 'integer',
        date: 'text',
        rating: 'integer',
        created_at: 'text',
        business_name: 'text',
        sentiment_score: 'integer',
        url: 'text',
        total: 'integer',
        header: 'text',
        detail: 'text',
        user: 'text',
        source: 'text',
        ref: 'text?',
        key_hash: 'text',
      },
      {
        unique: [['account_id', 'page_id', 'key_hash']],
        indexes: [['account_id', 'page_id', 'date', 'id']],
        accountReferences: { page_id: 'pages' },
      },
    )
    await createTable(
      'review_count_months',
      { account_id: 'integer', page_id: 'integer', starts_at: 'integer', data: 'bytes' },
      { primaryKey: ['account_id', 'page_id', 'starts_at'], accountReferences: { page_id: 'pages' }, packed: 'data' },
    )
    await createTable(
      'old_ids',
      { partner_id: 'integer', kind: 'text', old_id: 'text', new_id: 'integer' },
      { primaryKey: ['partner_id', 'kind', 'old_id'], references: { partner_id: 'partners' } },
    )
  },
}
