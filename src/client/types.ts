/** The records of the API. Written by `npm run generate` from the tables of the service; do not edit. */

/** Why a request was refused. */
export type ProblemCode =
  | 'validation_failed'
  | 'malformed_body'
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'misdirected'
  | 'idempotency_mismatch'
  | 'too_many_requests'
  | 'overloaded'
  | 'unavailable'
  | 'internal'

/** What is wrong with a field. */
export type FieldErrorCode =
  | 'blank'
  | 'not_an_integer'
  | 'too_short'
  | 'too_long'
  | 'invalid'
  | 'inclusion'
  | 'taken'
  | 'does_not_exist'
  | 'too_many'
  | 'not_one_line'

export interface User {
  /** assigned by the service */
  id: number
  /** account the user belongs to */
  account_id: number
  /** unique across the system */
  email: string
  /** unique across the system */
  login: string
  /** empty on creation */
  name: string
  /** hashed form of the password; the password itself is never returned */
  crypted_password: string
  salt: string
  /** `passive` right after creation */
  state: 'passive' | 'pending' | 'active' | 'suspended' | 'deleted'
  /** null right after creation */
  activated_at: string | null
  /** null right after creation */
  activation_code: string | null
  cached_slug: string | null
  /** ISO 8601 with UTC offset */
  created_at: string
  /** ISO 8601 with UTC offset */
  updated_at: string
  created_by: number | null
  updated_by: number | null
  deleted_at: string | null
  last_login_at: string | null
  /** 0 right after creation */
  current_site_id: number
  /** 0 right after creation */
  current_step_id: number
  /** 0 right after creation */
  invitation_count: number
  /** false right after creation */
  is_seo_pro: boolean
  /** false right after creation */
  is_web_dev: boolean
  /** false right after creation */
  opt_out_dashboard: boolean
  /** false right after creation */
  promotion_pending: boolean
  /** 1 right after creation */
  rank_id: number
  password_reset_code: string | null
  remember_token: string | null
  remember_token_expires_at: string | null
  twitter_account: string | null
}

export interface NewUser {
  /** unique across the system */
  email: string
  /** at least 6 characters */
  password: string
  /** at least 5 characters; unique across the system */
  login: string
  /** account to attach the user to */
  account_id: number
  /** the name of the person; empty without it */
  name?: string
}

export interface ChangedUser {
  /** unique across the system */
  email?: string
  /** at least 6 characters; open sessions end */
  password?: string
  /** at least 5 characters; unique across the system */
  login?: string
  /** the name of the person */
  name?: string
  /** account to move the user to */
  account_id?: number
}

export interface LoginLink {
  /** whom it lets in */
  user_id: number
  /** for that person only; it works once */
  url: string
  /** ISO 8601 with UTC offset */
  expires_at: string
}

export interface NewLoginLink {
  /** how long it works, 60 to 86400; 900 when it is left out */
  seconds?: number
}

export interface Ability {
  /** `show` (the only valid value) */
  key: 'show'
  /** `Account`, `Business`, `Site` */
  scope_type: 'Account' | 'Business' | 'Site'
  /** id of the account, business or site named by scope_type */
  scope_id: number
}

export interface AbilityChanges {
  abilities: Ability[]
  added: Ability[]
  removed: Ability[]
}

export interface NewAbility {
  /** `show` */
  key: 'show'
  /** `Account`, `Business` or `Site` */
  scope_type: 'Account' | 'Business' | 'Site'
  /** id of the account, business or site */
  scope_id: number
}

export interface Access {
  /** who */
  user_id: number
  /** `Account`, `Business` or `Site` */
  scope_type: 'Account' | 'Business' | 'Site'
  /** id of the account, business or site */
  scope_id: number
  /** whether the user can open it now: there is a grant and no obstacle */
  allowed: boolean
  /** the same in words */
  sentence: string
  grants: AccessGrant[]
  obstacles: AccessObstacle[]
}

export interface AccessGrant {
  /** `owner` of the account, `staff` of the partner, or `ability` */
  by: 'owner' | 'staff' | 'ability'
  /** what the user owns or has the ability on */
  scope_type: 'Account' | 'Business' | 'Site'
  /** its id */
  scope_id: number
  /** whether it is held on something above the scope */
  inherited: boolean
}

export interface AccessObstacle {
  code: 'user_suspended' | 'business_deactivated' | 'other_partner'
  sentence: string
}

export interface EffectiveAccess {
  /** who */
  user_id: number
  /** of the user */
  state: 'passive' | 'pending' | 'active' | 'suspended' | 'deleted'
  /** `admin` or `member`; null: no staff */
  staff_role: string | null
  /** the account that the user owns; null: none */
  owns: number | null
  /** what the user sees, and why nothing, in words */
  sentence: string
  abilities: Ability[]
  sites: EffectiveAccessSite[]
  /** whether there are more than the 50 that are listed */
  more_sites: boolean
}

export interface EffectiveAccessSite {
  /** the site */
  site_id: number
  domain: string
  business_name: string
  /** its account */
  account_id: number
  /** whether the user can open it now; sites of deactivated businesses are only listed to them */
  open: boolean
}

export interface Business {
  /** assigned by the service */
  id: number
  /** ISO 8601 with UTC offset */
  created_at: string
  /** ISO 8601 with UTC offset */
  updated_at: string
  /** owning account */
  account_id: number
  name: string
  /** `active` or `deactivated` */
  aasm_state: 'active' | 'deactivated'
}

export interface NewBusiness {
  /** name of the business */
  name: string
  /** account to attach the business to; the partner account when it is left out */
  account_id?: number
}

export interface ChangedBusiness {
  /** name of the business */
  name: string
}

export interface Account {
  /** assigned by the service */
  id: number
  /** ISO 8601 with UTC offset */
  created_at: string
  /** ISO 8601 with UTC offset */
  updated_at: string
  name: string
  /** the user with every permission on the account */
  owner_id: number | null
}

export interface NewAccount {
  /** name of the account */
  name: string
}

export interface AccountDeletion {
  /** the account that would be deleted */
  account_id: number
  name: string
  /** its businesses */
  businesses: number
  /** its sites, with everything measured of them */
  sites: number
  /** its people, who can log in no more */
  users: number
  /** what people of other accounts may see of it */
  abilities: number
  /** links to its sites */
  share_links: number
  /** its report schedules */
  schedules: number
  /** its mails that wait */
  mails: number
  /** its uploaded files that wait or are being stored */
  uploads: number
  /** until when the operator can bring it back; null if that has no end */
  kept_until: string | null
  /** what confirms this deletion */
  confirm: string
}

export interface ChangedOwner {
  /** a user of this account */
  user_id: number
}

export interface Customer {
  /** its account */
  account_id: number
  name: string
  /** in which pages count its days */
  time_zone: string
  /** whose way of writing dates and numbers people see who have chosen none; null: that of their browser */
  region: string | null
  /** labels separated by commas; null: has none */
  tags: string | null
  /** since when no mail goes to it; null: it is not archived */
  archived_at: string | null
  active_businesses: number
  deactivated_businesses: number
  /** those of them that come back when the customer is reactivated */
  deactivated_together: number
}

export interface NewCustomer {
  /** of the account and of its business */
  name: string
  /** of its first site */
  domain: string
  /** of further sites, separated by commas */
  domains?: string
  /** phrases that are tracked for the first site, separated by commas */
  keywords?: string
  /** domains of competitors of the first site, separated by commas */
  competitors?: string
  /** labels separated by commas */
  tags?: string
  /** a name such as Europe/Berlin, or UTC */
  time_zone?: string
  /** your own id of the account */
  external_id?: string
  /** name of the person */
  contact?: string
  /** of the person, who becomes a user that may see the account and gets a mail with a link to log in */
  email?: string
  /** how often the person gets the reports by mail: `weekly` or `monthly` */
  rhythm?: 'weekly' | 'monthly'
}

