/** Account: what a partner manages; users, businesses and sites belong to one. A customer is an account as its partner looks after it. */

import { datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'
import { readDomain } from '../lib/domains.ts'
import { isTimeZone } from '../lib/time/days.ts'
import { regions } from './user.ts'

// biome-ignore format: a table reads by its columns
export const account = {
  id:         integer('assigned by the service'),
  created_at: datetime('ISO 8601 with UTC offset'),
  updated_at: datetime('ISO 8601 with UTC offset'),
  name:       string(),
  owner_id:   integer('the user with every permission on the account', { nullable: true }),
}

export type Account = RecordOf<typeof account>

// biome-ignore format: a table reads by its columns
export const newAccount = {
  name: string('name of the account', { required: true, trim: true, line: 'asked', min: 1, max: 255 }),
}

export type NewAccount = RequestOf<typeof newAccount>

// biome-ignore format: a table reads by its columns
export const accountDeletion = {
  account_id:  integer('the account that would be deleted'),
  name:        string(),
  businesses:  integer('its businesses'),
  sites:       integer('its sites, with everything measured of them'),
  users:       integer('its people, who can log in no more'),
  abilities:   integer('what people of other accounts may see of it'),
  share_links: integer('links to its sites'),
  schedules:   integer('its report schedules'),
  mails:       integer('its mails that wait'),
  uploads:     integer('its uploaded files that wait or are being stored'),
  kept_until:  datetime('until when the operator can bring it back; null if that has no end', { nullable: true }),
  confirm:     string('what confirms this deletion'),
}

export type AccountDeletion = RecordOf<typeof accountDeletion>

// biome-ignore format: a table reads by its columns
export const newOwner = {
  user_id: integer('a user of this account', { required: true }),
}

// biome-ignore format: a table reads by its columns
export const customer = {
  account_id:            integer('its account'),
  name:                  string(),
  time_zone:             string('in which pages count its days'),
  region:                string('whose way of writing dates and numbers people see who have chosen none; null: that of their browser', { nullable: true }),
  tags:                  string('labels separated by commas; null: has none', { nullable: true }),
  archived_at:           datetime('since when no mail goes to it; null: it is not archived', { nullable: true }),
  active_businesses:     integer(),
  deactivated_businesses: integer(),
  deactivated_together:  integer('those of them that come back when the customer is reactivated'),
}

export type CustomerRecord = RecordOf<typeof customer>

/** Blank takes a choice away. */
const isRegion = (text: string) => text === '' || regions.some((region) => region === text)

// biome-ignore format: a table reads by its columns
export const changedCustomer = {
  time_zone: string('a name such as Europe/Berlin, or UTC', { trim: true, test: isTimeZone }),
  region:    string(`whose way of writing dates and numbers: ${regions.map((region) => `\`${region}\``).join(', ')}; blank takes it away`, { trim: true, blank: 'kept', test: isRegion }),
  tags:      string('labels separated by commas; blank takes them away', { trim: true, line: 'asked', blank: 'kept', max: 1_000 }),
}

export type ChangedCustomer = RequestOf<typeof changedCustomer>

const isDomain = (text: string) => readDomain(text) !== undefined
const isEmail = (text: string) => /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(text)

/** Lists are texts, so that a table can have them: their entries are separated by commas, semicolons or line ends. */
// biome-ignore format: a table reads by its columns
export const newCustomer = {
  name:        string('of the account and of its business', { required: true, trim: true, line: 'made', min: 1, max: 255 }),
  domain:      string('of its first site', { required: true, trim: true, test: isDomain }),
  domains:     string('of further sites, separated by commas', { trim: true, max: 10_000 }),
  keywords:    string('phrases that are tracked for the first site, separated by commas', { trim: true, max: 30_000 }),
  competitors: string('domains of competitors of the first site, separated by commas', { trim: true, max: 10_000 }),
  tags:        string('labels separated by commas', { trim: true, line: 'asked', max: 1_000 }),
  time_zone:   string('a name such as Europe/Berlin, or UTC', { trim: true, test: isTimeZone }),
  external_id: string('your own id of the account', { trim: true, line: 'asked', max: 255 }),
  contact:     string('name of the person', { trim: true, line: 'made', max: 255 }),
  email:       string('of the person, who becomes a user that may see the account and gets a mail with a link to log in', { trim: true, max: 100, test: isEmail }),
  rhythm:      string('how often the person gets the reports by mail: `weekly` or `monthly`', { trim: true, oneOf: ['weekly', 'monthly'] }),
}

export type NewCustomer = RequestOf<typeof newCustomer>
