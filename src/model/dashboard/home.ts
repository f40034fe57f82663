/** The list of sites: for each the few figures that say whether it needs someone. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { type App, perApp } from '../core/app.ts'
import type { PersonCaller } from '../core/caller.ts'
import { neverMeasured, readMeasuredVersions } from '../core/report-version.ts'
import { isOpenTo, listVisibleSites, type ShownSite } from '../people/visible-sites.ts'
import { type DayRange, dayRangeOf, type Period, PositionStats, placeBefore, placeNow } from './positions.ts'
import { eachRanking, readSources } from './ranking-series.ts'
import { readPages } from './reputation.ts'
import { type ReviewStats, ratingOf, readReviewStats } from './review-counts.ts'

export interface SiteSummary {
  readonly average: number | null
  readonly averageBefore: number | null
  readonly slots: readonly (number | null)[]
  /** Keywords, each counted once per engine and locale. */
  readonly top10: number | null
  readonly top10Before: number | null
  readonly measuredOn: string | null
  readonly rating: number | null
  readonly ratingBefore: number | null
  readonly newReviews: number | null
}

export interface HomeLine extends SiteSummary {
  readonly site: ShownSite
}

/** What was added up stays true until something else is measured of the account: the version of that is part of the name. */
const summariesOn = perApp((_: App) => new Map<string, SiteSummary>())
const mostKept = 20_000
const sitesAtOnce = 50

export async function homeFigures(person: PersonCaller, period: Period): Promise<HomeLine[]> {
  const sites = await listVisibleSites(person)
  const kept = summariesOn(person.app)
  const versions = await readMeasuredVersions(person.app.store.db, new Set(sites.map((site) => site.account_id)))
  const nameOf = (site: ShownSite) => `${site.id} ${versions.get(site.account_id) ?? neverMeasured} ${period.from} ${period.to}`
  const missing = sites.filter((site) => isOpenTo(person, site) && !kept.has(nameOf(site)))
  if (kept.size + missing.length > mostKept) kept.clear()
  for (const [accountId, some] of Map.groupBy(missing, (site) => site.account_id)) {
    for (let start = 0; start < some.length; start += sitesAtOnce) {
      const batch = some.slice(start, start + sitesAtOnce)
      const summaries = await summarize(person.app.store.db, accountId, batch, period)
      for (const site of batch) kept.set(nameOf(site), summaries.get(site.id) ?? nothing)
    }
  }
  return sites.map((site) => ({ site, ...((isOpenTo(person, site) && kept.get(nameOf(site))) || nothing) }))
}

const nothing: SiteSummary = {
  average: null,
  averageBefore: null,
  slots: [],
  top10: null,
  top10Before: null,
  measuredOn: null,
  rating: null,
  ratingBefore: null,
  newReviews: null,
}

async function summarize(
  db: Kysely<Tables>,
  accountId: number,
  sites: readonly ShownSite[],
  period: Period,
): Promise<Map<number, SiteSummary>> {
  const subjects = await readOwnSubjects(db, accountId, sites)
  const stretch = dayRangeOf(period)
  const owned = new Map(subjects.map((subject) => [subject.id, new Positions(stretch)]))
  const subjectIds = [...owned.keys()]
  const reach = { accountId, subjectIds, from: period.before.from, to: period.to, isWanted: () => true }
  await eachRanking(db, reach, await readSources(db, accountId), (keyword, _, ranks) => owned.get(keyword.subject_id)?.add(ranks))
  const pages = subjectIds.length === 0 ? [] : await readPages(db, { account_id: accountId }, subjectIds)
  const tallies = await readReviewStats(db, new Map(pages.map((page) => [page.id, page.subject_id])), accountId, period.to)
  return new Map(
    subjects.map(({ id, site_id }) => [site_id, { ...(owned.get(id) as Positions).summary(), ...reviewsOf(tallies.get(id), period) }]),
  )
}

function readOwnSubjects(db: Kysely<Tables>, accountId: number, sites: readonly ShownSite[]) {
  const subjects = db.selectFrom('subjects').select(['id', 'site_id']).where('account_id', '=', accountId).where('domain', '=', '')
  return subjects
    .where(
      'site_id',
      'in',
      sites.map((site) => site.id),
    )
    .execute()
}

class Positions {
  readonly #tally: PositionStats
  readonly #now: (number | null)[] = []
  readonly #before: (number | null)[] = []

  constructor(stretch: DayRange) {
    this.#tally = new PositionStats(stretch)
  }

  add(ranks: Int16Array): void {
    this.#tally.add(ranks)
    this.#now.push(placeNow(ranks, this.#tally.stretch))
    this.#before.push(placeBefore(ranks, this.#tally.stretch))
  }

  summary() {
    return {
      average: this.#tally.average(),
      averageBefore: this.#tally.averageBefore(),
      slots: this.#tally.slots(),
      top10: amongTop10(this.#now),
      top10Before: amongTop10(this.#before),
      measuredOn: this.#tally.lastDay(),
    }
  }
}

function amongTop10(places: readonly (number | null)[]): number | null {
  const measured = places.filter((place) => place !== null)
  return measured.length === 0 ? null : measured.filter((place) => place > 0 && place <= 10).length
}

function reviewsOf(tally: ReviewStats | undefined, period: Period) {
  if (!tally) return { rating: null, ratingBefore: null, newReviews: null }
  return {
    rating: ratingOf(tally.total(period.to)),
    ratingBefore: ratingOf(tally.total(period.before.to)),
    newReviews: tally.total(period.to, period.from).count,
  }
}
