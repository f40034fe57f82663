/** Business: belongs to an account and has sites. */

import { datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const business = {
  id:         integer('assigned by the service'),
  created_at: datetime('ISO 8601 with UTC offset'),
  updated_at: datetime('ISO 8601 with UTC offset'),
  account_id: integer('owning account'),
  name:       string(),
  aasm_state: string('`active` or `deactivated`', { oneOf: ['active', 'deactivated'], initial: 'active' }),
}

export type Business = RecordOf<typeof business>

// biome-ignore format: a table reads by its columns
export const newBusiness = {
  name:       string('name of the business', { required: true, trim: true, line: 'made', min: 1, max: 255 }),
  account_id: integer('account to attach the business to; the partner account when it is left out'),
}

// biome-ignore format: a table reads by its columns
export const changedBusiness = {
  name:       string('name of the business', { required: true, trim: true, line: 'asked', min: 1, max: 255 }),
}

export type ChangedBusiness = RequestOf<typeof changedBusiness>

export type NewBusiness = RequestOf<typeof newBusiness>
