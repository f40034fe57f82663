/** Site: a domain of a business, measured by the reports. */

import { datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'
import { readDomain } from '../lib/domains.ts'

// biome-ignore format: a table reads by its columns
export const site = {
  id:          integer('assigned by the service'),
  created_at:  datetime('ISO 8601 with UTC offset'),
  updated_at:  datetime('ISO 8601 with UTC offset'),
  account_id:  integer('owning account'),
  business_id: integer('owning business'),
  domain:      string('lower case, punycode; unique in the account'),
}

export type Site = RecordOf<typeof site>

// biome-ignore format: a table reads by its columns
export const newSite = {
  business_id: integer('business to attach the site to', { required: true }),
  domain:      string('kept in lower case and punycode; unique in the account', { required: true, trim: true, test: isDomain }),
}

export type NewSite = RequestOf<typeof newSite>

/** The fields of an update; absent fields stay unchanged. The business must belong to the same account. */
// biome-ignore format: a table reads by its columns
export const changedSite = {
  business_id: integer('another business of the same account', { blank: 'refused' }),
  domain:      string('kept in lower case and punycode; unique in the account', { blank: 'refused', trim: true, test: isDomain }),
}

export type ChangedSite = RequestOf<typeof changedSite>

function isDomain(text: string): boolean {
  return readDomain(text) !== undefined
}
