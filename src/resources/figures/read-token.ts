/** Read token: reads one account or site for minutes to a day, from a portal's pages too. */

import { datetime, integer, type RecordOf, type RequestOf, string } from '../../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const readToken = {
  id:          integer('assigned by the service'),
  public_part: string('the part of the token that may be shown'),
  account_id:  integer('the account that it reads, or that of its site'),
  site_id:     integer('the site that it reads; null: every site of the account', { nullable: true }),
  created_at:  datetime('ISO 8601 with UTC offset'),
  expires_at:  datetime('ISO 8601 with UTC offset'),
  revoked_at:  datetime('ISO 8601 with UTC offset', { nullable: true }),
}

export type ReadTokenRecord = RecordOf<typeof readToken>

/** The token with its secret, which is only in the answer that creates it. */
// biome-ignore format: a table reads by its columns
export const freshReadToken = {
  token: string('shown this once: `Authorization: Bearer TOKEN`'),
  ...readToken,
}

// biome-ignore format: a table reads by its columns
export const newReadToken = {
  site_id:    integer('a site in reach of the key; this or `account_id` is needed'),
  account_id: integer('an account in reach of the key'),
  minutes:    integer('how long it lives, 1 to 1440; 60 when it is left out', { range: [1, 1_440] }),
}

export type NewReadToken = RequestOf<typeof newReadToken>
