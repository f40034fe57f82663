/** What a partner sends as an export is judged as its requests are, because anybody may have written the file. */

import { draftOf } from '../../fields/read.ts'
import { readDomain } from '../../lib/domains.ts'
import { isOneLine } from '../../lib/one-line.ts'
import { isDay, isTimeZone } from '../../lib/time/days.ts'
import { changedCustomer, newAccount } from '../../resources/account.ts'
import { newAnnotation } from '../../resources/annotation.ts'
import { newBusiness } from '../../resources/business.ts'
import { newExternalId } from '../../resources/external-id.ts'
import { releaseNamed } from '../../resources/schedule.ts'
import { changedUser, newUser } from '../../resources/user.ts'
import { looksLikeEmail } from '../mail/addresses.ts'
import { isForeignEmail } from '../people/users.ts'
import type { TransferKind } from './kinds.ts'

type Row = Readonly<Record<string, string | number | null>>
type Given = Readonly<Record<string, unknown>>

const mostRecipients = 20
const mostSites = 200
const mostCharacters = 255
/** Of what tells series apart. */
const longest = { engine: 50, locale: 50, device: 30, location: 100 }

/** The name of a field that breaks a rule; undefined if there is none. */
export function wrongField(kind: TransferKind, row: Row, record: Given): string | undefined {
  return wrongTime(row) ?? rules[kind]?.(row as Readonly<Record<string, string>>, record)
}

type Rule = (row: Readonly<Record<string, string>>, record: Given) => string | undefined

const rules: Partial<Record<TransferKind, Rule>> = {
  account: ({ name, time_zone, region }) =>
    faultIn(newAccount, { name }) ??
    (time_zone && !isTimeZone(time_zone) ? 'time_zone' : undefined) ??
    (region ? faultIn(changedCustomer, { region }) : undefined),
  business: ({ name }) => faultIn(newBusiness, { name }),
  site: ({ domain = '' }) => (readDomain(domain) === undefined ? 'domain' : undefined),
  user({ email, login, name, cached_slug, twitter_account }) {
    const wrong = faultIn(newUser, { email, login, password: 'not the password', account_id: 1 }) ?? faultIn(changedUser, { name })
    const isForeign = email !== undefined && login !== undefined && isForeignEmail({ email, login })
    const long = Object.entries({ cached_slug, twitter_account }).find(([, text]) => text && !isShort(text))
    return wrong ?? (isForeign ? 'login' : long?.[0])
  },
  annotation: ({ day, text }) => faultIn(newAnnotation, { site_id: 1, day, text }),
  plain_series: (row) =>
    Object.entries(longest).find(([name, most]) => !isOneLine(row[name] ?? '') || (row[name] ?? '').length > most)?.[0],
  report_schedule({ last_period = '', site_ids, release }, { recipients }) {
    if (!isDay(last_period)) return 'last_period'
    if (!areSites(site_ids)) return 'site_ids'
    if (release && releaseNamed(release) === undefined) return 'release'
    return areRecipients(recipients) ? undefined : 'recipients'
  },
  external_id: ({ external_id }) => faultIn(newExternalId, { external_id }) ?? (external_id?.trim() === '' ? 'external_id' : undefined),
}

function faultIn(...given: Parameters<typeof draftOf>): string | undefined {
  return draftOf(...given).faults[0]?.field
}

function isShort(text: string): boolean {
  return text.length <= mostCharacters && isOneLine(text)
}

function wrongTime(row: Row): string | undefined {
  const times = Object.entries(row).filter(([name, value]) => name.endsWith('_at') && value !== null)
  return times.find(([, value]) => !isMoment(String(value)))?.[0]
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text))
}

function areSites(text: string | null | undefined): boolean {
  if (text === null || text === undefined) return true
  return /^\[(\d{1,16}(,\d{1,16})*)?\]$/.test(text) && text.split(',').length <= mostSites
}

function areRecipients(given: unknown): boolean {
  if (given === undefined) return true
  if (!Array.isArray(given) || given.length > mostRecipients) return false
  return given.every(
    ({ email, created_at, updated_at }) =>
      typeof email === 'string' && looksLikeEmail(email) && [created_at, updated_at].every((time) => isMoment(String(time))),
  )
}