export interface ChangedCustomer {
  /** a name such as Europe/Berlin, or UTC */
  time_zone?: string
  /** whose way of writing dates and numbers: `AT`, `AU`, `BE`, `CA`, `CH`, `DE`, `DK`, `FI`, `GB`, `IE`, `IN`, `NL`, `NZ`, `SE`, `SG`, `US`, `ZA`; blank takes it away */
  region?: string
  /** labels separated by commas; blank takes them away */
  tags?: string
}

export interface Site {
  /** assigned by the service */
  id: number
  /** ISO 8601 with UTC offset */
  created_at: string
  /** ISO 8601 with UTC offset */
  updated_at: string
  /** owning account */
  account_id: number
  /** owning business */
  business_id: number
  /** lower case, punycode; unique in the account */
  domain: string
}

export interface NewSite {
  /** business to attach the site to */
  business_id: number
  /** kept in lower case and punycode; unique in the account */
  domain: string
}

export interface ChangedSite {
  /** another business of the same account */
  business_id?: number
  /** kept in lower case and punycode; unique in the account */
  domain?: string
}

export interface Keyword {
  /** assigned by the service */
  id: number
  /** owning site */
  site_id: number
  phrase: string
  /** searches in a month, as it was last told; null: not known */
  search_volume: number | null
  /** labels separated by commas, as they were last told; null: has none */
  tags: string | null
}

export interface NewKeyword {
  /** kept without blanks around it */
  phrase: string
}

export interface Competitor {
  /** assigned by the service */
  id: number
  /** owning site */
  site_id: number
  /** lower case, punycode */
  domain: string
  /** ISO 8601 with UTC offset */
  created_at: string
}

export interface NewCompetitor {
  /** kept in lower case and punycode */
  domain: string
}

export interface Page {
  /** assigned by the service */
  id: number
  /** owning site */
  site_id: number
  /** whose page it is; null: the site's own */
  competitor_id: number | null
  source: string
  page_url: string
  /** 0 to 100 */
  match_confidence: number
  /** YYYY-MM-DD */
  last_updated: string
  /** ISO 8601 with UTC offset */
  created_at: string
}

export interface NewPage {
  /** a competitor of the site; left out: the page is the site's own */
  competitor_id?: number | null
  /** who runs the page, such as `google` */
  source: string
  /** URL */
  page_url: string
}

export interface Review {
  id: number
  page_id: number
  /** 1 to 5 */
  rating: number
  /** UTC timestamp */
  created_at: string
  business_name: string
  /** -100 to 100 */
  sentiment_score: number
  /** URL */
  url: string
  /** the reviewer's number of reviews */
  total: number
  header: string
  /** YYYY-MM-DD */
  date: string
  /** free text of the review */
  detail: string
  /** reviewer label */
  user: string
  /** value seen: `google` */
  source: string
  /** a language tag */
  language: string | null
  /** what the owner of the business answered */
  answer: string | null
}

export interface Location {
  /** assigned by the service */
  id: number
  /** owning account */
  account_id: number
  /** the site whose location it is */
  site_id: number
  /** null: has none */
  twitter_page: string | null
  /** null: has none */
  facebook_page: string | null
  /** ISO 8601 with UTC offset */
  created_at: string
}

export interface NewLocation {
  /** a site of one of your accounts */
  site_id: number
  /** left out: has none */
  twitter_page?: string
  /** left out: has none */
  facebook_page?: string
}

export interface ChangedLocation {
  /** empty takes it away */
  twitter_page?: string
  /** empty takes it away */
  facebook_page?: string
}

export interface External {
  /** our id of the record */
  id: number
  /** the partner's own id; null: none was given */
  external_id: string | null
}

export interface ChangedExternal {
  /** unique for the partner and kind of record; empty takes it away */
  external_id?: string
}

export interface Annotation {
  /** assigned by the service */
  id: number
  /** the site whose charts show it */
  site_id: number
  /** YYYY-MM-DD */
  day: string
  text: string
  /** ISO 8601 with UTC offset */
  created_at: string
}

export interface NewAnnotation {
  /** a site of one of your accounts */
  site_id: number
  /** YYYY-MM-DD */
  day: string
  /** what happened */
  text: string
}

export interface ShareLink {
  /** assigned by the service */
  id: number
  /** the site whose pages it opens */
  site_id: number
  /** for whom or what it was made */
  label: string
  /** whether it asks for a password */
  has_password: boolean
  /** ISO 8601 with UTC offset */
  created_at: string
  /** ISO 8601 with UTC offset */
  expires_at: string
  /** ISO 8601 with UTC offset */
  revoked_at: string | null
  /** to the minute */
  last_used_at: string | null
}

export interface FreshShareLink {
  /** shown this once; keep it now */
  url: string
  /** assigned by the service */
  id: number
  /** the site whose pages it opens */
  site_id: number
  /** for whom or what it was made */
  label: string
  /** whether it asks for a password */
  has_password: boolean
  /** ISO 8601 with UTC offset */
  created_at: string
  /** ISO 8601 with UTC offset */
  expires_at: string
  /** ISO 8601 with UTC offset */
  revoked_at: string | null
  /** to the minute */
  last_used_at: string | null
}

export interface NewShareLink {
  /** a site of one of your accounts */
  site_id: number
  /** for whom or what it is */
  label?: string
  /** how long it works, 1 to 366; 30 when it is left out */
  days?: number
  /** what it asks for; without one the link alone is enough */
  password?: string
}

export interface Schedule {
  /** assigned by the service */
  id: number
  /** the account whose sites are reported */
  account_id: number
  rhythm: 'weekly' | 'monthly'
  /** `automatic`: it goes by itself; `unless_wrong`: it waits for somebody at the desk where nothing was measured lately or a file had faults; `by_hand`: it always waits */
  release: 'automatic' | 'unless_wrong' | 'by_hand'
  /** ISO 8601 with UTC offset */
  created_at: string
  sites: ScheduleSite[]
  recipients: ScheduleRecipient[]
}

export interface ScheduleSite {
  id: number
}

export interface ScheduleRecipient {
  email: string
  /** `unconfirmed` until they have agreed */
  state: 'active' | 'unconfirmed' | 'unsubscribed'
}

export interface NewSchedule {
  /** weeks from Monday, or calendar months */
  rhythm: 'weekly' | 'monthly'
  /** email addresses, separated by commas; at most 20 for an account */
  recipients: string
  /** ids of sites of the account, separated by commas; every site unless given */
  site_ids?: string
  /** who lets it go; what the partner has chosen for new schedules unless given */
  release?: 'automatic' | 'unless_wrong' | 'by_hand'
}

export interface ChangedSchedule {
  /** another rhythm */
  rhythm?: 'weekly' | 'monthly'
  /** the whole list from now on, separated by commas; who is on it already stays as they are */
  recipients?: string
  /** the whole list from now on, separated by commas; empty: every site */
  site_ids?: string
  /** who lets it go */
  release?: 'automatic' | 'unless_wrong' | 'by_hand'
}

export interface Suppression {
  /** assigned by the service */
  id: number
  /** first letter and domain; empty once the person was erased */
  address: string
  /** `unsubscribed`: they are not asked again; `refused`: the mail server has said on two days that there is no such address, so that it gets neither reports nor questions nor invitations */
  reason: 'unsubscribed' | 'refused'
  /** ISO 8601 with UTC offset */
  created_at: string
}

export interface Key {
  /** assigned by the service */
  id: number
  /** the part of the key that may be shown; it names the key in logs */
  public_part: string
  label: string
  /** words separated by blanks */
  scopes: string
  /** ids separated by commas: the accounts it is limited to; null: all */
  account_ids: string | null
  /** ISO 8601 with UTC offset */
  created_at: string
  /** to the minute */
  last_used_at: string | null
  /** ISO 8601 with UTC offset */
  expires_at: string | null
  /** ISO 8601 with UTC offset */
  revoked_at: string | null
}

