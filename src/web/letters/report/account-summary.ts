/** The sites of a mailed report as a whole: the worst first, one line each, and in a sentence that is true for any data. */

import { urgencyOf } from '../../../model/dashboard/attention/attention.ts'
import type { HomeLine } from '../../../model/dashboard/home.ts'
import type { DaySpan } from '../../../model/dashboard/positions.ts'
import { domainName } from '../../components/names.ts'
import { pointsChange, ratingChange, type Words } from '../../components/number-format.ts'
import { reasonText } from '../../screens/reasons.ts'
import type { MailedLine, MailedReport } from './mailed-report.ts'

export type SummedSite = Pick<HomeLine, 'standings' | 'reasons' | 'rating' | 'ratingBefore' | 'newReviews' | 'measuredOn'> & {
  readonly site: Pick<HomeLine['site'], 'id' | 'domain' | 'business_name'>
}

/** The gravest first, and of those that are alike the one that lost most visibility. */
export function worstFirst<T extends SummedSite>(sites: readonly T[]): T[] {
  return sites.toSorted((a, b) => urgencyOf(b.reasons) - urgencyOf(a.reasons) || (gainOf(a) ?? 0) - (gainOf(b) ?? 0))
}

function gainOf({ standings: { compared } }: SummedSite): number | null {
  const [now, before] = [compared?.now.visibility ?? null, compared?.before.visibility ?? null]
  return now === null || before === null ? null : now - before
}

/** Nobody would read a longer list, and mail programs cut a mail of more than 100 KB. */
const mostLines = 80

export function summaryLines(words: Words, sites: readonly SummedSite[], { from, to }: DaySpan): MailedLine[] {
  return sites.slice(0, mostLines).map((one) => lineOfSite(words, one, `from=${from}&to=${to}`))
}

export function leftOut(sites: readonly SummedSite[]): MailedReport['leftOut'] {
  const rest = sites.slice(mostLines)
  return { sites: rest.length, needing: rest.filter(({ reasons }) => reasons.length > 0).length }
}

function lineOfSite(words: Words, one: SummedSite, days: string): MailedLine {
  const { site, standings, rating, ratingBefore, newReviews, reasons, measuredOn } = one
  const { now, compared } = standings
  const half = measuredOn === null && newReviews !== null ? 'reputation' : 'search'
  return {
    id: site.id,
    path: `/sites/${site.id}/${half}?${days}`,
    name: domainName(site.domain),
    businessName: site.business_name,
    visibility: now.visibility === null ? null : words.decimal(now.visibility),
    visibilityChange: pointsChange(words, compared?.now.visibility ?? null, compared?.before.visibility ?? null),
    rating: rating === null ? null : words.decimal(rating),
    ratingChange: ratingChange(words, rating, ratingBefore),
    newReviews: newReviews === null ? null : words.whole(newReviews),
    attention: reasons.map((reason) => reasonText(words, reason)),
  }
}

/** What all sites have in common; of one site its own figures. */
function totalsOf(sites: readonly SummedSite[]) {
  const measured = sites.flatMap(({ standings: { now } }) => now.visibility ?? [])
  const compared = sites.flatMap(({ standings: { compared } }) => {
    const [now, before] = [compared?.now.visibility ?? null, compared?.before.visibility ?? null]
    return now === null || before === null ? [] : [{ now, before }]
  })
  const reviewed = sites.flatMap(({ newReviews }) => newReviews ?? [])
  return {
    visibility: meanOf(measured),
    measured: measured.length,
    compared: compared.length,
    before: meanOf(compared.map(({ before }) => before)),
    now: meanOf(compared.map(({ now }) => now)),
    newReviews: reviewed.length === 0 ? null : reviewed.reduce((sum, amount) => sum + amount, 0),
    isEverMeasured: sites.some(({ measuredOn }) => measuredOn !== null),
    needing: sites.filter(({ reasons }) => reasons.length > 0).length,
  }
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The subject of the mail after the name: `visibility 39 (+6), 43 new reviews, needs attention`. */
export function inShortOf(words: Words, sites: readonly SummedSite[]): string {
  const { visibility, now, before, newReviews, needing } = totalsOf(sites)
  const moved = now === null || before === null ? 0 : Math.round(now - before)
  const change = moved === 0 ? '' : ` (${moved > 0 ? '+' : '−'}${words.whole(Math.abs(moved))})`
  const isOne = sites.length === 1
  return [
    ...(visibility === null ? [] : [`visibility ${words.whole(Math.round(visibility))}${isOne ? '' : ' on average'}${change}`]),
    ...(newReviews === null ? [] : [newReviews === 0 ? 'no new reviews' : words.count(newReviews, 'new review')]),
    ...(needing === 0 ? [] : [isOne ? 'needs attention' : `${needing} of ${words.count(sites.length, 'site')} to look at`]),
  ].join(', ')
}

export function summaryOf(words: Words, sites: readonly SummedSite[], since: string | null): string {
  const totals = totalsOf(sites)
  const { needing, newReviews } = totals
  const all = words.count(sites.length, 'site')
  return [
    needing === 0 ? `None of ${all} needs attention.` : `${words.whole(needing)} of ${all} ${needing === 1 ? 'needs' : 'need'} attention.`,
    visibilitySentence(words, totals, sites.length, since),
    newReviews === null ? '' : newReviews === 0 ? 'No new reviews.' : `${words.count(newReviews, 'new review')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function visibilitySentence(
  words: Words,
  { visibility, measured, compared, now, before, newReviews, isEverMeasured }: ReturnType<typeof totalsOf>,
  all: number,
  since: string | null,
): string {
  // What was never bought takes no sentence.
  if (visibility === null) return isEverMeasured || newReviews === null ? 'No positions were measured at the end of this period.' : ''
  const where =
    measured === all
      ? ''
      : measured === 1
        ? ' on the one site that was measured at the end'
        : ` over the ${words.whole(measured)} that were measured at the end`
  const change = pointsChange(words, now, before)
  if (change === null || since === null) return `Visibility is ${words.decimal(visibility)} of 100 on average${where}.`
  const on = compared === measured ? '' : ` on the ${compared === 1 ? 'one site' : words.whole(compared)} measured at both times`
  const moved = change.arrow === 'same' ? `the same as on ${words.day(since)}` : `${change.words} since ${words.day(since)}`
  return `Visibility is ${words.decimal(visibility)} of 100 on average${where}, ${moved}${on}.`
}
