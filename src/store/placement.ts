/** Which tables stay on one machine and which could be sharded by account, and what follows for their keys. */

import type { Tables } from './rows/tables.ts'
import { allSeries, type MonthTable } from './series.ts'

/**
 * `directory`: names that are unique across the service, and small tables; they stay on one machine. `measured`: tables that grow with measurements and can
 * be sharded by account: `account_id` leads every key, a statement names one account, a transaction writes one account, and no statement joins both kinds.
 * The account's row in `measured_versions` is stored with its data, so that both are read and written in one transaction.
 */
export type Placement = 'directory' | 'measured'

const packed = Object.fromEntries(allSeries.map(({ table }) => [table, 'measured'])) as Readonly<Record<MonthTable, 'measured'>>

// biome-ignore format: a table reads by its columns
export const placement: Readonly<Record<keyof Tables, Placement>> = {
  partners:            'directory',
  keys:                'directory',
  accounts:            'directory',
  deleted_accounts:    'directory',
  users:               'directory',
  user_passwords:      'directory',
  user_names:          'directory',
  abilities:           'directory',
  external_ids:        'directory',
  annotations:         'directory',
  businesses:          'directory',
  sites:               'directory',
  locations:           'directory',
  removals:            'directory',
  plain_series:        'directory',
  sessions:            'directory',
  login_links:         'directory',
  login_throttles:     'directory',
  login_networks:      'directory',
  brands:              'directory',
  account_brands:      'directory',
  brand_pictures:      'directory',
  brand_drafts:        'directory',
  test_partners:       'directory',
  named_hosts:         'directory',
  share_links:         'directory',
  account_figures:     'directory',
  site_figures:        'directory',
  account_editors:     'directory',
  staff:               'directory',
  staff_invitations:   'directory',
  people_invitations:  'directory',
  second_factors:      'directory',
  recovery_codes:      'directory',
  pending_logins:      'directory',
  preferences:         'directory',
  email_changes:       'directory',
  mails:               'directory',
  report_schedules:    'directory',
  report_recipients:   'directory',
  report_runs:         'directory',
  audit_entries:       'directory',
  audit_details:       'directory',
  audit_seals:         'directory',
  idempotency_records: 'directory',
  old_ids:             'directory',
  leases:              'directory',
  budgets:             'directory',
  rate_buckets:        'directory',
  usage_days:          'directory',
  requests:            'directory',
  import_mappings:     'directory',
  intakes:             'directory',
  intake_directory_steps: 'directory',
  intake_tasks:        'directory',
  intake_refused_lines: 'directory',
  deliveries:          'directory',
  server_secrets:      'directory',
  facts:               'directory',
  schema_migrations:   'directory',
  measured_versions:   'measured',
  sources:             'measured',
  subjects:            'measured',
  keywords:            'measured',
  ranked_urls:         'measured',
  backlinks:           'measured',
  snapshots:           'measured',
  pages:               'measured',
  reviews:             'measured',
  periods:             'measured',
  ...packed,
  intake_steps:        'measured',
}
