/** Partners with their keys and accounts, people with their abilities, businesses, sites, and the record of every change. */

import type { Migration } from '../schema.ts'

export const provisioning: Migration = {
  name: '0001-provisioning',
  async up({ createTable }) {
    await createTable('partners', {
      id: 'id',
      name: 'text',
      state: 'text',
      account_id: 'integer?',
      key_alone: 'integer=1',
      names: 'text?',
      reads_per_minute: 'integer?',
      writes_per_minute: 'integer?',
      taken_per_hour: 'integer?',
      created_at: 'text',
      updated_at: 'text',
    })
    await createTable(
      'keys',
      {
        id: 'id',
        partner_id: 'integer',
        public_part: 'text',
        key_hash: 'text',
        password_hash: 'text',
        label: 'text',
        scopes: 'text',
        created_at: 'text',
        last_used_at: 'text?',
        expires_at: 'text?',
        revoked_at: 'text?',
      },
      { unique: [['public_part'], ['key_hash']], indexes: [['partner_id']], references: { partner_id: 'partners' } },
    )
    await createTable(
      'accounts',
      {
        id: 'id',
        partner_id: 'integer',
        name: 'text',
        owner_id: 'integer?',
        report_version: 'integer=0',
        created_at: 'text',
        updated_at: 'text',
      },
      { indexes: [['partner_id', 'id']], references: { partner_id: 'partners' } },
    )
    await createTable(
      'users',
      {
        id: 'id',
        account_id: 'integer',
        email: 'text',
        login: 'text',
        name: 'text',
        salt: 'text',
        state: 'text',
        activated_at: 'text?',
        activation_code: 'text?',
        cached_slug: 'text?',
        created_at: 'text',
        updated_at: 'text',
        created_by: 'integer?',
        updated_by: 'integer?',
        deleted_at: 'text?',
        last_login_at: 'text?',
        current_site_id: 'integer',
        current_step_id: 'integer',
        invitation_count: 'integer',
        is_seo_pro: 'integer',
        is_web_dev: 'integer',
        opt_out_dashboard: 'integer',
        promotion_pending: 'integer',
        rank_id: 'integer',
        password_reset_code: 'text?',
        remember_token: 'text?',
        remember_token_expires_at: 'text?',
        twitter_account: 'text?',
      },
      { indexes: [['account_id', 'id']], references: { account_id: 'accounts' } },
    )
    await createTable(
      'user_passwords',
      { user_id: 'integer', verifier: 'text', changed_at: 'text' },
      { primaryKey: ['user_id'], references: { user_id: 'users' } },
    )
    await createTable(
      'user_names',
      { name: 'text', user_id: 'integer' },
      { primaryKey: ['name'], indexes: [['user_id']], references: { user_id: 'users' } },
    )
    await createTable(
      'abilities',
      { user_id: 'integer', key: 'text', scope_type: 'text', scope_id: 'integer' },
      { primaryKey: ['user_id', 'scope_type', 'scope_id'], indexes: [['scope_type', 'scope_id']], references: { user_id: 'users' } },
    )
    await createTable(
      'businesses',
      { id: 'id', account_id: 'integer', name: 'text', aasm_state: 'text', created_at: 'text', updated_at: 'text' },
      { indexes: [['account_id', 'id']], references: { account_id: 'accounts' } },
    )
    await createTable(
      'sites',
      { id: 'id', account_id: 'integer', business_id: 'integer', domain: 'text', created_at: 'text', updated_at: 'text' },
      {
        unique: [
          ['account_id', 'domain'],
          ['account_id', 'id'],
        ],
        indexes: [['business_id']],
        references: { account_id: 'accounts', business_id: 'businesses' },
      },
    )
    await createTable(
      'audit_entries',
      {
        id: 'id',
        at: 'text',
        partner_id: 'integer?',
        account_id: 'integer?',
        actor: 'text',
        action: 'text',
        subject_type: 'text',
        subject_id: 'integer?',
        request_id: 'text',
        detail_hash: 'text?',
      },
      {
        indexes: [
          ['partner_id', 'id'],
          ['account_id', 'id'],
          ['subject_type', 'subject_id'],
        ],
      },
    )
    await createTable(
      'audit_details',
      { entry_id: 'integer', detail: 'text' },
      { primaryKey: ['entry_id'], references: { entry_id: 'audit_entries' } },
    )
    await createTable(
      'idempotency_records',
      {
        partner_id: 'integer',
        key: 'text',
        operation: 'text',
        subject_id: 'integer?',
        fingerprint: 'text',
        status: 'integer',
        headers: 'text',
        body: 'bytes',
        created_at: 'text',
      },
      { primaryKey: ['partner_id', 'key'], indexes: [['created_at'], ['subject_id']], references: { partner_id: 'partners' } },
    )
    await createTable('facts', { name: 'text', value: 'text' }, { primaryKey: ['name'] })
  },
}
