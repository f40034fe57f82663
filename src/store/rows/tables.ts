/** The rows of every table, as both engines return them: whole numbers, 0 | 1 for booleans, ISO text for times, null for null. */

import type { ColumnType, Generated } from 'kysely'
import type { DashboardTables } from './dashboard.ts'
import type { EventTables } from './events.ts'
import type { IntakeTables } from './intakes.ts'
import type { MailTables } from './mail.ts'
import type { MeasurementTables } from './measurements.ts'
import type { PeopleTables } from './people.ts'
import type { ProcessTables } from './processes.ts'
import type { Bit, Moment } from './values.ts'

export interface Tables extends DashboardTables, EventTables, IntakeTables, MailTables, MeasurementTables, PeopleTables, ProcessTables {
  partners: PartnerRow
  keys: KeyRow
  accounts: AccountRow
  deleted_accounts: DeletedAccountRow
  users: UserRow
  user_passwords: UserPasswordRow
  user_names: UserNameRow
  abilities: AbilityRow
  businesses: BusinessRow
  sites: SiteRow
  audit_entries: AuditEntryRow
  audit_details: AuditDetailRow
  audit_seals: AuditSealRow
  idempotency_records: IdempotencyRecordRow
  external_ids: ExternalIdRow
  facts: FactRow
  schema_migrations: SchemaMigrationRow
}

export interface PartnerRow {
  id: Generated<number>
  name: string
  state: 'active' | 'suspended'
  /** The partner account; null only inside the transaction that creates the partner. */
  account_id: number | null
  /** Whether reports may be read with the key alone, without the password. */
  key_alone: Generated<Bit>
  names: 'encoded' | 'legacy' | null
  /** Whether the SEO report prints each series with a device or location by itself; null means that it does not. */
  series: 'all' | null
  /** Who lets reports of new schedules go; null means the service's default. */
  release: 'automatic' | 'unless_wrong' | 'by_hand' | null
  /** Whether its staff see no page before they have set up a second factor. */
  demands_second_factor: Generated<Bit>
  /** The origins whose pages may read with its tokens, separated by blanks. */
  origins: string | null
  /** Limits: null means the service's default, 0 switches the limit off. */
  reads_per_minute: number | null
  writes_per_minute: number | null
  taken_per_hour: number | null
  created_at: Moment
  updated_at: Moment
}

export interface KeyRow {
  id: Generated<number>
  partner_id: number
  public_part: string
  key_hash: string
  password_hash: string
  label: string
  /** Scopes separated by a space: `provision report`. */
  scopes: string
  created_at: Moment
  last_used_at: Moment | null
  expires_at: Moment | null
  revoked_at: Moment | null
  /** Whether an agent may write with this key without a dry run first. */
  writes_directly: Generated<Bit>
  /** The key with which this one was issued; null if the operator issued it. */
  issued_by: number | null
  /** The ids of the accounts the key is limited to, separated by commas; null if it reaches all accounts of the partner. */
  account_ids: string | null
}

export interface AccountRow {
  id: Generated<number>
  /** Null only while the account is deleted; it is then read by its id alone. */
  partner_id: ColumnType<number, number, number | null>
  name: string
  owner_id: number | null
  report_version: Generated<number>
  /** The time zone in which pages count days; null means UTC. */
  time_zone: string | null
  /** Whose way of writing dates and numbers people see who have chosen none. */
  region: string | null
  /** Somebody of the partner's staff; whoever is restricted to assigned customers reaches those that they look after. */
  looked_after_by: number | null
  /** Labels separated by commas and a blank. */
  tags: string | null
  archived_at: Moment | null
  created_at: Moment
  updated_at: Moment
}

export interface DeletedAccountRow {
  account_id: number
  /** The partner to which the account belonged. */
  partner_id: number
  actor: string
  deleted_at: Moment
  /** Set when the account cannot be brought back any more, because its removal has begun. */
  ends_at: Moment | null
  /** Set when everything is removed; the row tells whose the deleted users were. */
  cleared_at: Moment | null
}

export interface UserRow {
  id: Generated<number>
  account_id: number
  email: string
  login: string
  name: string
  salt: string
  state: 'passive' | 'pending' | 'active' | 'suspended' | 'deleted'
  activated_at: Moment | null
  activation_code: string | null
  cached_slug: string | null
  created_at: Moment
  updated_at: Moment
  created_by: number | null
  updated_by: number | null
  deleted_at: Moment | null
  last_login_at: Moment | null
  current_site_id: number
  current_step_id: number
  invitation_count: number
  is_seo_pro: Bit
  is_web_dev: Bit
  opt_out_dashboard: Bit
  promotion_pending: Bit
  rank_id: number
  password_reset_code: string | null
  remember_token: string | null
  remember_token_expires_at: Moment | null
  twitter_account: string | null
}

/** Kept apart from the user, so that no query of users can return a password hash. */
export interface UserPasswordRow {
  user_id: number
  verifier: string
  changed_at: Moment
}

/** The case-folded emails and logins of all users, including deleted ones; each name is unique across both. */
export interface UserNameRow {
  name: string
  user_id: number
}

export interface AbilityRow {
  user_id: number
  key: 'show'
  scope_type: 'Account' | 'Business' | 'Site'
  scope_id: number
}

export interface BusinessRow {
  id: Generated<number>
  account_id: number
  name: string
  aasm_state: 'active' | 'deactivated'
  /** Whether it was deactivated with all of its account, and comes back with them. */
  is_deactivated_together: Generated<Bit>
  created_at: Moment
  updated_at: Moment
}

export interface SiteRow {
  id: Generated<number>
  account_id: number
  business_id: number
  domain: string
  created_at: Moment
  updated_at: Moment
}

export interface AuditEntryRow {
  id: Generated<number>
  at: Moment
  partner_id: number | null
  account_id: number | null
  actor: string
  action: string
  subject_type: string
  subject_id: number | null
  request_id: string
  /** The hash of the detail row, so that personal values can be erased without breaking the chain. */
  detail_hash: string | null
}

/** One link of the hash chain over the audit entries, added after they were committed. */
export interface AuditSealRow {
  id: Generated<number>
  entry_id: number
  /** The seal before this one; unique, so that there is one chain even if several processes seal. */
  previous: string
  seal: string
}

export interface AuditDetailRow {
  entry_id: number
  detail: string
}

export interface IdempotencyRecordRow {
  partner_id: number
  key: string
  /** The method and path, such as `POST users`. */
  operation: string
  /** The record that the answer describes, so that erasing a person finds it. */
  subject_id: number | null
  fingerprint: string
  status: number
  headers: string
  body: Uint8Array
  created_at: Moment
}

/** A partner's own id of a record, unique per partner and kind. */
export interface ExternalIdRow {
  partner_id: number
  kind: 'account' | 'user' | 'business' | 'site'
  external_id: string
  record_id: number
}

export interface FactRow {
  name: string
  value: string
}

export interface SchemaMigrationRow {
  name: string
  applied_at: Moment
  /** Versions that know this step can work with the newer one too; null if only versions that know the newer one can. */
  works_from: string | null
  /** Of what the step said to this database; null in databases that no later `migrate` has compared. */
  sql_hash: string | null
}
