/** Key: identifies a partner. Keys that a partner issues itself have no more scopes and accounts than the issuing key. */

import { datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const partnerKey = {
  id:           integer('assigned by the service'),
  public_part:  string('the part of the key that may be shown; it names the key in logs'),
  label:        string(),
  scopes:       string('words separated by blanks'),
  account_ids:  string('ids separated by commas: the accounts it is limited to; null: all', { nullable: true }),
  created_at:   datetime('ISO 8601 with UTC offset'),
  last_used_at: datetime('to the minute', { nullable: true }),
  expires_at:   datetime('ISO 8601 with UTC offset', { nullable: true }),
  revoked_at:   datetime('ISO 8601 with UTC offset', { nullable: true }),
}

export type PartnerKey = RecordOf<typeof partnerKey>

/** The key with its secret, which is only in the answer that creates it. */
// biome-ignore format: a table reads by its columns
export const freshKey = {
  key:      string('shown this once; keep it now'),
  password: string('shown this once; keep it now'),
  ...partnerKey,
}

export type FreshPartnerKey = RecordOf<typeof freshKey>

// biome-ignore format: a table reads by its columns
export const newPartnerKey = {
  label:       string('what it is for', { trim: true, max: 255 }),
  scopes:      string('words separated by blanks or commas; only those of this key, and never `keys` or `staff`', { required: true, trim: true, max: 255 }),
  account_ids: string('ids separated by commas, at most 200; left out: those of this key', { trim: true, max: 4_000 }),
  days:        integer('how long it lives, 1 to 3650; left out: as long as this key', { range: [1, 3_650] }),
}

export type NewPartnerKey = RequestOf<typeof newPartnerKey>

// biome-ignore format: a table reads by its columns
export const keyRotation = {
  grace_days: integer('how long the old key lives on, 0 to 30; 7 when it is left out', { range: [0, 30] }),
}

export type KeyRotation = RequestOf<typeof keyRotation>
