/** Report schedule: which sites of an account are reported by mail, how often, and to whom. */

import { datetime, integer, list, type RecordOf, type RequestOf, string } from '../fields/shape.ts'

const rhythms = ['weekly', 'monthly'] as const

/** Who lets a report go when it is due. */
export const releases = ['automatic', 'unless_wrong', 'by_hand'] as const

export type Release = (typeof releases)[number]

/** Undefined for any other word. */
export function releaseNamed(word: string | undefined): Release | undefined {
  return releases.find((release) => release === word)
}

/** Of new schedules, where the partner has chosen nothing. */
export const usualRelease: Release = 'unless_wrong'

const scheduledSite = { id: integer() }

// biome-ignore format: a table reads by its columns
const recipient = {
  email: string(),
  state: string('`unconfirmed` until they have agreed', { oneOf: ['active', 'unconfirmed', 'unsubscribed'] }),
}

// biome-ignore format: a table reads by its columns
export const schedule = {
  id:         integer('assigned by the service'),
  account_id: integer('the account whose sites are reported'),
  rhythm:     string('', { oneOf: rhythms }),
  release:    string('`automatic`: it goes by itself; `unless_wrong`: it waits for somebody at the desk where nothing was measured lately or a file had faults; `by_hand`: it always waits', { oneOf: releases }),
  created_at: datetime('ISO 8601 with UTC offset'),
  sites:      list('site', scheduledSite),
  recipients: list('recipient', recipient),
}

// biome-ignore format: a table reads by its columns
export const newSchedule = {
  rhythm:     string('weeks from Monday, or calendar months', { required: true, oneOf: rhythms }),
  recipients: string('email addresses, separated by commas; at most 20 for an account', { required: true, trim: true, max: 6000 }),
  site_ids:   string('ids of sites of the account, separated by commas; every site unless given', { blank: 'kept', trim: true, max: 6000 }),
  release:    string('who lets it go; what the partner has chosen for new schedules unless given', { blank: 'refused', oneOf: releases }),
}

// biome-ignore format: a table reads by its columns
export const changedSchedule = {
  rhythm:     string('another rhythm', { blank: 'refused', oneOf: rhythms }),
  recipients: string('the whole list from now on, separated by commas; who is on it already stays as they are', { blank: 'refused', trim: true, max: 6000 }),
  site_ids:   string('the whole list from now on, separated by commas; empty: every site', { blank: 'kept', trim: true, max: 6000 }),
  release:    string('who lets it go', { blank: 'refused', oneOf: releases }),
}

export type ChangedSchedule = RequestOf<typeof changedSchedule>

/** What staff write to the recipients of one report. */
export const runSentence = { sentence: string('plain text', { required: true, trim: true, max: 600 }) }

export const suppressionReasons = ['unsubscribed', 'refused'] as const

/** An address to which the partner sends nothing that nobody asked for. */
// biome-ignore format: a table reads by its columns
export const suppression = {
  id:         integer('assigned by the service'),
  address:    string('first letter and domain; empty once the person was erased'),
  reason:     string('`unsubscribed`: they are not asked again; `refused`: the mail server has said on two days that there is no such address, so that it gets neither reports nor questions nor invitations', { oneOf: suppressionReasons }),
  created_at: datetime('ISO 8601 with UTC offset'),
}

export type Suppression = RecordOf<typeof suppression>
