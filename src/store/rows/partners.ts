/** Rows for what partners arrange by themselves: hosts, logos that are looked at, and tests. */

import type { Generated } from 'kysely'
import type { Bit, Moment } from './values.ts'

export interface PartnerTables {
  named_hosts: NamedHostRow
  mail_senders: MailSenderRow
  brand_drafts: BrandDraftRow
  test_partners: TestPartnerRow
  data_sources: DataSourceRow
  data_source_sites: DataSourceSiteRow
}

/** A host that a partner has named, and whether a record in the DNS has proved that it is theirs. */
export interface NamedHostRow {
  partner_id: number
  host_name: string
  /** The partner wants its pages there, or has them there by the proof. */
  for_pages: 'wanted' | 'served' | null
  /** Whether pages of this host may show share links in a frame. */
  for_frames: Generated<Bit>
  /** What the record must say. */
  token: string
  /** What the last look saw; `unknown` where the DNS did not answer. */
  seen: 'found' | 'absent' | 'unknown' | null
  looked_at: Moment | null
  /** When to look next; null where nobody looks any more by itself. */
  look_at: Moment | null
  proved_at: Moment | null
  /** Since when a record that was there is missing. */
  missing_since: Moment | null
  created_at: Moment
}

/** The address from which the mails of a partner come, and whether the key by which they are signed was seen in the DNS of its domain. */
export interface MailSenderRow {
  partner_id: number
  address: string
  /** The name of the key in the DNS. */
  selector: string
  public_key: string
  /** The private key, encrypted. */
  sealed: string
  /** What the last look saw; `unknown` where the DNS did not answer. */
  seen: 'found' | 'absent' | 'unknown' | null
  looked_at: Moment | null
  look_at: Moment | null
  proved_at: Moment | null
  /** Since when a key that was there is missing. */
  missing_since: Moment | null
  created_at: Moment
}

/** A logo that was uploaded and is looked at before it is saved. */
export interface BrandDraftRow {
  partner_id: number
  kind: 'logo' | 'dark_logo'
  picture_id: string
  created_at: Moment
}

/** A partner that is only for trying things out. */
export interface TestPartnerRow {
  partner_id: number
  /** Whose test it is, and whose admins get its mails; null if it is nobody's. */
  of_partner_id: number | null
  state: 'filling' | 'filled' | 'emptying' | 'empty' | 'refilling'
  /** How often it was filled: names that were used before are not free at once. */
  fillings: Generated<number>
  /** The file that fills it. */
  intake_id: number | null
  changed_at: Moment
}

/** From where figures are fetched: for one account, or for all of the partner. */
export interface DataSourceRow {
  id: Generated<number>
  partner_id: number
  account_id: number | null
  kind: 'site'
  rhythm: 'daily' | 'weekly' | 'monthly'
  state: 'active' | 'resting'
  /** Why it rests. */
  reason: string | null
  /** Whoever answers for it: a key, somebody of the staff, or with neither the operator. */
  made_by_key: number | null
  made_by_user: number | null
  created_at: Moment
  updated_at: Moment
}

/** A site for which a source fetches, and how that went. No site has two sources of a kind. */
export interface DataSourceSiteRow {
  id: Generated<number>
  source_id: number
  partner_id: number
  account_id: number
  site_id: number
  kind: DataSourceRow['kind']
  next_at: Moment
  /** A process that runs it has died if it has not ended by then. */
  held_until: Moment | null
  /** The host that is asked by this run, and by no other. */
  held_host: string | null
  ran_at: Moment | null
  /** When something came last. */
  came_at: Moment | null
  failing_since: Moment | null
  failures: Generated<number>
  /** Why the last run failed. */
  reason: string | null
  /** What the last run that brought something has found, as JSON. */
  found: string | null
  /** What need not be asked each time, as JSON. */
  known: string | null
  intake_id: number | null
}
