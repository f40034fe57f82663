/** The list of sites: a few figures for each, and why it may need attention. */

import type { Kysely } from 'kysely'
import type { Settings } from '../../config.ts'
import { Lru, memoByObject } from '../../lib/memo.ts'
import { dayText } from '../../lib/time/days.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { SeeingCaller } from '../core/caller.ts'
import { neverMeasured, readMeasuredVersions } from '../core/report-version.ts'
import { isOpenTo, listVisibleSites, type ShownSite } from '../people/visible-sites.ts'
import { type Reason, reasonsOf, type SiteSummary } from './attention/attention.ts'
import { CourseOf, noCourse } from './attention/course.ts'
import { dismissalsOf } from './attention/dismissals.ts'
import type { DailyRanks } from './daily-ranks.ts'
import { type DayRange, dayRangeOf, firstDayOf, lastMeasured, type Period, rankBefore, rankNow } from './positions.ts'
import { eachRanking, lastRankedAt, readSources, type Source } from './ranking-series.ts'
import { readPages } from './reputation/reputation.ts'
import { ReviewStats, ratingOf, readReviewStats } from './reputation/review-counts.ts'
import { lastRankedDay } from './search.ts'
import { StandingsOf } from './standing.ts'
import { VisibilityTrend } from './visibility-trend.ts'

export interface HomeLine extends SiteSummary {
  readonly site: ShownSite
  readonly reasons: readonly Reason[]
  /** Reasons that this person has dismissed, and that did not get worse. */
  readonly dismissed: readonly Reason[]
}

/** A cached summary stays valid until the measurements of the account change, because their version is part of its key. Settings live as long as the thread. */
const mostKept = 20_000
const summariesOn = memoByObject((_: Settings) => new Lru<string, SiteSummary>(mostKept))
const sitesAtOnce = 50

export async function homeFigures(person: SeeingCaller, period: Period): Promise<HomeLine[]> {
  const sites = await listVisibleSites(person)
  const open = sites.filter((site) => isOpenTo(person, site))
  const found = await summariesOf(person.app, open, period)
  const split = 'userId' in person ? await dismissalsOf(person.app.store.db, person.userId, period) : undefined
  return sites.map((site) => lineOf(site, found.get(site.id) ?? noSummary, split))
}

type MeasuredSite = Pick<ShownSite, 'id' | 'account_id' | 'time_zone'>

/** Of each of these sites, of one account or many. */
export async function summariesOf(
  { store: { db }, settings }: App,
  sites: readonly MeasuredSite[],
  period: Period,
): Promise<Map<number, SiteSummary>> {
  const kept = summariesOn(settings)
  const versions = await readMeasuredVersions(db, new Set(sites.map((site) => site.account_id)))
  const nameOf = (site: MeasuredSite) =>
    JSON.stringify([site.id, versions.get(site.account_id) ?? neverMeasured, site.time_zone, period.from, period.to, period.before])
  const found = new Map<number, SiteSummary>()
  const missing = sites.filter((site) => {
    const known = kept.get(nameOf(site))
    if (known !== undefined) found.set(site.id, known)
    return known === undefined
  })
  for (const [accountId, some] of Map.groupBy(missing, (site) => site.account_id)) {
    const sources = await readSources(db, accountId)
    for (let start = 0; start < some.length; start += sitesAtOnce) {
      const batch = some.slice(start, start + sitesAtOnce)
      const summaries = await summarize(db, batch, sources, period)
      for (const site of batch) found.set(site.id, kept.set(nameOf(site), summaries.get(site.id) ?? noSummary))
    }
  }
  return found
}

export const noSummary: SiteSummary = {
  standings: new StandingsOf().standings(),
  course: noCourse,
  mean: null,
  slots: [],
  measuredOn: null,
  rating: null,
  ratingBefore: null,
  newReviews: null,
  badReviews: 0,
  badReviewsBefore: null,
}

