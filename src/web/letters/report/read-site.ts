/** Reads one site of a mailed report in full, as a guest with a share link would see its pages. */

import { dayNumber, daysLater } from '../../../lib/time/days.ts'
import { reasonsOf } from '../../../model/dashboard/attention/attention.ts'
import { reviewSummary } from '../../../model/dashboard/home.ts'
import type { KeywordLine } from '../../../model/dashboard/own-lines.ts'
import { newestLow, quoteOf } from '../../../model/dashboard/reputation/low-reviews.ts'
import { listReviews } from '../../../model/dashboard/reputation/review-list.ts'
import { movedLines } from '../../../model/dashboard/summary/moves.ts'
import type { ShownSite } from '../../../model/people/visible-sites.ts'
import { lineColor } from '../../components/accent-color.ts'
import type { Figure } from '../../components/components.ts'
import { domainName, sourceName } from '../../components/names.ts'
import type { Words } from '../../components/number-format.ts'
import type { ReaderPageRequest } from '../../page-request.ts'
import { rankChange, sourceLabel } from '../../screens/keywords.ts'
import { reasonText } from '../../screens/reasons.ts'
import { readReputation } from '../../screens/reputation.ts'
import { reputationFigureList, reputationLead } from '../../screens/reputation-lead.ts'
import { placeText } from '../../screens/search/changes.ts'
import type { SearchContent } from '../../screens/search/content.ts'
import { hasNothing, readSearch } from '../../screens/search.ts'
import { searchFigureList, searchLead } from '../../screens/search-lead.ts'
import type { Letterhead } from '../letter.ts'
import { lineDrawing } from '../line-drawing.ts'
import type { MailedFigure, MailedMove, MailedMoves, MailedReviews, MailedSite } from './mailed-report.ts'

const mostMoves = 3
const mostReviews = 2

export async function readSite(request: ReaderPageRequest, { accent }: Letterhead): Promise<MailedSite> {
  const { words } = request
  const { site, content: search } = await readSearch(request)
  const { period, figures } = await readReputation(request)
  const reputation = { period, domain: site.domain, figures, reviews: [] }
  const { from, to } = search.period
  // What was never bought takes no line; where nothing is known at all, the search page says so.
  const isReviewed = figures.own.total(to).count > 0
  const isSearched = !hasNothing(search) || !isReviewed
  return {
    id: site.id,
    path: `/sites/${site.id}/${isSearched ? 'search' : 'reputation'}?from=${from}&to=${to}`,
    name: domainName(site.domain),
    businessName: site.business_name,
    sentences: [...(isSearched ? [searchLead(request, search)] : []), ...(isReviewed ? [reputationLead(request, reputation)] : [])],
    figures: [...searchFigureList(request, search), ...reputationFigureList(request, reputation)].flatMap(mailedFigure),
    charts: chartsOf(words, search, lineColor(accent)),
    attention: reasonsOf({ ...search.search, ...reviewSummary(figures.own, search.period) }).map((reason) => reasonText(words, reason)),
    moves: movesOf(words, search),
    reviews: await reviewsOf(request, site, figures.pages, search),
  }
}

/** Figures that were not measured are left out; the sentences mention them. */
function mailedFigure({ label, value, change = null, note = '' }: Figure): MailedFigure[] {
  return value === null ? [] : [{ label, value, change, note }]
}

/** The chart of the figure that leads the page, over the days that are compared. */
function chartsOf(words: Words, { search, period }: SearchContent, color: string): MailedSite['charts'] {
  const { before } = period
  const points = search.trend.days(period).map(({ day, visibility }) => ({ day, value: visibility }))
  const shift = before === null ? 0 : dayNumber(period.from) - dayNumber(before.from)
  const all =
    before === null ? [] : search.trend.days(before).map(({ day, visibility }) => ({ day: daysLater(day, shift), value: visibility }))
  const earlier = all.filter(({ day }) => day <= period.to)
  const chart = { words, from: period.from, to: period.to, points, before: earlier, color }
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return []
  const grey = earlier.length === 0 || before === null ? '' : `; the grey line is ${words.span(before.from, before.to)}`
  const course = `from ${words.decimal(first.value)} on ${words.day(first.day)} to ${words.decimal(last.value)} on ${words.day(last.day)}`
  return [{ title: `Visibility over time, of 100${grey}`, alt: `Visibility ${course}`, draw: (place) => lineDrawing(chart, place) }]
}

function movesOf(words: Words, content: SearchContent): MailedMoves[] {
  const moved = movedLines(content.search.keywords, content.period)
  if (moved === null) return []
  const isOnSeveral = content.search.sources.length > 1
  const told = (title: string, lines: readonly KeywordLine[]): MailedMoves[] => {
    const moves = lines.slice(0, mostMoves).flatMap((line) => moveOf(words, line, isOnSeveral))
    return moves.length === 0 ? [] : [{ title: `${title} since ${words.day(moved.since)}`, moves }]
  }
  return [...told('Better', moved.better), ...told('Worse', moved.worse)]
}

function moveOf(words: Words, line: KeywordLine, isOnSeveral: boolean): MailedMove[] {
  const change = rankChange(words, line)
  if (change === null) return []
  const source = isOnSeveral ? sourceLabel(line.source, true) : ''
  return [{ phrase: line.phrase, source, from: placeText(words, line.before), to: placeText(words, line.now), change }]
}

type Pages = Parameters<typeof newestLow>[2]

/** The newest low ones; where there are none, the newest. */
async function reviewsOf(
  request: ReaderPageRequest,
  site: ShownSite,
  pages: Pages,
  { period }: SearchContent,
): Promise<MailedReviews | null> {
  const { shown: low } = await newestLow(request.reader, site, pages, period)
  const filter = { from: period.from, to: period.to, stars: null, source: null, words: '' }
  const newest =
    low.length > 0 || pages.length === 0
      ? []
      : (await listReviews(request.reader, site, pages, filter, { skip: 0, most: mostReviews })).reviews
  const reviews = [...low, ...newest].slice(0, mostReviews).map((review) => ({
    stars: Math.max(0, Math.min(5, Math.round(review.rating))),
    text: quoteOf(review),
    from: `${sourceName(review.source)}, ${request.words.day(review.date)}`,
  }))
  return reviews.length === 0 ? null : { title: low.length > 0 ? 'New low reviews' : 'Newest reviews', reviews }
}