export interface FreshKey {
  /** shown this once; keep it now */
  key: string
  /** shown this once; keep it now */
  password: string
  /** assigned by the service */
  id: number
  /** the part of the key that may be shown; it names the key in logs */
  public_part: string
  label: string
  /** words separated by blanks */
  scopes: string
  /** ids separated by commas: the accounts it is limited to; null: all */
  account_ids: string | null
  /** ISO 8601 with UTC offset */
  created_at: string
  /** to the minute */
  last_used_at: string | null
  /** ISO 8601 with UTC offset */
  expires_at: string | null
  /** ISO 8601 with UTC offset */
  revoked_at: string | null
}

export interface NewKey {
  /** what it is for */
  label?: string
  /** words separated by blanks or commas; only those of this key, and never `keys` or `staff` */
  scopes: string
  /** ids separated by commas, at most 200; left out: those of this key */
  account_ids?: string
  /** how long it lives, 1 to 3650; left out: as long as this key */
  days?: number
}

export interface NewRotation {
  /** how long the old key lives on, 0 to 30; 7 when it is left out */
  grace_days?: number
}

export interface Token {
  /** assigned by the service */
  id: number
  /** the part of the token that may be shown */
  public_part: string
  /** the account that it reads, or that of its site */
  account_id: number
  /** the site that it reads; null: every site of the account */
  site_id: number | null
  /** ISO 8601 with UTC offset */
  created_at: string
  /** ISO 8601 with UTC offset */
  expires_at: string
  /** ISO 8601 with UTC offset */
  revoked_at: string | null
}

export interface FreshToken {
  /** shown this once: `Authorization: Bearer TOKEN` */
  token: string
  /** assigned by the service */
  id: number
  /** the part of the token that may be shown */
  public_part: string
  /** the account that it reads, or that of its site */
  account_id: number
  /** the site that it reads; null: every site of the account */
  site_id: number | null
  /** ISO 8601 with UTC offset */
  created_at: string
  /** ISO 8601 with UTC offset */
  expires_at: string
  /** ISO 8601 with UTC offset */
  revoked_at: string | null
}

export interface NewToken {
  /** a site in reach of the key; this or `account_id` is needed */
  site_id?: number
  /** an account in reach of the key */
  account_id?: number
  /** how long it lives, 1 to 1440; 60 when it is left out */
  minutes?: number
}

export interface Editor {
  /** the account */
  account_id: number
  /** who edits it */
  user_id: number
  /** ISO 8601 with UTC offset */
  created_at: string
}

export interface Colleague {
  /** the account */
  account_id: number
  /** somebody of the staff; null: nobody */
  staff_id: number | null
}

export interface ChangedColleague {
  /** somebody of the staff */
  staff_id: number
}

export interface StaffMember {
  /** that of the user */
  id: number
  email: string
  login: string
  name: string
  /** of the user */
  state: 'passive' | 'pending' | 'active' | 'suspended' | 'deleted'
  /** `admin`: everything; `member`: everything except what concerns the staff, keys and the brand */
  role: 'admin' | 'member'
  /** `all`, now and later, or the `assigned` ones */
  customers: 'all' | 'assigned'
  /** how many customers are assigned to them */
  looks_after: number
  last_login_at: string | null
  /** when they joined */
  created_at: string
}

export interface StaffInvitation {
  /** assigned by the service */
  id: number
  email: string
  role: 'admin' | 'member'
  customers: 'all' | 'assigned'
  /** ISO 8601 with UTC offset */
  created_at: string
  /** seven days later */
  expires_at: string
}

export interface NewStaffInvitation {
  /** unique across the system */
  email: string
  /** `admin` or `member` */
  role: 'admin' | 'member'
  /** `all` or `assigned`; all when it is left out */
  customers?: 'all' | 'assigned'
}

export interface ChangedStaffMember {
  /** `admin` or `member` */
  role?: 'admin' | 'member'
  /** `all` or `assigned`; an admin has all */
  customers?: 'all' | 'assigned'
}

export interface Brand {
  /** what pages and mails call the service */
  name: string
  /** the sender of mails */
  sender_name: string
  /** an email address or an https address, for those who need help */
  support: string | null
  /** a colour such as #0a7d5b; null: the colour of the service */
  accent: string | null
  /** where the pages are; null: at the address of the service */
  host_name: string | null
  /** where the picture is; null: has none */
  logo: string | null
  /** where the picture for dark pages is; null: has none */
  dark_logo: string | null
  /** where the picture is; null: has none */
  favicon: string | null
}

export interface ChangedBrand {
  /** what pages and mails call the service; blank: the name below it in line */
  name?: string
  /** the sender of mails; blank: as the name */
  sender_name?: string
  /** an email address or an https address; blank takes it away */
  support?: string
  /** a colour such as #0a7d5b; blank takes it away */
  accent?: string
  /** a PNG, JPEG or WebP of at most 200 KB, in base64; blank takes it away */
  logo?: string
  /** the same for dark pages */
  dark_logo?: string
  /** a PNG, JPEG, WebP or ICO of at most 200 KB, in base64; blank takes it away */
  favicon?: string
}

export interface Usage {
  /** how many reads a minute all keys of the partner have together; null: no limit */
  reads_per_minute: number | null
  /** how many writes a minute all keys of the partner have together; null: no limit */
  writes_per_minute: number | null
  days: UsageDay[]
}

export interface UsageDay {
  /** the day, in UTC */
  date: string
  /** requests that were answered, the refused ones too */
  requests: number
  /** those of them that were refused: answered with 4xx */
  refused: number
  /** those of the refused that came too fast: answered with 429 */
  rate_limited: number
  /** measured records that were taken in, the unchanged ones too */
  records: number
}

export interface EventFeed {
  /** for `after` of the next request, also where there was no event */
  cursor: string
  /** whether there may be further events already: ask again at once */
  more: boolean
  events: EventFeedEvent[]
}

export interface EventFeedEvent {
  /** unique; the same when the event is sent again */
  id: string
  /** what happened */
  type: 'user.created' | 'user.updated' | 'user.state_changed' | 'user.abilities_changed' | 'user.deleted' | 'business.created' | 'business.updated' | 'business.deactivated' | 'business.reactivated' | 'business.deleted' | 'account.created' | 'account.updated' | 'account.deleted' | 'account.restored' | 'site.created' | 'site.updated' | 'site.deleted' | 'key.issued' | 'key.rotated' | 'key.revoked' | 'intake.completed' | 'intake.failed' | 'intake.parked' | 'intake.undone'
  /** when it happened; ISO 8601 with UTC offset */
  created_at: string
  /** the account concerned; null where it is about the partner itself, or about several accounts */
  account_id: number | null
  /** the id of the record that the first word of the type names */
  record_id: number
  /** names of the fields that changed, separated by commas; null where the type says it all */
  changed: string | null
  /** goes on after this event */
  cursor: string
}

export interface Bulk {
  /** operations in the request */
  received: number
  done: number
  refused: number
  results: BulkResult[]
}

export interface BulkResult {
  /** place of the operation in the request, counted from 0 */
  index: number
  /** what the operation would have been answered by itself; 424: undone with another one, because of `atomic` */
  status: number
  /** of the record that was created or changed */
  id: number | null
  errors: BulkError[]
}

export interface BulkError {
  /** as in the body of an error */
  code: string
  /** the field at fault; empty where the operation as a whole is meant */
  field: string
  message: string
}

export interface NewOperation {
  /** what is created or changed */
  kind: 'business' | 'site' | 'user' | 'account'
  /** which record to change; left out, one is created */
  id?: number | null
  /** your own id of what is created */
  external_id?: string | null
  /** of a business or an account; of a user, when changed */
  name?: string
  /** of a user */
  email?: string | null
  /** of a user */
  login?: string | null
  /** of a user */
  password?: string | null
  /** of a user, or of a business that is created */
  account_id?: number | null
  /** of a site */
  business_id?: number | null
  /** of a site */
  domain?: string | null
}

export interface SeoReport {
  accounts: Record<string, SeoReportAccount>[]
}

export interface SeoReportAccount {
  sites: Record<string, SeoReportSite>[]
}

