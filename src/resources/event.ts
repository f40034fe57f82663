/** Event: something that happened, told in the feed and to webhooks. It names records and fields, and never the values of fields, because what was sent cannot be erased. */

import { boolean, datetime, integer, list, type RecordOf, string } from '../fields/shape.ts'

export type Concerned = 'user' | 'business' | 'account' | 'site' | 'key' | 'intake'

interface EventType {
  /** The kind of record whose id is `record_id`. */
  readonly record: Concerned
  readonly says: string
}

// biome-ignore format: a table reads by its columns
export const eventTypes = {
  'user.created':           { record: 'user',     says: 'a user was created, invited or joined' },
  'user.updated':           { record: 'user',     says: 'fields of a user changed, the password or the own id too' },
  'user.state_changed':     { record: 'user',     says: 'a user was suspended, or may log in again, or logged in for the first time' },
  'user.abilities_changed': { record: 'user',     says: 'what a user may see changed' },
  'user.deleted':           { record: 'user',     says: 'a user was deleted, or erased' },
  'business.created':       { record: 'business', says: 'a business was created, by a request, a form or an import' },
  'business.updated':       { record: 'business', says: 'a business was renamed, or its own id changed' },
  'business.deactivated':   { record: 'business', says: 'a business was deactivated' },
  'business.reactivated':   { record: 'business', says: 'a business was reactivated' },
  'business.deleted':       { record: 'business', says: 'a business was deleted with everything below it' },
  'account.created':        { record: 'account',  says: 'an account was created' },
  'account.updated':        { record: 'account',  says: 'fields of an account changed, its owner, editors, brand or own id too' },
  'account.deleted':        { record: 'account',  says: 'an account was deleted; it can be brought back for some time' },
  'account.restored':       { record: 'account',  says: 'a deleted account was brought back' },
  'site.created':           { record: 'site',     says: 'a site was created, by a request, a form or an import' },
  'site.updated':           { record: 'site',     says: 'fields of a site changed, or what is tracked of it: `changed` says what' },
  'site.deleted':           { record: 'site',     says: 'a site was deleted with everything below it' },
  'key.issued':             { record: 'key',      says: 'a key was issued' },
  'key.rotated':            { record: 'key',      says: 'a key was replaced by a new one, and ends soon' },
  'key.revoked':            { record: 'key',      says: 'a key was revoked' },
  'intake.completed':       { record: 'intake',   says: 'an import, push or upload has been stored' },
  'intake.failed':          { record: 'intake',   says: 'an upload was refused or interrupted, or a push was taken back' },
  'intake.parked':          { record: 'intake',   says: 'an upload waits for the operator, because its key was revoked' },
  'intake.undone':          { record: 'intake',   says: 'what an intake stored has been taken back' },
} as const satisfies Record<string, EventType>

export type EventName = keyof typeof eventTypes

export const eventNames = Object.keys(eventTypes) as EventName[]

// biome-ignore format: a table reads by its columns
export const event = {
  id:         string('unique; the same when the event is sent again'),
  type:       string('what happened', { oneOf: eventNames }),
  created_at: datetime('when it happened; ISO 8601 with UTC offset'),
  account_id: integer('the account concerned; null where it is about the partner itself, or about several accounts', { nullable: true }),
  record_id:  integer('the id of the record that the first word of the type names'),
  changed:    string('names of the fields that changed, separated by commas; null where the type says it all', { nullable: true }),
  cursor:     string('goes on after this event'),
}

export type Event = RecordOf<typeof event>

// biome-ignore format: a table reads by its columns
export const feed = {
  cursor: string('for `after` of the next request, also where there was no event'),
  more:   boolean('whether there may be further events already: ask again at once'),
  events: list('event', event),
}

export interface Feed {
  readonly cursor: string
  readonly more: boolean
  readonly events: readonly Event[]
}
