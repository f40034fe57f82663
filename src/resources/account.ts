/** Account: what a partner manages; users, businesses and sites belong to one. */

import { datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'

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