export interface SeoReportSite {
  /** seconds */
  download_time: number
  pages_indexed_in_google: number
  pages_indexed_in_bing: number
  pages_indexed_in_yahoo: number
  domain_authority: number | null
  backlink_count: number
  domain_count: number
  /** days */
  domain_age: number
  backlinks: SeoReportBacklink[]
  keywords: Record<string, SeoReportRanking[]>[]
  competitors: Record<string, SeoReportCompetitor>[]
}

export interface SeoReportBacklink {
  domain: string
  /** YYYY-MM-DD */
  found_on: string
  link_strength: number
  /** URL */
  source_url: string
  domain_authority: number
  anchor_text: string
}

export interface SeoReportRanking {
  /** a language-region tag */
  locale: string
  /** values seen: `Bing`, `Yahoo`, `Google` */
  search_engine: string
  /** only with `series=all`, of what was measured on a device or from a location */
  device?: string
  /** together with `device` */
  location?: string
  /** format `YYYY-MM-DD HH:MM:SS` */
  ranked_at: string
  /** null: looked for and not found */
  rank: number | null
}

export interface SeoReportCompetitor {
  backlink_count: number
  backlinks: SeoReportBacklink[]
  domain_count: number
  /** days */
  domain_age: number
  keywords: Record<string, SeoReportRanking[]>[]
}

export interface ReputationReportDetail {
  id: number
  sites: ReputationReportDetailSite[]
}

export interface ReputationReportDetailSite {
  id: number
  location: ReputationReportDetailLocation
}

export interface ReputationReportDetailLocation {
  id: number
  /** UTC timestamp */
  created_at: string
  twitter_page: string | null
  facebook_page: string | null
  pages: ReputationReportDetailPage[]
}

export interface ReputationReportDetailPage {
  id: number
  /** URL */
  page_url: string
  /** UTC timestamp */
  created_at: string
  /** 0 to 100 */
  match_confidence: number
  location_id: number
  /** YYYY-MM-DD */
  last_updated: string
  /** value seen: `google` */
  source: string
  reviews: ReputationReportDetailReview[]
}

export interface ReputationReportDetailReview {
  id: number
  page_id: number
  /** 1 to 5 */
  rating: number
  /** UTC timestamp */
  created_at: string
  business_name: string
  /** -100 to 100 */
  sentiment_score: number
  /** URL */
  url: string
  /** the reviewer's number of reviews */
  total: number
  header: string
  /** YYYY-MM-DD */
  date: string
  /** free text of the review */
  detail: string
  /** reviewer label */
  user: string
  /** value seen: `google` */
  source: string
}

export interface ReputationReportCounts {
  id: number
  sites: ReputationReportCountsSite[]
}

export interface ReputationReportCountsSite {
  id: number
  location: ReputationReportCountsLocation
}

export interface ReputationReportCountsLocation {
  id: number
  /** UTC timestamp */
  created_at: string
  competitors: ReputationReportCountsCompetitor[]
  pages: ReputationReportCountsPage[]
}

export interface ReputationReportCountsCompetitor {
  id: number
  /** UTC timestamp */
  created_at: string
  pages: ReputationReportCountsPage[]
}

export interface ReputationReportCountsPage {
  id: number
  /** URL */
  page_url: string
  /** UTC timestamp */
  created_at: string
  /** 0 to 100 */
  match_confidence: number
  /** YYYY-MM-DD */
  last_updated: string
  /** values seen: `google`, `bing` */
  source: string
  review_counts: ReputationReportCountsReviewCount[]
}

export interface ReputationReportCountsReviewCount {
  /** UTC timestamp */
  created_at: string
  page_id: number
  /** YYYY-MM-DD */
  date: string
  /** reviews dated that day */
  count: number
  /** sum of their ratings */
  rating_sum: number
  /** values seen: `google`, `citysearch` */
  source: string
}

export interface Summary {
  /** the site */
  site_id: number
  domain: string
  business_name: string
  /** `active` or `deactivated` */
  business_state: 'active' | 'deactivated'
  /** the account */
  account_id: number
  account_name: string
  /** first day of the period, in the time zone of the account */
  start_date: string
  /** last day */
  end_date: string
  /** first day of the period it is compared with; null: nothing is compared */
  compared_start_date: string | null
  /** last day */
  compared_end_date: string | null
  /** the last day with a ranking, in any period */
  measured_on: string | null
  /** keywords with a rank at the end of the period */
  keywords_measured: number
  /** those of them that are found */
  keywords_found: number
  /** those on place 1 to 3 */
  keywords_top_3: number
  /** those on place 1 to 10 */
  keywords_top_10: number
  /** among the keywords measured at both ends */
  keywords_top_10_change: number | null
  /** found at the end of the compared period, and not found now */
  keywords_lost: number | null
  /** 0 to 100: the worth of the places, on average */
  visibility: number | null
  /** points, over what was measured at both ends */
  visibility_change: number | null
  /** over all measurements of the period */
  visibility_mean: number | null
  /** of what is found */
  average_position: number | null
  /** places gained, over what was found at both ends; above 0 is better */
  average_position_change: number | null
  /** of all reviews up to the end, 1 to 5 */
  rating: number | null
  /** since the end of the compared period */
  rating_change: number | null
  /** in the period; null: no review is known at all */
  new_reviews: number | null
  /** listed reviews of one and two stars in the period */
  low_reviews: number
  /** why it may need attention, the gravest first, separated by blanks: `stale`, `lost`, `bad-reviews`, `gap`, `lost-inside`, `left-top-10`, `rating` */
  attention: string
}

export interface SiteSummary {
  /** the site */
  site_id: number
  domain: string
  business_name: string
  /** `active` or `deactivated` */
  business_state: 'active' | 'deactivated'
  /** the account */
  account_id: number
  account_name: string
  /** first day of the period, in the time zone of the account */
  start_date: string
  /** last day */
  end_date: string
  /** first day of the period it is compared with; null: nothing is compared */
  compared_start_date: string | null
  /** last day */
  compared_end_date: string | null
  /** the last day with a ranking, in any period */
  measured_on: string | null
  /** keywords with a rank at the end of the period */
  keywords_measured: number
  /** those of them that are found */
  keywords_found: number
  /** those on place 1 to 3 */
  keywords_top_3: number
  /** those on place 1 to 10 */
  keywords_top_10: number
  /** among the keywords measured at both ends */
  keywords_top_10_change: number | null
  /** found at the end of the compared period, and not found now */
  keywords_lost: number | null
  /** 0 to 100: the worth of the places, on average */
  visibility: number | null
  /** points, over what was measured at both ends */
  visibility_change: number | null
  /** over all measurements of the period */
  visibility_mean: number | null
  /** of what is found */
  average_position: number | null
  /** places gained, over what was found at both ends; above 0 is better */
  average_position_change: number | null
  /** of all reviews up to the end, 1 to 5 */
  rating: number | null
  /** since the end of the compared period */
  rating_change: number | null
  /** in the period; null: no review is known at all */
  new_reviews: number | null
  /** listed reviews of one and two stars in the period */
  low_reviews: number
  /** why it may need attention, the gravest first, separated by blanks: `stale`, `lost`, `bad-reviews`, `gap`, `lost-inside`, `left-top-10`, `rating` */
  attention: string
  /** the latest count */
  backlinks: number | null
  /** since the end of the compared period */
  backlinks_change: number | null
  /** found in the period */
  new_backlinks: number
  /** the latest */
  domain_authority: number | null
  /** of all keywords in the period; null: not measured */
  clicks: number | null
  /** all up to the end of the period */
  reviews: number
  /** the Monday of the last week with a measurement, of which the distribution is */
  distribution_week: string | null
  distribution: SiteSummaryBand[]
  better: SiteSummaryMove[]
  /** all keywords on their engines that stand better than at the end of the compared period */
  better_count: number
  worse: SiteSummaryMove[]
  /** all that stand worse */
  worse_count: number
  gaps: SiteSummaryGap[]
  competitors: SiteSummaryCompetitor[]
  sources: SiteSummarySource[]
  low_review_quotes: SiteSummaryReview[]
  own_figures: SiteSummaryOwnFigure[]
}

