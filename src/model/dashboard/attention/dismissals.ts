/** What a person has dismissed: a reason of a site stays away from their list until it gets worse, or is about other days. */

import type { Kysely } from 'kysely'
import { invalid, notFound } from '../../../lib/failures.ts'
import { dayIn, dayNumber } from '../../../lib/time/days.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { change } from '../../core/transaction.ts'
import { isOpenTo, openSite } from '../../people/visible-sites.ts'
import type { Period } from '../positions.ts'
import { type Reason, type ReasonKind, reasonKinds } from './attention.ts'

/** By site, kind of reason and length of the period: how bad it was, and the day on which it was dismissed. */
type Dismissed = Readonly<Record<string, readonly [badness: number, on: string]>>

/** The oldest make room; nobody keeps so many in mind. */
const mostDismissed = 1_000

/** Periods of about the same length are one: months differ by days. */
const lengths = [7, 30, 90, 180, 365]

export interface Seen {
  readonly kind: ReasonKind
  readonly badness: number
}

/** Reasons as a form carries them: `lost 4 stale 20650`. */
export function seenText(reasons: readonly Reason[]): string {
  return reasons.map((reason) => `${reason.kind} ${badnessOf(reason)}`).join(' ')
}

/** None if the text is none of a form. */
export function seenIn(text: string): Seen[] {
  return [...text.matchAll(/([a-z0-9-]+) (\d{1,9})/g)].flatMap(([, name, badness]) => {
    const kind = reasonKinds.find((one) => one === name)
    return kind === undefined ? [] : [{ kind, badness: Number(badness) }]
  })
}

/** Dismisses what was seen of a site, or shows all of it again if nothing was. */
export async function dismiss(person: PersonCaller, siteId: number, days: number, seen: readonly Seen[]): Promise<void> {
  const site = await openSite(person, siteId)
  if (!isOpenTo(person, site)) notFound('page')
  if (!Number.isSafeInteger(days) || days < 1) invalid([{ field: 'days', code: 'invalid' }])
  const today = dayIn(site.time_zone, person.app.clock.now())
  await change(person, async (tx) => {
    await person.app.store.lock(tx, 'users', person.userId)
    const kept = Object.entries(await readDismissed(tx, person.userId)).filter(([name]) => !name.startsWith(`${siteId} `))
    const fresh = seen.map(({ kind, badness }) => [nameOf(siteId, kind, days), [badness, today]] as const)
    const dismissed = JSON.stringify(Object.fromEntries([...kept, ...fresh].slice(-mostDismissed)))
    const row = tx.insertInto('preferences').values({ user_id: person.userId, region: null, time_zone: null, dismissed })
    await row.onConflict((on) => on.column('user_id').doUpdateSet({ dismissed })).execute()
  })
}

/** Splits reasons into those that are shown and those that were dismissed, for one person and period. */
export async function dismissalsOf(db: Kysely<Tables>, userId: number, { from, to }: Period) {
  const dismissed = await readDismissed(db, userId)
  const days = dayNumber(to) - dayNumber(from) + 1
  const isDismissed = (siteId: number, reason: Reason) => {
    const [badness, on] = dismissed[nameOf(siteId, reason.kind, days)] ?? [-1, '']
    return on >= from && badnessOf(reason) <= badness
  }
  return (siteId: number, reasons: readonly Reason[]) => ({
    reasons: reasons.filter((reason) => !isDismissed(siteId, reason)),
    dismissed: reasons.filter((reason) => isDismissed(siteId, reason)),
  })
}

async function readDismissed(db: Kysely<Tables>, userId: number): Promise<Dismissed> {
  const row = await db.selectFrom('preferences').select('dismissed').where('user_id', '=', userId).executeTakeFirst()
  return JSON.parse(row?.dismissed ?? '{}') as Dismissed
}

function nameOf(siteId: number, kind: ReasonKind, days: number): string {
  const length = lengths.findLast((one) => days >= one - 2) ?? days
  return `${siteId} ${kind} ${length}`
}

/** More is worse. What is about a day is worse the later the day is. */
function badnessOf(reason: Reason): number {
  if (reason.kind === 'stale') return dayNumber(reason.since)
  if (reason.kind === 'rating') return Math.round((reason.from - reason.to) * 100)
  if (reason.kind === 'gap') return reason.days
  return reason.kind === 'lost-inside' ? reason.keywords * reason.days : reason.amount
}
