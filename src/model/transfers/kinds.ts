/** What belongs to an account besides its measurements: each kind of record with its exported columns and references. */

/** Kinds of records that others refer to by id. */
export type TransferOwner = 'account' | 'business' | 'site' | 'user'

/**
 * `text` and `whole` are values, nullable with `?`; a list is one of its words. `account` is the id of an account, `user?` that of a user or null, and null
 * if the user was not imported; `site or 0` is 0 instead. Exports only grow: a column that comes later is of a kind with `?` or `or 0`, which is
 * its value where an older export does not have it.
 */
export type TransferColumn = 'text' | 'text?' | 'whole' | TransferOwner | 'site?' | 'user?' | 'site or 0' | readonly string[]

export type TransferColumns = Readonly<Record<string, TransferColumn>>

const times = { created_at: 'text', updated_at: 'text' } as const

// biome-ignore format: a table reads by its columns
const look = {
  name: 'text?', accent: 'text?', sender_name: 'text?', support: 'text?',
  logo_id: 'text?', dark_logo_id: 'text?', favicon_id: 'text?',
} as const

/** In the order in which they are written and read: a record comes before those that refer to it. */
// biome-ignore format: a table reads by its columns
export const transferColumns = {
  account:         { name: 'text', time_zone: 'text?', region: 'text?', tags: 'text?', archived_at: 'text?', ...times },
  business:        { account_id: 'account', name: 'text', aasm_state: ['active', 'deactivated'], ...times },
  site:            { account_id: 'account', business_id: 'business', domain: 'text', ...times },
  user:            {
    account_id: 'account', email: 'text', login: 'text', name: 'text', state: ['passive', 'pending', 'active', 'suspended'],
    activated_at: 'text?', cached_slug: 'text?', ...times, created_by: 'user?', updated_by: 'user?', last_login_at: 'text?',
    current_site_id: 'site or 0', current_step_id: 'whole', invitation_count: 'whole', is_seo_pro: 'whole', is_web_dev: 'whole',
    opt_out_dashboard: 'whole', promotion_pending: 'whole', rank_id: 'whole', twitter_account: 'text?',
  },
  owner:           { account_id: 'account', user_id: 'user' },
  ability:         { user_id: 'user', key: ['show'], scope_type: ['Account', 'Business', 'Site'], scope_id: 'whole' },
  annotation:      { account_id: 'account', site_id: 'site?', day: 'text', text: 'text', created_at: 'text', created_by: 'user?' },
  review_mark:     {
    account_id: 'account', site_id: 'site', source: 'text', review_hash: 'text', date: 'text', state: ['seen', 'answered'], note: 'text',
    marked_by: 'user?', marked_at: 'text',
  },
  plain_series:    { account_id: 'account', site_id: 'site', engine: 'text', locale: 'text', device: 'text', location: 'text' },
  report_schedule: { account_id: 'account', rhythm: ['weekly', 'monthly'], site_ids: 'text?', last_period: 'text', release: 'text?', ...times },
  external_id:     { kind: ['account', 'user', 'business', 'site'], external_id: 'text', record_id: 'whole' },
  brand_picture:   { picture: 'text', picture_type: ['image/png', 'image/jpeg', 'image/webp', 'image/x-icon'], bytes: 'text' },
  brand:           { host_name: 'text?', ...look },
  account_brand:   { account_id: 'account', ...look },
} as const satisfies Record<string, TransferColumns>

export type TransferKind = keyof typeof transferColumns

/** Writes some records of a kind to an export. */
export type PutTransfer = (kind: TransferKind, lines: readonly Readonly<Record<string, unknown>>[]) => Promise<void>

/** The tables whose ids are exported, so that other records can refer to them. */
export const ownerTables = { account: 'accounts', business: 'businesses', site: 'sites', user: 'users' } as const

export const transferVersion = 1

export function isTransferKind(word: unknown): word is TransferKind {
  return typeof word === 'string' && Object.hasOwn(transferColumns, word)
}
