/** Share link: opens the pages of one site, read-only, until it expires or is revoked. */

import { boolean, datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'

export const mostDays = 366
export const longestLabel = 100
export const shortestPassword = 6

// biome-ignore format: a table reads by its columns
export const shareLink = {
  id:           integer('assigned by the service'),
  site_id:      integer('the site whose pages it opens'),
  label:        string('for whom or what it was made'),
  has_password: boolean('whether it asks for a password'),
  created_at:   datetime('ISO 8601 with UTC offset'),
  expires_at:   datetime('ISO 8601 with UTC offset'),
  revoked_at:   datetime('ISO 8601 with UTC offset', { nullable: true }),
  last_used_at: datetime('to the minute', { nullable: true }),
}

export type ShareLinkRecord = RecordOf<typeof shareLink>

/** The link with its address, which is only in the answer that creates it. */
// biome-ignore format: a table reads by its columns
export const freshShareLink = {
  url: string('shown this once; keep it now'),
  ...shareLink,
}

// biome-ignore format: a table reads by its columns
export const newShareLink = {
  site_id:  integer('a site of one of your accounts', { required: true }),
  label:    string('for whom or what it is', { trim: true, line: 'asked', max: longestLabel }),
  days:     integer('how long it works, 1 to 366; 30 when it is left out', { range: [1, mostDays] }),
  password: string('what it asks for; without one the link alone is enough', { min: shortestPassword, max: 255 }),
}

export type WantedShareLink = RequestOf<typeof newShareLink>