function lineOf(site: ShownSite, summary: SiteSummary, split?: Awaited<ReturnType<typeof dismissalsOf>>): HomeLine {
  const reasons = site.business_state === 'deactivated' ? [] : reasonsOf(summary)
  return { site, ...summary, ...(split?.(site.id, reasons) ?? { reasons, dismissed: [] }) }
}

/** All sites must belong to one account. */
export async function summarize(
  db: Kysely<Tables>,
  sites: readonly MeasuredSite[],
  sources: readonly Source[],
  period: Period,
  /** Called with every series of the sites themselves. */
  seen: (subjectId: number, source: Source, daily: DailyRanks) => void = () => {},
): Promise<Map<number, SiteSummary>> {
  const { account_id: accountId, time_zone: zone } = sites[0] as (typeof sites)[number]
  const subjects = await readOwnSubjects(db, accountId, sites)
  const range = dayRangeOf(period)
  const positions = new Map(subjects.map((subject) => [subject.id, new SitePositions(range)]))
  const subjectIds = [...positions.keys()]
  const query = { accountId, subjectIds, from: firstDayOf(period), to: period.to, zone }
  await eachRanking(db, query, sources, ({ subject_id, phrase }, source, daily, isHeadline) => {
    seen(subject_id, source, daily)
    if (isHeadline) positions.get(subject_id)?.add(phrase, source, daily)
  })
  const unmeasured = subjectIds.filter((id) => positions.get(id)?.lastDay() === null)
  const last = await lastRankedAt(db, accountId, unmeasured)
  const pages = subjectIds.length === 0 ? [] : await readPages(db, { account_id: accountId }, subjectIds)
  const reviews = await readReviewStats(db, pages, accountId, period.to)
  return new Map(
    subjects.map(({ id, site_id }) => {
      const own = positions.get(id) as SitePositions
      const measuredOn = own.lastDay() ?? lastRankedDay(last, id, zone, period)
      return [site_id, { ...own.figures(), measuredOn, ...reviewSummary(reviews.get(id) ?? new ReviewStats(), period) }]
    }),
  )
}

export function readOwnSubjects(db: Kysely<Tables>, accountId: number, sites: readonly Pick<ShownSite, 'id'>[]) {
  const subjects = db.selectFrom('subjects').select(['id', 'site_id']).where('account_id', '=', accountId).where('domain', '=', '')
  return subjects
    .where(
      'site_id',
      'in',
      sites.map((site) => site.id),
    )
    .execute()
}

class SitePositions {
  readonly #range: DayRange
  readonly #trend: VisibilityTrend
  readonly #standings = new StandingsOf()
  readonly #course: CourseOf
  #last = -1

  constructor(range: DayRange) {
    this.#range = range
    this.#course = new CourseOf(range)
    this.#trend = new VisibilityTrend(range)
  }

  add(phrase: string, source: Source, daily: DailyRanks): void {
    this.#course.add(phrase, source, daily.ranks)
    this.#trend.add(daily.ranks)
    this.#standings.add(phrase, rankNow(daily.ranks, this.#range), rankBefore(daily.ranks, this.#range))
    this.#last = Math.max(this.#last, lastMeasured(daily.ranks, 0, this.#range.end))
  }

  lastDay(): string | null {
    return this.#last < 0 ? null : dayText(this.#range.first + this.#last)
  }

  figures() {
    const [standings, course] = [this.#standings.standings(), this.#course.course()]
    return { standings, course, mean: this.#trend.mean(), slots: this.#trend.slots() }
  }
}

/** The figures about reviews that decide whether a site needs attention. */
export function reviewSummary(stats: ReviewStats, { from, to, before }: Period) {
  const isKnown = stats.total(to).count > 0
  const bad = (span: { from: string; to: string }) => {
    const [one, two] = stats.stars(span.from, span.to)
    return one + two
  }
  return {
    rating: ratingOf(stats.total(to)),
    ratingBefore: before ? ratingOf(stats.total(before.to)) : null,
    newReviews: isKnown ? stats.total(to, from).count : null,
    badReviews: bad({ from, to }),
    badReviewsBefore: before ? bad(before) : null,
  }
}