export interface SiteSummaryBand {
  /** `1`, `2-3`, `4-10`, `11-20`, `21-50`, `51-100`, `101` (beyond 100) or `none` (not found) */
  positions: string
  /** keywords, counted on each engine and locale */
  amount: number
}

export interface SiteSummaryMove {
  keyword_id: number
  phrase: string
  /** with device and location, if it is measured on one */
  search_engine: string
  locale: string
  /** null: not found */
  rank_before: number | null
  /** null: not found */
  rank: number | null
}

export interface SiteSummaryGap {
  /** first day without a measurement, although one was due */
  start_date: string
  /** last day */
  end_date: string
  days: number
  /** where only one engine lacks them */
  search_engine: string | null
}

export interface SiteSummaryCompetitor {
  domain: string
  /** on the keywords measured for both */
  visibility: number
  /** of the site on the same keywords */
  own_visibility: number | null
}

export interface SiteSummarySource {
  source: string
  rating: number | null
  reviews: number
  new_reviews: number
}

export interface SiteSummaryReview {
  date: string
  rating: number
  source: string
  /** as much as is read at a glance */
  quote: string
}

export interface SiteSummaryOwnFigure {
  figure: string
  unit: string
  /** the sum of the period; of a share (%) the average */
  value: number
  /** with a value */
  days: number
}

export interface Ranking {
  /** the keyword */
  keyword_id: number
  phrase: string
  /** separated by commas; null: none */
  tags: string | null
  search_engine: string
  locale: string
  /** empty: none is told */
  device: string
  /** empty: none is told */
  location: string
  /** UTC, `YYYY-MM-DD HH:MM:SS` */
  ranked_at: string
  /** null: looked for and not found */
  rank: number | null
}

export interface Observations {
  /** records in the body */
  received: number
  created: number
  /** there was one with the same key and other figures */
  updated: number
  /** there was one with the same key and the same figures */
  unchanged: number
  /** what the records needed and nobody had sent: the location of a page */
  also_created: number
  refused: number
  refusals: ObservationsRefusal[]
}

export interface ObservationsRefusal {
  /** place of the record in the body, counted from 0 */
  index: number
  /** the field at fault; empty where the record as a whole is meant */
  field: string
  /** what is wrong; every code stands on the page of errors */
  code: 'blank' | 'null' | 'not_text' | 'not_an_integer' | 'not_a_number' | 'not_a_date' | 'not_a_time' | 'not_a_url' | 'not_a_domain' | 'before_start' | 'out_of_range' | 'too_long' | 'control_character' | 'not_one_line' | 'not_a_word' | 'not_one_of' | 'unheld' | 'unknown_field' | 'unknown_type' | 'unknown' | 'ambiguous' | 'too_many' | 'not_read' | 'none_good' | 'too_many_faults' | 'not_json' | 'not_json_array' | 'not_utf8' | 'already_utf8' | 'not_utf16' | 'binary' | 'line_too_long' | 'not_csv' | 'cells' | 'columns' | 'doubled_key' | 'not_a_country' | 'several_countries' | 'empty' | 'archive' | 'archive_within' | 'packed_files' | 'locked' | 'unsafe_name' | 'broken_workbook' | 'sheets' | 'packed' | 'workbook' | 'pdf' | 'web_page' | 'truncated' | 'unfolds_too_much' | 'saved_report' | 'never_fall' | 'conflict' | 'not_a_report' | 'not_an_export' | 'known_review' | 'key_revoked' | 'unmapped_rival' | 'unmapped'
  message: string
}

export interface Mapping {
  /** by which an upload names it */
  name: string
  options: MappingOption[]
  /** when it was saved last */
  updated_at: string
}

export interface MappingOption {
  /** as of the parameter of an upload */
  name: string
  /** values of `set` are separated by line breaks; a flag is 1 */
  value: string
}

export interface ChangedMapping {
  /** its new name */
  name: string
}

export interface Intake {
  /** assigned by the service */
  id: number
  /** the account it is for; null where it is for all */
  account_id: number | null
  /** the way it came */
  via: 'import' | 'push' | 'upload' | 'source'
  /** how far it has come */
  state: 'waiting' | 'checking' | 'storing' | 'stored' | 'checked' | 'refused' | 'parking' | 'parked' | 'cancelling' | 'cancelled' | 'interrupted' | 'undoing' | 'undone'
  /** why it is parked or could not be undone yet, or was cancelled by itself */
  reason: string | null
  /** as the sender named it */
  file_name: string | null
  /** of the bytes as they came */
  sha256: string | null
  /** size of the file */
  bytes: number | null
  /** how many of them have been read */
  bytes_read: number
  /** lines that were checked */
  lines: number
  /** records that were stored, the unchanged ones too */
  stored: number
  /** records at fault */
  refused: number
  /** the preset that the header showed, where none was told */
  recognised_as: string | null
  /** the same in words */
  looks_like: string | null
  kinds: IntakeKind[]
  faults: IntakeFault[]
  notices: IntakeNotice[]
  /** records that undoing has taken back */
  undone: number
  /** records that undoing left alone, because something else has changed or needs them */
  left: number
  left_alone: IntakeRecord[]
  preview: IntakePreview
  /** when it came */
  created_at: string
  /** when it was stored, refused, cancelled or lost */
  ended_at: string | null
  /** when it was undone */
  undone_at: string | null
}

export interface IntakeKind {
  /** kind of record */
  kind: 'site' | 'competitor' | 'location' | 'keyword' | 'snapshot' | 'backlink' | 'ranking' | 'click_count' | 'average_position' | 'period' | 'own_figure' | 'page' | 'review' | 'review_count'
  /** records of this kind in the file */
  accepted: number
  created: number
  /** there was one with the same key and other figures */
  updated: number
  /** there was one with the same key and the same figures */
  unchanged: number
}

export interface IntakeFault {
  /** line of the file, counted from 1 */
  line: number
  /** the field at fault; empty where the line as a whole is meant */
  field: string
  /** what is wrong; every code stands on the page of errors */
  code: 'blank' | 'null' | 'not_text' | 'not_an_integer' | 'not_a_number' | 'not_a_date' | 'not_a_time' | 'not_a_url' | 'not_a_domain' | 'before_start' | 'out_of_range' | 'too_long' | 'control_character' | 'not_one_line' | 'not_a_word' | 'not_one_of' | 'unheld' | 'unknown_field' | 'unknown_type' | 'unknown' | 'ambiguous' | 'too_many' | 'not_read' | 'none_good' | 'too_many_faults' | 'not_json' | 'not_json_array' | 'not_utf8' | 'already_utf8' | 'not_utf16' | 'binary' | 'line_too_long' | 'not_csv' | 'cells' | 'columns' | 'doubled_key' | 'not_a_country' | 'several_countries' | 'empty' | 'archive' | 'archive_within' | 'packed_files' | 'locked' | 'unsafe_name' | 'broken_workbook' | 'sheets' | 'packed' | 'workbook' | 'pdf' | 'web_page' | 'truncated' | 'unfolds_too_much' | 'saved_report' | 'never_fall' | 'conflict' | 'not_a_report' | 'not_an_export' | 'known_review' | 'key_revoked' | 'unmapped_rival' | 'unmapped'
  message: string
}

export interface IntakeNotice {
  /** what was stored otherwise than it is called in the file */
  message: string
}

export interface IntakeRecord {
  /** kind of record */
  kind: string
  /** which record: its site, what it is called there, and its day */
  what: string
  /** why it stays: which later intake delivered it too, or what hangs on it */
  why: string
}

export interface IntakePreview {
  /** how far it has come; `outdated` once something of the accounts has changed since */
  state: 'none' | 'working' | 'done' | 'outdated'
  /** as of when it was told */
  as_of: string | null
  /** whether what people added goes too */
  with_people: boolean
  /** records that would go, or be as before */
  goes: number
  /** records that would stay as they are */
  stays: number
  going: IntakeGoingRecord[]
  staying: IntakeRecord[]
  /** why it tells less than an undo would do */
  note: string | null
}

