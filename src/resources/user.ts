/** User: a person who can log in, attached to one account; some are staff, who work for the partner. */

import { boolean, datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'
import { isTimeZone } from '../lib/time/days.ts'

export const userStates = ['passive', 'pending', 'active', 'suspended', 'deleted'] as const

// biome-ignore format: a table reads by its columns
export const user = {
  id:                        integer('assigned by the service'),
  account_id:                integer('account the user belongs to'),
  email:                     string('unique across the system', { personal: 'erased-{id}@invalid' }),
  login:                     string('unique across the system', { personal: 'erased-{id}' }),
  name:                      string('empty on creation', { initial: '', personal: '' }),
  crypted_password:          string('hashed form of the password; the password itself is never returned'),
  salt:                      string('', { personal: '' }),
  state:                     string('`passive` right after creation', { oneOf: userStates, initial: 'passive' }),
  activated_at:              datetime('null right after creation', { nullable: true }),
  activation_code:           string('null right after creation', { nullable: true, personal: null }),
  cached_slug:               string('', { nullable: true, personal: null }),
  created_at:                datetime('ISO 8601 with UTC offset'),
  updated_at:                datetime('ISO 8601 with UTC offset'),
  created_by:                integer('', { nullable: true }),
  updated_by:                integer('', { nullable: true }),
  deleted_at:                datetime('', { nullable: true }),
  last_login_at:             datetime('', { nullable: true }),
  current_site_id:           integer('0 right after creation', { initial: 0 }),
  current_step_id:           integer('0 right after creation', { initial: 0 }),
  invitation_count:          integer('0 right after creation', { initial: 0 }),
  is_seo_pro:                boolean('false right after creation', { initial: 0 }),
  is_web_dev:                boolean('false right after creation', { initial: 0 }),
  opt_out_dashboard:         boolean('false right after creation', { initial: 0 }),
  promotion_pending:         boolean('false right after creation', { initial: 0 }),
  rank_id:                   integer('1 right after creation', { initial: 1 }),
  password_reset_code:       string('', { nullable: true, personal: null }),
  remember_token:            string('', { nullable: true, personal: null }),
  remember_token_expires_at: datetime('', { nullable: true, personal: null }),
  twitter_account:           string('', { nullable: true, personal: null }),
}

export type User = RecordOf<typeof user>

const {
  crypted_password: _hash,
  salt: _salt,
  activation_code: _activation,
  cached_slug: _slug,
  current_step_id: _step,
  invitation_count: _invitations,
  is_seo_pro: _seo,
  is_web_dev: _web,
  opt_out_dashboard: _opted,
  promotion_pending: _promotion,
  rank_id: _rank,
  password_reset_code: _reset,
  remember_token: _token,
  remember_token_expires_at: _expiry,
  twitter_account: _twitter,
  ...rest
} = user

/** A user without what is made of the password, and what nothing uses any more: for tables, tools and keys that only read. */
export const briefUser = rest

/** The fields of a request that creates a user; other fields are ignored. */
// biome-ignore format: a table reads by its columns
export const newUser = {
  email:      string('unique across the system', { required: true, trim: true, max: 254, test: looksLikeEmail }),
  password:   string('at least 6 characters', { required: true, min: 6, maxBytes: 1024 }),
  login:      string('at least 5 characters; unique across the system', { required: true, min: 5, max: 100, test: hasNoBlanks }),
  account_id: integer('account to attach the user to', { required: true }),
  name:       string('the name of the person; empty without it', { trim: true, line: 'made', max: 255 }),
}

export type NewUser = RequestOf<typeof newUser>

/** The fields of a request that changes a user; absent fields stay unchanged. */
// biome-ignore format: a table reads by its columns
export const changedUser = {
  email:      string('unique across the system', { blank: 'refused', trim: true, max: 254, test: looksLikeEmail }),
  password:   string('at least 6 characters; open sessions end', { blank: 'refused', min: 6, maxBytes: 1024 }),
  login:      string('at least 5 characters; unique across the system', { blank: 'refused', min: 5, max: 100, test: hasNoBlanks }),
  name:       string('the name of the person', { blank: 'kept', trim: true, line: 'asked', max: 255 }),
  account_id: integer('account to move the user to', { blank: 'refused' }),
}

export type ChangedUser = RequestOf<typeof changedUser>

/** The regions whose way of writing dates and numbers a person may choose. */
export const regions = ['AT', 'AU', 'BE', 'CA', 'CH', 'DE', 'DK', 'FI', 'GB', 'IE', 'IN', 'NL', 'NZ', 'SE', 'SG', 'US', 'ZA'] as const

/** What people change of themselves at their own page; what is blank follows the browser or the account. */
// biome-ignore format: a table reads by its columns
export const changedProfile = {
  name:      changedUser.name,
  region:    string('whose way of writing dates and numbers', { oneOf: regions }),
  time_zone: string('a name such as Europe/Berlin, or UTC', { trim: true, test: isTimeZone }),
}

/** The address that a person wants; it is theirs once its mail is confirmed. */
export const changedEmail = {
  email: string('unique across the system', { required: true, trim: true, max: 254, test: looksLikeEmail }),
}

/** A link that logs a user in once. */
// biome-ignore format: a table reads by its columns
export const loginLink = {
  user_id:    integer('whom it lets in'),
  url:        string('for that person only; it works once'),
  expires_at: datetime('ISO 8601 with UTC offset'),
}

// biome-ignore format: a table reads by its columns
export const newLoginLink = {
  seconds: integer('how long it works, 60 to 86400; 900 when it is left out', { range: [60, 86_400] }),
}

/** Somebody whom the desk invites to a customer; the login is the email. */
// biome-ignore format: a table reads by its columns
export const newClient = {
  email:   string('unique across the system', { required: true, trim: true, max: 100, test: looksLikeEmail }),
  contact: changedUser.name,
}

export type NewClient = RequestOf<typeof newClient>

const roles = ['admin', 'member'] as const
const reaches = ['all', 'assigned'] as const

// biome-ignore format: a table reads by its columns
export const staffMember = {
  id:            integer('that of the user'),
  email:         string(),
  login:         string(),
  name:          string(),
  state:         string('of the user', { oneOf: userStates }),
  role:          string('`admin`: everything; `member`: everything except what concerns the staff, keys and the brand', { oneOf: roles }),
  customers:     string('`all`, now and later, or the `assigned` ones', { oneOf: reaches }),
  looks_after:   integer('how many customers are assigned to them'),
  last_login_at: datetime('', { nullable: true }),
  created_at:    datetime('when they joined'),
}

export type StaffMember = RecordOf<typeof staffMember>

/** Absent fields stay unchanged. */
// biome-ignore format: a table reads by its columns
export const changedStaffMember = {
  role:      string('`admin` or `member`', { blank: 'refused', oneOf: roles }),
  customers: string('`all` or `assigned`; an admin has all', { blank: 'refused', oneOf: reaches }),
}

export type ChangedStaffMember = RequestOf<typeof changedStaffMember>

// biome-ignore format: a table reads by its columns
export const staffInvitation = {
  id:         integer('assigned by the service'),
  email:      string(),
  role:       string('', { oneOf: roles }),
  customers:  string('', { oneOf: reaches }),
  created_at: datetime('ISO 8601 with UTC offset'),
  expires_at: datetime('seven days later'),
}

export type StaffInvitation = RecordOf<typeof staffInvitation>

// biome-ignore format: a table reads by its columns
export const newStaffInvitation = {
  email:     newUser.email,
  role:      string('`admin` or `member`', { required: true, oneOf: roles }),
  customers: string('`all` or `assigned`; all when it is left out', { oneOf: reaches }),
}

export type NewStaffInvitation = RequestOf<typeof newStaffInvitation>

/** Who may share, note and schedule what they may see of an account. */
// biome-ignore format: a table reads by its columns
export const editor = {
  account_id: integer('the account'),
  user_id:    integer('who edits it'),
  created_at: datetime('ISO 8601 with UTC offset'),
}

export type Editor = RecordOf<typeof editor>

/** Who of the staff looks after an account. */
// biome-ignore format: a table reads by its columns
export const colleague = {
  account_id: integer('the account'),
  staff_id:   integer('somebody of the staff; null: nobody', { nullable: true }),
}

export type Colleague = RecordOf<typeof colleague>

// biome-ignore format: a table reads by its columns
export const newColleague = {
  staff_id: integer('somebody of the staff', { required: true }),
}

export type NewColleague = RequestOf<typeof newColleague>

/** Whether the text has one `@`, something before it, and a host name with at least two labels after it; letters of any script are allowed. */
function looksLikeEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  return more.length === 0 && /^[^\s\p{Cc}<>()[\],;:"\\]+$/u.test(local) && local.length <= 64 && isHostName(domain)
}

function isHostName(text: string): boolean {
  const labels = text.split('.')
  return (
    labels.length > 1 &&
    labels.every((label) => /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

function hasNoBlanks(text: string): boolean {
  return !/[\s\p{C}\p{Z}]/u.test(text)
}
