/** Rows for people who use the pages: sessions, login links, refused logins, and the brands of partners. */

import type { Generated } from 'kysely'
import type { InvitationTables } from './invitations.ts'
import type { PartnerTables } from './partners.ts'
import type { ReadTokenTables } from './read-tokens.ts'
import type { Bit, Moment } from './values.ts'

export interface PeopleTables extends InvitationTables, PartnerTables, ReadTokenTables {
  sessions: SessionRow
  login_links: LoginLinkRow
  login_throttles: LoginThrottleRow
  login_networks: LoginNetworkRow
  brands: BrandRow
  account_brands: AccountBrandRow
  brand_pictures: BrandPictureRow
  share_links: ShareLinkRow
  account_editors: AccountEditorRow
  staff: StaffRow
  second_factors: SecondFactorRow
  recovery_codes: RecoveryCodeRow
  pending_logins: PendingLoginRow
  preferences: PreferencesRow
  email_changes: EmailChangeRow
}

export interface SessionRow {
  /** SHA-256 of the token in the cookie. */
  token_hash: string
  user_id: number
  /** A hash of the password under which the session was opened: changing the password anywhere ends the session. */
  password_mark: string
  is_remembered: Bit
  /** A session opened by a link may set a password without the old one. */
  opened_by: 'password' | 'link'
  /** Where it was used last; null for sessions that began before this was kept. */
  network: string | null
  browser: string | null
  /** When the password or the second factor was asked for last; null if it never was in this session. */
  proved_at: Moment | null
  /** Whom somebody of the staff sees the pages as, from which customer's page, and until when. */
  seen_user_id: number | null
  seen_account_id: number | null
  seen_until: Moment | null
  /** Reviews stored after this time are shown as new to the person. */
  last_visit_at: Moment | null
  created_at: Moment
  last_seen_at: Moment
  expires_at: Moment
}

export interface LoginLinkRow {
  token_hash: string
  user_id: number
  password_mark: string
  created_at: Moment
  expires_at: Moment
  /** Once it is used it is kept for a while, so that the page says so. */
  used_at: Moment | null
  confirms: string | null
}

/** Counts refused logins of a name from a network, of a network, and of a name. */
export interface LoginThrottleRow {
  subject: string
  failures: number
  last_failed_at: Moment
  blocked_until: Moment
}

/** Networks from which a person has logged in before; the failures of strangers do not lock these out. */
export interface LoginNetworkRow {
  user_id: number
  network: string
  last_login_at: Moment
}

export interface BrandRow {
  partner_id: number
  host_name: string | null
  /** A null here and in the columns below means that the next brand in line, or Marquee itself, decides. */
  name: string | null
  accent: string | null
  sender_name: string | null
  /** An email address or an https address. */
  support: string | null
  logo_id: string | null
  dark_logo_id: string | null
  favicon_id: string | null
  updated_at: Moment
}

/** The same columns as a partner's brand, except for the host name. */
export interface AccountBrandRow {
  account_id: number
  name: string | null
  accent: string | null
  sender_name: string | null
  /** An email address or an https address. */
  support: string | null
  logo_id: string | null
  dark_logo_id: string | null
  favicon_id: string | null
  updated_at: Moment
}

export interface BrandPictureRow {
  /** Random, because knowing the id is enough to see the picture. */
  id: string
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/x-icon'
  bytes: Uint8Array
}

export interface ShareLinkRow {
  id: Generated<number>
  site_id: number
  label: string
  /** SHA-256 of the token in the link. */
  token_hash: string
  /** The hash of the password that protects the link, if any. */
  verifier: string | null
  created_by: number | null
  created_at: Moment
  expires_at: Moment
  revoked_at: Moment | null
  /** Null also where a program or the operator did it, or an earlier version. */
  revoked_by: number | null
  last_used_at: Moment | null
  /** The link ends when its maker may no longer share the site; not so links of programs, of the operator and of earlier versions. */
  needs_maker: Generated<Bit>
  /** Since when the maker may no longer share the site, as far as noticed. */
  maker_lost_at: Moment | null
}

/** A user who works for the partner. */
export interface StaffRow {
  user_id: number
  partner_id: number
  role: 'admin' | 'member'
  customers: 'all' | 'assigned'
  created_at: Moment
}

/** Somebody who may share, note and schedule what they may see of an account. */
export interface AccountEditorRow {
  account_id: number
  user_id: number
  created_at: Moment
}

/** The app that makes codes for a login. */
export interface SecondFactorRow {
  user_id: number
  /** The key that the app and the service share, sealed. */
  sealed: string
  /** The time step of the code used last: no code works twice. */
  last_step: number
  created_at: Moment
  /** Null until a first code has proved that the app has the key; until then no login asks for one. */
  confirmed_at: Moment | null
}

export interface RecoveryCodeRow {
  user_id: number
  /** SHA-256 of the code; deleted when the code is used. */
  code_hash: string
}

/** A login whose password or link was right, and which awaits the code of the second factor. */
export interface PendingLoginRow {
  /** SHA-256 of the token in the cookie. */
  token_hash: string
  user_id: number
  password_mark: string
  is_remembered: Bit
  opened_by: 'password' | 'link'
  expires_at: Moment
}

/** What a person has chosen for their pages, and dismissed there as a JSON object; what is null follows the browser or the account. */
export interface PreferencesRow {
  user_id: number
  /** Whose way of writing dates and numbers: `CH`. */
  region: string | null
  time_zone: string | null
  dismissed: string | null
}

/** A new address that waits to be confirmed; each person has one at most. */
export interface EmailChangeRow {
  user_id: number
  email: string
  created_at: Moment
  expires_at: Moment
}
