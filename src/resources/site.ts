/** Site: a domain of a business, measured by the reports. */

import { datetime, integer, type RecordOf, string } from '../fields/shape.ts'

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