export interface IntakeGoingRecord {
  /** kind of record */
  kind: string
  /** which record: its site, what it is called there, and its day */
  what: string
  /** whether it goes, or is again as it was before the intake */
  becomes: 'gone' | 'as before'
}

export interface RefusedLine {
  /** line of the file, counted from 1 */
  line: number
  /** the file of an archive in which it is */
  file: string | null
  /** the line as CSV, or the record as JSON */
  text: string
  /** what is wrong with it */
  why: string
}

export interface Source {
  /** assigned by the service */
  id: number
  /** the account for whose sites it fetches; null where it is for all of the partner */
  account_id: number | null
  /** what it fetches: `site` measures the sites themselves */
  kind: 'site'
  /** how often, at a minute of its own for each site, in the time zone of the account */
  rhythm: 'daily' | 'weekly' | 'monthly'
  /** a resting source fetches nothing */
  state: 'active' | 'resting'
  /** why it rests */
  reason: string | null
  /** sites that it has found */
  sites: number
  /** those of them whose last run failed */
  failing: number
  last_run_at: string | null
  next_run_at: string | null
  created_at: string
  updated_at: string
}

export interface NewSource {
  /** what it fetches */
  kind: 'site'
  /** only for the sites of this account; without it for all of the partner, now and later */
  account_id?: number
  /** how often; `daily` when it is left out */
  rhythm?: 'daily' | 'weekly' | 'monthly'
}

export interface ChangedSource {
  /** how often */
  rhythm?: 'daily' | 'weekly' | 'monthly'
  /** `active` starts it and makes it yours, `resting` stops it */
  state?: 'active' | 'resting'
}

export interface SourceSite {
  /** for the cursor of the list */
  id: number
  site_id: number
  account_id: number
  domain: string
  is_running: boolean
  /** when the last run ended */
  ran_at: string | null
  /** when something came last */
  came_at: string | null
  /** when it is due */
  next_at: string
  failing_since: string | null
  /** what the last run could not get, and why */
  reason: string | null
  /** the intake of the last run that brought something, by which it is undone */
  intake_id: number | null
  figures: SourceSiteFoundFigure[]
}

export interface SourceSiteFoundFigure {
  /** `download_time`, `status`, `certificate_days`, `sitemap_addresses` or `domain_age` */
  name: string
  /** seconds, a status, days, addresses */
  value: number
}

/** A site. It must exist, or `--create-missing` creates it, and its business where none of that name exists. A site that exists keeps its business. */
export interface SiteObservation {
  type: 'site'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** name of its business */
  business?: string
}

/** A competitor of a site, known by its domain. */
export interface CompetitorObservation {
  type: 'competitor'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of the competitor */
  competitor: string
  /** creation time of the record */
  created_at?: string
}

/** The physical location of a site, to which its pages belong. */
export interface LocationObservation {
  type: 'location'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** null: has none */
  twitter_page?: string | null
  /** null: has none */
  facebook_page?: string | null
  /** creation time of the record */
  created_at?: string
}

/** A phrase whose rankings are tracked. */
export interface KeywordObservation {
  type: 'keyword'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** stored without white space around it */
  phrase: string
  /** searches per month; null: unknown */
  search_volume?: number | null
  /** null: has none */
  tags?: string | null
}

/** The figures of a site or competitor on a day. A figure that is left out keeps its stored value. */
export interface SnapshotObservation {
  type: 'snapshot'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** the day of the measurement */
  day: string
  /** seconds */
  download_time?: number
  pages_indexed_in_google?: number
  pages_indexed_in_bing?: number
  pages_indexed_in_yahoo?: number
  /** null: has none */
  domain_authority?: number | null
  backlink_count?: number
  domain_count?: number
  /** days */
  domain_age?: number
}

/** A link to a site or competitor, found on a day. */
export interface BacklinkObservation {
  type: 'backlink'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** the domain of the linking page */
  domain?: string
  found_on: string
  link_strength: number
  /** the page that links */
  source_url: string
  /** of the linking domain */
  domain_authority: number
  /** may be empty */
  anchor_text?: string
}

/** The position of a keyword on one engine at one time, on one device and from one location if they are told. */
export interface RankingObservation {
  type: 'ranking'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** the keyword */
  phrase: string
  search_engine: string
  /** a language-region tag */
  locale: string
  /** where it was looked for: `desktop`, `mobile`, `tablet` or another */
  device?: string
  /** from where it was looked for */
  location?: string
  ranked_at: string
  /** null: looked for and not found */
  rank: number | null
  /** the ranked page; null: none */
  url?: string | null
}

/** How often a keyword was shown on an engine on a day, and how often that was clicked: without locale, device and location, the total of the day. */
export interface ClickCountObservation {
  type: 'click_count'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** the keyword */
  phrase: string
  search_engine: string
  /** a language-region tag */
  locale?: string
  /** where it was looked for: `desktop`, `mobile`, `tablet` or another */
  device?: string
  /** from where it was looked for */
  location?: string
  date: string
  clicks: number
  impressions: number
}

/** The average position of a keyword on an engine on a day, with its fraction. It is no rank: reports do not have it. */
export interface AveragePositionObservation {
  type: 'average_position'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** the keyword */
  phrase: string
  search_engine: string
  /** a language-region tag */
  locale?: string
  /** where it was looked for: `desktop`, `mobile`, `tablet` or another */
  device?: string
  /** from where it was looked for */
  location?: string
  date: string
  average_position: number
}

/** Figures of a keyword over several days together. They stand beside those of days and are never added to them; reports do not have them. */
export interface PeriodObservation {
  type: 'period'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** the keyword */
  phrase: string
  search_engine: string
  /** a language-region tag */
  locale?: string
  /** where it was looked for: `desktop`, `mobile`, `tablet` or another */
  device?: string
  /** from where it was looked for */
  location?: string
  /** the first day */
  start_date: string
  /** the last day */
  end_date: string
  clicks?: number
  impressions?: number
  average_position?: number
}

/** A number of the customer's own on a day: calls, leads, direction requests. The page of its site and the mails show it; no report does. */
export interface OwnFigureObservation {
  type: 'own_figure'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** what is counted */
  figure: string
  /** in another unit it is another figure */
  unit?: string
  date: string
  value: number
  /** which way is good */
  better?: 'up' | 'down'
}

/** A page with reviews: of the site's location, or of a competitor. */
export interface PageObservation {
  type: 'page'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  source: string
  page_url: string
  match_confidence?: number
  last_updated?: string
  /** creation time of the record */
  created_at?: string
}

/** A review on a page. */
export interface ReviewObservation {
  type: 'review'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** the page */
  page_url: string
  /** source of the page */
  page_source?: string
  /** where the reviews are from */
  source: string
  /** the source's own id of the review */
  ref?: string
  rating: number
  date: string
  business_name?: string
  sentiment_score?: number
  url?: string
  /** the reviewer's number of reviews */
  total?: number
  /** may be empty */
  header?: string
  /** may be empty */
  detail?: string
  /** reviewer label; may be empty */
  user?: string
  /** a language tag; null: unknown */
  language?: string | null
  /** what the owner of the business answered; null: nothing */
  answer?: string | null
  /** creation time of the record */
  created_at?: string
}

/** How many reviews a page got on a day, and the sum of their ratings. */
export interface ReviewCountObservation {
  type: 'review_count'
  /** the account of the site, if its domain alone does not identify the site */
  account?: number
  /** domain of the site; left out when the import is for one site */
  site: string
  /** domain of a competitor of the site; left out for the site itself */
  competitor?: string
  /** the page */
  page_url: string
  /** source of the page */
  page_source?: string
  /** where the reviews are from */
  source: string
  date: string
  /** reviews dated that day */
  count: number
  /** sum of their ratings */
  rating_sum: number
  /** creation time of the record */
  created_at?: string
}

