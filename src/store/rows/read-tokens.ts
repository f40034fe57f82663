/** Rows of tokens that read for a while. */

import type { Generated } from 'kysely'
import type { Moment } from './values.ts'

export interface ReadTokenTables {
  read_tokens: ReadTokenRow
}

export interface ReadTokenRow {
  id: Generated<number>
  partner_id: number
  /** The key that made it, and with which it ends. */
  key_id: number
  account_id: number
  /** Null if it reads the whole account. */
  site_id: number | null
  public_part: string
  /** Keyed, with the number of the server secret; the token itself is shown once. */
  token_hash: string
  created_at: Moment
  expires_at: Moment
  revoked_at: Moment | null
}
