/** Location: the physical place of a site, at most one per site, to which the pages with its reviews belong. */

import { datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const location = {
  id:            integer('assigned by the service'),
  account_id:    integer('owning account'),
  site_id:       integer('the site whose location it is'),
  twitter_page:  string('null: has none', { nullable: true }),
  facebook_page: string('null: has none', { nullable: true }),
  created_at:    datetime('ISO 8601 with UTC offset'),
}

export type SiteLocation = RecordOf<typeof location>

// biome-ignore format: a table reads by its columns
export const newLocation = {
  site_id:       integer('a site of one of your accounts', { required: true }),
  twitter_page:  string('left out: has none', { trim: true, max: 2048 }),
  facebook_page: string('left out: has none', { trim: true, max: 2048 }),
}

export type NewLocation = RequestOf<typeof newLocation>

/** The fields of an update; absent fields stay unchanged. */
// biome-ignore format: a table reads by its columns
export const changedLocation = {
  twitter_page:  string('empty takes it away', { blank: 'kept', trim: true, max: 2048 }),
  facebook_page: string('empty takes it away', { blank: 'kept', trim: true, max: 2048 }),
}

export type ChangedLocation = RequestOf<typeof changedLocation>