/** What was measured; `type` says of which kind. */
export type Observation = SiteObservation | CompetitorObservation | LocationObservation | KeywordObservation | SnapshotObservation | BacklinkObservation | RankingObservation | ClickCountObservation | AveragePositionObservation | PeriodObservation | OwnFigureObservation | PageObservation | ReviewObservation | ReviewCountObservation

/** RFC 9457, with the sentences by field as old clients read them. */
export interface Problem {
  type: string
  title: string
  status: number
  code: 'validation_failed' | 'malformed_body' | 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'conflict' | 'gone' | 'precondition_failed' | 'too_large' | 'unsupported_media_type' | 'expectation_failed' | 'misdirected' | 'idempotency_mismatch' | 'too_many_requests' | 'overloaded' | 'unavailable' | 'internal'
  request_id: string
  errors: Record<string, string[]>
  details: ProblemDetail[]
}

export interface ProblemDetail {
  code: 'blank' | 'not_an_integer' | 'too_short' | 'too_long' | 'invalid' | 'inclusion' | 'taken' | 'does_not_exist' | 'too_many' | 'not_one_line' | 'validation_failed' | 'malformed_body' | 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'conflict' | 'gone' | 'precondition_failed' | 'too_large' | 'unsupported_media_type' | 'expectation_failed' | 'misdirected' | 'idempotency_mismatch' | 'too_many_requests' | 'overloaded' | 'unavailable' | 'internal'
  field?: string
  pointer?: string
  message: string
}

/** How list users is narrowed. */
export interface ListUsersQuery {
  /** only the user with this login */
  login?: string
  /** only the user with this email */
  email?: string
  /** only users of this account */
  account_id?: number
  /** only the record with this id of your own */
  external_id?: string
  /** only users in this state */
  state?: 'passive' | 'active' | 'suspended'
}

/** How update a user's abilities is narrowed. */
export interface UpdateUserAbilitiesQuery {
  /** add the listed abilities to the existing ones */
  merge?: boolean
  /** remove the listed abilities */
  remove?: boolean
}

/** How explain a user's access is narrowed. */
export interface ExplainUserAccessQuery {
  /** `Account`, `Business` or `Site` */
  scope_type: 'Account' | 'Business' | 'Site'
  /** id of the account, business or site */
  scope_id: number
}

/** How list businesses is narrowed. */
export interface ListBusinessesQuery {
  /** only businesses of this account */
  account_id?: number
  /** only the record with this id of your own */
  external_id?: string
}

/** How create or update a business is narrowed. */
export interface CreateOrUpdateBusinessQuery {
  /** your own id of the business */
  external_id: string
}

/** How list managed accounts is narrowed. */
export interface ListManagedAccountsQuery {
  /** only the record with this id of your own */
  external_id?: string
}

/** How delete an account is narrowed. */
export interface DeleteAccountQuery {
  /** what a dry run of this deletion gave */
  confirm?: string
}

/** How create a customer is narrowed. */
export interface CreateCustomerQuery {
  /** login or email of somebody of your staff, who looks after the customer */
  colleague?: string
}

/** How list sites is narrowed. */
export interface ListSitesQuery {
  /** only sites of this account */
  account_id?: number
  /** only sites of this business */
  business_id?: number
  /** only sites with this domain */
  domain?: string
  /** only the record with this id of your own */
  external_id?: string
}

/** How list reviews is narrowed. */
export interface ListReviewsQuery {
  /** first day, YYYY-MM-DD */
  start_date?: string
  /** last day, YYYY-MM-DD */
  end_date?: string
}

/** How list locations is narrowed. */
export interface ListLocationsQuery {
  /** only locations of sites of this account */
  account_id?: number
  /** only the location of this site */
  site_id?: number
}

/** How list annotations is narrowed. */
export interface ListAnnotationsQuery {
  /** only annotations of this site */
  site_id?: number
  /** first day, YYYY-MM-DD */
  start_date?: string
  /** last day, YYYY-MM-DD */
  end_date?: string
}

/** How list share links is narrowed. */
export interface ListShareLinksQuery {
  /** only links to this site */
  site_id?: number
}

/** How list suppressed addresses is narrowed. */
export interface ListSuppressionsQuery {
  /** only this address */
  email?: string
}

/** How remove somebody from the staff is narrowed. */
export interface RemoveStaffMemberQuery {
  /** the colleague who takes over customers and links; needed if there are any */
  successor_id?: number
}

/** How show usage is narrowed. */
export interface ShowUsageQuery {
  /** first day, YYYY-MM-DD; by default, 31 days before the last */
  start_date?: string
  /** last day, YYYY-MM-DD; by default, today */
  end_date?: string
}

/** How read what happened is narrowed. */
export interface ListEventsQuery {
  /** cursor from the answer before; without it, from the oldest event that is kept */
  after?: string
  /** only these types, separated by commas: `user.*,key.revoked` */
  types?: string
  /** only events of this account */
  account_id?: number
  /** seconds to wait where there is nothing to read yet */
  wait?: number
}

/** How create and change many records is narrowed. */
export interface ChangeInBulkQuery {
  /** do all or none, in one transaction */
  atomic?: boolean
}

/** @deprecated */
export type CreateChangeManyRecordsQuery = ChangeInBulkQuery

/** How seo report is narrowed. */
export interface SeoReportQuery {
  /** only these accounts: an id, or up to 200 separated by commas */
  account_id?: number | readonly number[]
  /** first day, YYYY-MM-DD */
  start_date?: string
  /** last day, YYYY-MM-DD */
  end_date?: string
  /** only these sites: an id, or up to 200 separated by commas */
  site_id?: number | readonly number[]
  /** `encoded` or `legacy`: how XML element names made from data are written */
  names?: 'encoded' | 'legacy'
  /** `one` or `all`: one series of rankings for each keyword, engine and locale, or each device and location as an engine of its own */
  series?: 'one' | 'all'
  /** only rankings on this device; empty: only those without a device */
  device?: string
  /** only rankings from this location; empty: only those without a location */
  location?: string
  /** CSV only: `rankings`, `backlinks` or `metrics` */
  table?: 'rankings' | 'backlinks' | 'metrics'
}

/** How reputation report, detail is narrowed. */
export interface ReputationReportDetailQuery {
  /** first day, YYYY-MM-DD */
  start_date?: string
  /** last day, YYYY-MM-DD */
  end_date?: string
  /** only these sites: an id, or up to 200 separated by commas */
  site_id?: number | readonly number[]
}

/** How reputation report, counts is narrowed. */
export interface ReputationReportCountsQuery {
  /** first day, YYYY-MM-DD */
  start_date?: string
  /** last day, YYYY-MM-DD */
  end_date?: string
  /** only these sites: an id, or up to 200 separated by commas */
  site_id?: number | readonly number[]
}

/** How summarize all sites is narrowed. */
export interface ListSiteSummariesQuery {
  /** how many sites an answer has at most; 100 when it is left out */
  limit?: number
  /** the last days; 90 when no period is named */
  days?: '7' | '30' | '90' | '180' | '365'
  /** a calendar period, such as `last-month` */
  period?: 'this-month' | 'last-month' | 'this-quarter' | 'last-quarter' | 'this-year' | 'last-year'
  /** first day of another period, together with `end_date` */
  start_date?: string
  /** last day */
  end_date?: string
  /** what it is compared with: the period `before`, the same of the `year` before, or `none` */
  compare?: 'before' | 'year' | 'none'
}

/** How summarize the sites of an account is narrowed. */
export interface ListAccountSummariesQuery {
  /** how many sites an answer has at most; 100 when it is left out */
  limit?: number
  /** the last days; 90 when no period is named */
  days?: '7' | '30' | '90' | '180' | '365'
  /** a calendar period, such as `last-month` */
  period?: 'this-month' | 'last-month' | 'this-quarter' | 'last-quarter' | 'this-year' | 'last-year'
  /** first day of another period, together with `end_date` */
  start_date?: string
  /** last day */
  end_date?: string
  /** what it is compared with: the period `before`, the same of the `year` before, or `none` */
  compare?: 'before' | 'year' | 'none'
}

