/** How one site is doing: the figures of its search page and its reputation page, by the functions that make those pages. */

import type { SiteSummaryRecord, SummaryMove } from '../../../resources/figures/summary.ts'
import { trackedName } from '../../../resources/tracked.ts'
import type { SiteReader } from '../../people/visible-sites.ts'
import { reviewSummary } from '../home.ts'
import { isShare, type OwnFigure, totalOfDays } from '../own-figures.ts'
import type { KeywordLine } from '../own-lines.ts'
import type { ChosenPeriod } from '../periods/chosen-period.ts'
import type { Period } from '../positions.ts'
import { newestLow, quoteOf } from '../reputation/low-reviews.ts'
import { type ReputationFigures, reputationFigures } from '../reputation/reputation.ts'
import { type ReviewStats, ratingOf } from '../reputation/review-counts.ts'
import type { Rival } from '../rivals.ts'
import { type SearchFigures, searchFigures } from '../search.ts'
import { type SiteFigures, siteFigures } from '../site.ts'
import { bandNames } from '../week-bands.ts'
import { movedLines } from './moves.ts'
import { differenceOf, type NamedSite, rounded, siteLineOf } from './site-line.ts'

/** As many as fit into an answer that is read at a glance, together below 4 KB as a rule. */
const most = { moves: 5, gaps: 3, competitors: 3, sources: 3, ownFigures: 3 }

const allSeries = { engine: null, locale: null, device: null, location: null, isSplit: false }

export async function siteSummaryOf(reader: SiteReader, site: NamedSite, period: ChosenPeriod): Promise<SiteSummaryRecord> {
  const search = await searchFigures(reader, site, { period, zone: site.time_zone, ...allSeries })
  const figures = await siteFigures(reader, site, period)
  const reputation = await reputationFigures(reader, site, period)
  const { shown: low } = await newestLow(reader, site, reputation.pages, period)
  return {
    ...lineOf(site, period, search, reputation),
    ...linksOf(figures),
    clicks: search.clicks.now.length === 0 ? null : totalOfDays(search.clicks.now, false),
    reviews: reputation.own.total(period.to).count,
    ...distributionOf(search),
    ...movesOf(search, period),
    gaps: gapsOf(search),
    competitors: rivalsOf(search.rivals),
    sources: sourcesOf(reputation.own, period),
    low_review_quotes: low.map((review) => ({ date: review.date, rating: review.rating, source: review.source, quote: quoteOf(review) })),
    own_figures: search.ownFigures.slice(0, most.ownFigures).map(ownSumOf),
  }
}

function lineOf(site: NamedSite, period: Period, search: SearchFigures, { own }: ReputationFigures) {
  const line = siteLineOf(site, period, { ...search, mean: search.trend.mean(), ...reviewSummary(own, period) })
  // Where no ranks are measured, the page tells what search engines tell.
  const average = search.standings.now.pairs > 0 ? line.average_position : rounded(search.averages.at(-1)?.average ?? null)
  return { ...line, average_position: average }
}

function linksOf({ now, before, backlinks }: SiteFigures) {
  return {
    backlinks: now.backlink_count,
    backlinks_change: differenceOf(now.backlink_count, before.backlink_count),
    new_backlinks: backlinks.ids.length,
    domain_authority: now.domain_authority,
  }
}

function distributionOf({ weeks }: SearchFigures) {
  const last = weeks.findLast(({ amounts }) => amounts.some((amount) => amount > 0))
  return {
    distribution_week: last?.week ?? null,
    distribution: last === undefined ? [] : bandNames.map((positions, index) => ({ positions, amount: last.amounts[index] ?? 0 })),
  }
}

function movesOf({ keywords }: SearchFigures, period: Period) {
  const { better, worse } = movedLines(keywords, period) ?? { better: [], worse: [] }
  return {
    better: better.slice(0, most.moves).map(moveOf),
    better_count: better.length,
    worse: worse.slice(0, most.moves).map(moveOf),
    worse_count: worse.length,
  }
}

function moveOf({ keywordId, phrase, source, before, now }: KeywordLine): SummaryMove {
  return {
    keyword_id: keywordId,
    phrase,
    search_engine: trackedName(source),
    locale: source.locale,
    rank_before: before || null,
    rank: now || null,
  }
}

/** The longest first. */
function gapsOf({ course }: SearchFigures) {
  const longest = course.gaps.toSorted((a, b) => b.days - a.days).slice(0, most.gaps)
  return longest.map(({ from, to, days, engine }) => ({ start_date: from, end_date: to, days, search_engine: engine }))
}

/** The strongest first, as on the page. */
function rivalsOf(rivals: readonly Rival[]) {
  const compared = rivals.filter(({ visibility }) => visibility !== null).toSorted((a, b) => (b.visibility ?? 0) - (a.visibility ?? 0))
  return compared.slice(0, most.competitors).map(({ domain, visibility, ownVisibility }) => ({
    domain,
    visibility: rounded(visibility) ?? 0,
    own_visibility: rounded(ownVisibility),
  }))
}

function sourcesOf(own: ReviewStats, { from, to }: Period) {
  const lines = own.sources().map((source) => ({ source, all: own.total(to, undefined, source) }))
  const known = lines.filter(({ all }) => all.count > 0).toSorted((a, b) => b.all.count - a.all.count || (a.source < b.source ? -1 : 1))
  return known.slice(0, most.sources).map(({ source, all }) => ({
    source,
    rating: rounded(ratingOf(all)),
    reviews: all.count,
    new_reviews: own.total(to, from, source).count,
  }))
}

function ownSumOf({ figure, unit, now }: OwnFigure) {
  return { figure, unit, value: totalOfDays(now, isShare(unit)), days: now.length }
}
