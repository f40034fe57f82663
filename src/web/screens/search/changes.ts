/** What changed in the period: keywords that got better and worse, the newest low reviews, and who is ahead. On the screen and on paper. */

import { type Html, html } from '../../../lib/html.ts'
import type { KeywordLine } from '../../../model/dashboard/own-lines.ts'
import { newestLow, quoteOf } from '../../../model/dashboard/reputation/low-reviews.ts'
import { readPages } from '../../../model/dashboard/reputation/reputation.ts'
import type { ShownReview } from '../../../model/dashboard/reputation/review-list.ts'
import type { Rival } from '../../../model/dashboard/rivals.ts'
import { readRankedSubjects } from '../../../model/dashboard/search.ts'
import { movedLines } from '../../../model/dashboard/summary/moves.ts'
import type { ShownSite } from '../../../model/people/visible-sites.ts'
import { changeHtml, outsideLink } from '../../components/components.ts'
import { domainName, sourceName } from '../../components/names.ts'
import { pointsChange, type Words } from '../../components/number-format.ts'
import { periodQuery } from '../../components/period.ts'
import { card } from '../../components/site-frame.ts'
import { hrefWith, type ReaderPageRequest } from '../../page-request.ts'
import { rankChange, sourceLabel } from '../keywords.ts'
import { starsHtml } from '../reviews/review.ts'
import type { SearchContent } from './content.ts'

const mostMoves = { screen: 5, paper: 8 } as const
const mostAhead = 6

/** Null where nothing moved, or nothing is compared. */
export function changesCards(request: ReaderPageRequest, siteId: number, content: SearchContent): Html | null {
  const moved = movedLines(content.search.keywords, content.period)
  if (moved === null) return null
  const since = request.words.day(moved.since)
  // What is the same for all need not be said by each.
  const { sources } = content.search
  const isInSeveralLocales = new Set(sources.map(({ locale }) => locale)).size > 1
  const labelOf = (line: KeywordLine) => (sources.length > 1 ? sourceLabel(line.source, isInSeveralLocales) : null)
  return html`
    ${card(movesHtml(request, siteId, `Better since ${since}`, moved.better, labelOf), 'w6')}
    ${card(movesHtml(request, siteId, `Worse since ${since}`, moved.worse, labelOf), 'w6')}
  `
}

/** Names the engine of a line where there are several. */
type Labelling = (line: KeywordLine) => string | null

function movesHtml(request: ReaderPageRequest, siteId: number, title: string, lines: readonly KeywordLine[], labelOf: Labelling): Html {
  const { words } = request
  const shown = lines.slice(0, request.query.get('print') === 'all' ? mostMoves.paper : mostMoves.screen)
  const keywords = new Set(lines.map(({ keywordId }) => keywordId)).size
  return html`
    <div class="card-head"><h2>${title}</h2><span class="quiet">${words.count(keywords, 'keyword')}</span></div>
    ${lines.length === 0 ? html`<p class="quiet">None.</p>` : null}
    <ul class="moves">${shown.map((line) => moveHtml(request, siteId, line, labelOf(line)))}</ul>
    ${lines.length > shown.length ? html`<p class="note"><a href="${hrefWith(request, { sort: 'change', order: title.startsWith('Better') ? 'down' : 'up', page: null })}#keywords">All in the table</a></p>` : null}
  `
}

function moveHtml(request: ReaderPageRequest, siteId: number, line: KeywordLine, label: string | null): Html {
  const { words } = request
  return html`
    <li>
      <span><a href="/sites/${siteId}/keywords/${line.keywordId}${periodQuery(request)}" dir="auto">${line.phrase}</a>
        ${label === null ? null : html`<small class="quiet">${label}</small>`}</span>
      <span class="quiet">${placeText(words, line.before)} → ${placeText(words, line.now)}</span>
      ${changeHtml(rankChange(words, line))}
    </li>
  `
}

export function placeText(words: Words, rank: number | null): string {
  return rank === null || rank === 0 ? '–' : words.whole(rank)
}

/** The newest reviews of one and two stars of the period; null if there are none. */
export async function lowReviewsCard(request: ReaderPageRequest, site: ShownSite, { period }: SearchContent): Promise<Html | null> {
  const { reader } = request
  const { own } = await readRankedSubjects(reader.app.store.db, site)
  const pages = own === null ? [] : await readPages(reader.app.store.db, site, [own])
  const { shown, total } = await newestLow(reader, site, pages, period)
  if (shown.length === 0) return null
  const all = `/sites/${site.id}/reputation${periodQuery(request)}#reviews`
  return card(
    html`
      <div class="card-head"><h2>New low reviews</h2><a class="no-print" href="${all}">${shown.length} of ${request.words.whole(total)}</a></div>
      <ul class="told low">${shown.map((review) => lowReviewHtml(request, review))}</ul>
    `,
    'w6',
  )
}

function lowReviewHtml({ words }: ReaderPageRequest, review: ShownReview): Html {
  const { rating, source, date, url } = review
  return html`<li>${starsHtml(rating)} <span dir="auto">${quoteOf(review)}</span> <small class="quiet">${sourceName(source)} · ${words.day(date)} · ${outsideLink(url, 'Open at the source')}</small></li>`
}

/** One row for each competitor with the visibility of both on the keywords measured for both; null without competitors. */
export function aheadCard(request: ReaderPageRequest, { search }: SearchContent): Html | null {
  const { words } = request
  const compared = search.rivals.filter((rival) => rival.visibility !== null).toSorted((a, b) => (b.visibility ?? 0) - (a.visibility ?? 0))
  if (compared.length === 0) return null
  return card(
    html`
      <div class="card-head"><h2>Who is ahead</h2><a class="no-print" href="${hrefWith(request, { competitors: 'all' })}#competitors">All figures</a></div>
      <table class="ahead">
        <caption class="sr">Visibility of competitors and of this site, on the keywords measured for both</caption>
        <thead><tr><th scope="col">Competitor</th><th scope="col" class="n">Visibility</th><th scope="col" class="n">This site</th></tr></thead>
        <tbody>${compared.slice(0, mostAhead).map((rival) => aheadRow(words, rival))}</tbody>
      </table>
      <p class="note">Each on the keywords measured for both.${compared.length > mostAhead ? ` There are ${words.count(compared.length - mostAhead, 'more competitor')}.` : null}</p>
    `,
    'w6',
  )
}

function aheadRow(words: Words, { domain, visibility, ownVisibility, since }: Rival): Html {
  const isAhead = (visibility ?? 0) > (ownVisibility ?? 0)
  return html`
    <tr>
      <th scope="row">${domainName(domain)}<small>${isAhead ? 'ahead' : visibility === ownVisibility ? 'level' : 'behind'}</small></th>
      <td class="n">${words.decimal(visibility ?? 0)} ${changeHtml(since && pointsChange(words, since.now, since.before), 'only if any')}</td>
      <td class="n">${words.decimal(ownVisibility ?? 0)}</td>
    </tr>
  `
}