/** How summarize a site is narrowed. */
export interface ShowSiteSummaryQuery {
  /** the last days; 90 when no period is named */
  days?: '7' | '30' | '90' | '180' | '365'
  /** a calendar period, such as `last-month` */
  period?: 'this-month' | 'last-month' | 'this-quarter' | 'last-quarter' | 'this-year' | 'last-year'
  /** first day of another period, together with `end_date` */
  start_date?: string
  /** last day */
  end_date?: string
  /** what it is compared with: the period `before`, the same of the `year` before, or `none` */
  compare?: 'before' | 'year' | 'none'
}

/** How list rankings is narrowed. */
export interface ListRankingsQuery {
  /** how many rows an answer has at most; 100 when it is left out */
  limit?: number
  /** only this keyword */
  phrase?: string
  /** only keywords with this tag */
  tag?: string
  /** only this engine, such as `Google` */
  search_engine?: string
  /** only this locale, such as `en-us` */
  locale?: string
  /** only on this device; empty: only those without a device */
  device?: string
  /** only from this location; empty: only those without a location */
  location?: string
  /** first day in UTC, YYYY-MM-DD */
  start_date?: string
  /** last day in UTC, YYYY-MM-DD */
  end_date?: string
}

/** How export whole accounts is narrowed. */
export interface ExportAccountsQuery {
  /** cursor of the last account that came whole, from its line of type `end` */
  after?: string
  /** only this account */
  account_id?: number
  /** only this site, with its business */
  site_id?: number
}

/** How push measured records is narrowed. */
export interface PushObservationsQuery {
  /** store all or none, in one transaction */
  atomic?: boolean
  /** create the sites, competitors, keywords and pages that records refer to */
  create_missing?: boolean
  /** check only, and store nothing */
  dry_run?: boolean
  /** CSV: the kind of record, if the header does not tell it: `rankings` */
  kind?: string
  /** CSV: the tool whose export it is */
  preset?: 'search-console' | 'business-profile' | 'brightlocal' | 'se-ranking' | 'serpbear' | 'semrush' | 'semrush-tracking' | 'ahrefs' | 'ahrefs-keywords' | 'moz' | 'data-for-seo'
  /** CSV: which column is which field: `Keyword=phrase,Position=rank` */
  columns?: string
  /** CSV: values of every row: `search_engine=Google,locale=en-us`, or of those of a source: `page_url[source=yelp]=https://yelp.example/biz/bob` */
  set?: string
  /** CSV: the day of every row, if the file has no date column */
  date?: string
  /** CSV: how dates are written: `dd.mm.yyyy` */
  date_format?: string
  /** CSV: the decimal separator; the other character separates thousands */
  decimal?: '.' | ','
  /** CSV: markers for "looked for and not found": `-,>100`; an empty one means an empty cell */
  not_found?: string
  /** CSV: what words of a field mean: `rating:Recommended=5,rating:Not recommended=1` */
  words?: string
  /** CSV: what is cut off the beginning of numbers and domains: `www.,+` */
  strip?: string
  /** CSV and workbooks: how many lines stand above the header, where it is not found */
  skip_lines?: string
  /** workbooks: the sheet, where several could be read */
  sheet?: string
  /** CSV: the field whose values are in columns named by dates: `rank` */
  unpivot?: string
  /** CSV: round averages to whole numbers */
  round?: boolean
  /** CSV: store the average positions of a tool as ranks, rounded */
  as_rank?: boolean
  /** CSV: the days of which every row has the totals: `2026-10-15..2026-11-11` */
  period?: string
  /** CSV: store the device and location of every rank by name */
  devices?: boolean
  /** CSV: the device whose ranks are stored as those without a device */
  plain_device?: string
  /** CSV: the location whose ranks are stored as those without a location */
  plain_location?: string
  /** CSV: the language of the locale, where the file names only the country; by default `en` */
  language?: string
}

/** @deprecated */
export type PushMeasuredRecordsQuery = PushObservationsQuery

/** How list saved mappings is narrowed. */
export interface ListMappingsQuery {
  /** only the mapping of this name */
  mapping_name?: string
}

/** How rename a saved mapping is narrowed. */
export interface RenameMappingQuery {
  /** the name of the mapping */
  mapping_name: string
}

/** How delete a saved mapping is narrowed. */
export interface DeleteMappingQuery {
  /** the name of the mapping */
  mapping_name: string
}

/** How upload a file is narrowed. */
export interface UploadFileQuery {
  /** the account that the file is for; by default, all accounts */
  account_id?: number
  /** the site that the file is for */
  site_id?: number
  /** your name for the file */
  file_name?: string
  /** create the sites, competitors, keywords and pages that records refer to */
  create_missing?: boolean
  /** check only, and store nothing */
  dry_run?: boolean
  /** of two lines with the same key and other figures take the later one, instead of refusing both */
  last_wins?: boolean
  /** store the good lines although others are refused */
  skip_refused?: boolean
  /** whether review counts are daily counts or running totals; without it, counts that never fall are refused */
  counts?: 'daily' | 'totals'
  /** the text is not Unicode */
  encoding?: 'windows-1252'
  /** CSV: the name of a saved mapping */
  mapping?: string
  /** the file is an export of whole accounts; it needs the scope `provision` too, and a key that is not limited to accounts */
  all?: boolean
  /** saved reports: the day of the figures; by default, today */
  as_of?: string
  /** saved reports with literal names: keep the hyphens of phrases, which otherwise become spaces */
  keep_hyphens?: boolean
  /** saved reports: what ids are here: `site,456,example.com;competitor,5,rival.example` */
  map?: string
  /** CSV: the kind of record, if the header does not tell it: `rankings` */
  kind?: string
  /** CSV: the tool whose export it is */
  preset?: 'search-console' | 'business-profile' | 'brightlocal' | 'se-ranking' | 'serpbear' | 'semrush' | 'semrush-tracking' | 'ahrefs' | 'ahrefs-keywords' | 'moz' | 'data-for-seo'
  /** CSV: which column is which field: `Keyword=phrase,Position=rank` */
  columns?: string
  /** CSV: values of every row: `search_engine=Google,locale=en-us`, or of those of a source: `page_url[source=yelp]=https://yelp.example/biz/bob` */
  set?: string
  /** CSV: the day of every row, if the file has no date column */
  date?: string
  /** CSV: how dates are written: `dd.mm.yyyy` */
  date_format?: string
  /** CSV: the decimal separator; the other character separates thousands */
  decimal?: '.' | ','
  /** CSV: markers for "looked for and not found": `-,>100`; an empty one means an empty cell */
  not_found?: string
  /** CSV: what words of a field mean: `rating:Recommended=5,rating:Not recommended=1` */
  words?: string
  /** CSV: what is cut off the beginning of numbers and domains: `www.,+` */
  strip?: string
  /** CSV and workbooks: how many lines stand above the header, where it is not found */
  skip_lines?: string
  /** workbooks: the sheet, where several could be read */
  sheet?: string
  /** CSV: the field whose values are in columns named by dates: `rank` */
  unpivot?: string
  /** CSV: round averages to whole numbers */
  round?: boolean
  /** CSV: store the average positions of a tool as ranks, rounded */
  as_rank?: boolean
  /** CSV: the days of which every row has the totals: `2026-10-15..2026-11-11` */
  period?: string
  /** CSV: store the device and location of every rank by name */
  devices?: boolean
  /** CSV: the device whose ranks are stored as those without a device */
  plain_device?: string
  /** CSV: the location whose ranks are stored as those without a location */
  plain_location?: string
  /** CSV: the language of the locale, where the file names only the country; by default `en` */
  language?: string
}

/** How undo an intake is narrowed. */
export interface UndoIntakeQuery {
  /** take what people have hung on its records, too; it needs the scope `provision`, and a dry run with it since the last change */
  with_people?: boolean
  /** of an earlier version: undo it although later ones may have delivered the same records, and take those too */
  despite_later?: boolean
}
