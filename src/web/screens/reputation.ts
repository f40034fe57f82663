/** A site's reputation page: what people say about it, how that changes, where, and against whom. */

import { notFound } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { reputationFigures, type Stars } from '../../model/dashboard/reputation.ts'
import { ratingOf } from '../../model/dashboard/review-counts.ts'
import { listReviews } from '../../model/dashboard/review-list.ts'
import { openSite } from '../../model/people/visible-sites.ts'
import { chartHtml } from '../charts/frame.ts'
import { changeHtml, type Figure, figuresHtml, outsideLink } from '../components/components.ts'
import { csvAnswer, csvPath } from '../components/csv.ts'
import { amountChange, ratingChange, shareChange } from '../components/number-format.ts'
import { periodOf } from '../components/period.ts'
import { card, sitePage } from '../components/site-frame.ts'
import { tableHtml } from '../components/tables.ts'
import { idFrom, type PageAnswer, type ReaderPageRequest } from '../page-request.ts'
import { ratingsChart, starsChart } from './reputation-charts.ts'
import {
  competitorRatingsTable,
  type ReputationContent,
  type ReputationTableName,
  reputationTables,
  sourceLines,
} from './reputation-tables.ts'
import { filterOf, pageOf, reviewsAtOnce, reviewsCard } from './reviews.ts'

const mostInCsv = 100_000
const doubtfulMatch = 80

export async function showReputation(request: ReaderPageRequest): Promise<PageAnswer> {
  const { site, figures, period, filter } = await readFigures(request)
  const list = await listReviews(request.reader, site, figures.pages, filter, {
    skip: (pageOf(request) - 1) * reviewsAtOnce,
    most: reviewsAtOnce,
  })
  const content: ReputationContent = { period, domain: site.domain, figures, reviews: list.reviews }
  const sources = [...new Set(figures.pages.map((page) => page.source))].toSorted()
  const main = html`
    ${figuresHtml(figuresOf(request, content))}
    ${card(chartHtml(request.words, ratingsChart(request, content)), 'w8')}
    ${card(chartHtml(request.words, starsChart(request, content)), 'w4')}
    ${sourcesCard(request, content)}
    ${competitorsCard(request, content)}
    ${reviewsCard(request, list, filter, sources)}
  `
  return sitePage(request, { site, period, tab: 'reputation', lead: leadOf(request, content), main })
}

export async function reputationCsv(request: ReaderPageRequest): Promise<PageAnswer> {
  const name = request.query.get('table') ?? ''
  const make = Object.entries(reputationTables).find(([known]) => known === name)?.[1] ?? notFound('page')
  const { site, figures, period, filter } = await readFigures(request)
  const isList = name === ('reviews' satisfies ReputationTableName)
  const { reviews } = await listReviews(request.reader, site, isList ? figures.pages : [], filter, { skip: 0, most: mostInCsv })
  return csvAnswer(`${site.domain}-${name}`, make({ period, domain: site.domain, figures, reviews }))
}

async function readFigures(request: ReaderPageRequest) {
  const { reader } = request
  const period = periodOf(request)
  const site = await openSite(reader, idFrom(request.params['site_id']))
  return { site, period, filter: filterOf(request, period), figures: await reputationFigures(reader, site, period) }
}

function figuresOf({ words }: ReaderPageRequest, content: ReputationContent): Figure[] {
  const { period, figures } = content
  const [all, allBefore] = [figures.own.total(period.to), figures.own.total(period.before.to)]
  const [fresh, freshBefore] = [
    figures.own.total(period.to, period.from).count,
    figures.own.total(period.before.to, period.before.from).count,
  ]
  const [rating, bad] = [ratingOf(all), badShare(figures.stars.now)]
  const rated = sourceLines(content).toSorted((a, b) => (ratingOf(b.all) ?? 0) - (ratingOf(a.all) ?? 0))
  const named = (line: (typeof rated)[number] | undefined) =>
    line ? { value: `${line.name} ${words.decimal(ratingOf(line.all) ?? 0)}`, isWords: true } : { value: null, note: 'no reviews' }
  return [
    {
      label: `Rating, from ${words.count(all.count, 'review')}`,
      value: rating === null ? null : words.decimal(rating),
      change: ratingChange(words, rating, ratingOf(allBefore)),
      href: '#ratings',
      ...(rating === null && { note: 'no reviews' }),
    },
    { label: 'New reviews', value: words.whole(fresh), change: amountChange(words, fresh, freshBefore), href: '#reviews' },
    {
      label: 'Share of 1–2 stars',
      value: bad === null ? null : words.percent(bad),
      change: shareChange(words, bad, badShare(figures.stars.before)),
      href: '#stars',
      ...(bad === null && { note: 'no reviews' }),
    },
    { label: 'Best source', ...named(rated[0]), href: '#sources' },
    {
      label: 'Worst source',
      ...named(rated.length > 1 ? rated.at(-1) : undefined),
      href: '#sources',
      ...(rated.length < 2 && { note: 'fewer than two sources' }),
    },
  ]
}

function badShare(stars: Stars): number | null {
  const total = stars.reduce((sum, amount) => sum + amount, 0)
  return total === 0 ? null : (stars[0] + stars[1]) / total
}

function leadOf({ words }: ReaderPageRequest, { period, figures }: ReputationContent): string {
  const rating = ratingOf(figures.own.total(period.to))
  const fresh = figures.own.total(period.to, period.from).count
  if (rating === null) return 'Nobody has reviewed this business yet, as far as we know.'
  const change = ratingChange(words, rating, ratingOf(figures.own.total(period.before.to)))
  const moved = !change || change.direction === 'same' ? 'unchanged' : change.words
  const news = fresh === 0 ? 'No new reviews in this period.' : `${words.count(fresh, 'new review')}${freshRating(words, figures, period)}.`
  return `Rated ${words.decimal(rating)} of 5, ${moved} since ${words.day(period.from)}. ${news}`
}

function freshRating(
  words: ReaderPageRequest['words'],
  figures: ReputationContent['figures'],
  { from, to }: ReputationContent['period'],
): string {
  const rating = ratingOf(figures.own.total(to, from))
  return rating === null ? '' : `, ${words.decimal(rating)} stars on average`
}

function sourcesCard(request: ReaderPageRequest, content: ReputationContent): Html {
  const { words } = request
  const { pages } = content.figures
  const rows = sourceLines(content).map(({ name, all, allBefore, fresh }) => {
    const [first, ...others] = pages.filter((page) => page.source === name)
    const doubtful = [first, ...others].find((page) => page && page.match_confidence < doubtfulMatch)
    const more = others.map((page, index) => html` ${outsideLink(page.page_url, `page ${index + 2}`)}`)
    return html`
      <tr>
        <th scope="row">
          ${first ? outsideLink(first.page_url, name) : name}
          ${more}
          <small>
            ${doubtful ? `perhaps not this business: match ${words.percent(doubtful.match_confidence / 100)}` : null}
          </small>
        </th>
        <td class="n">
          ${words.decimal(ratingOf(all) ?? 0)} ${changeHtml(ratingChange(words, ratingOf(all), ratingOf(allBefore)), 'only if any')}
        </td>
        <td class="n">${words.whole(all.count)}</td>
        <td class="n">${words.whole(fresh)}</td>
      </tr>
    `
  })
  const updated = pages
    .map((page) => page.last_updated)
    .toSorted()
    .at(-1)
  const table = html`
    <div class="scroll" tabindex="0" role="region" aria-label="By source">
      <table>
        <caption class="sr">Rating and reviews by source</caption>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col" class="n">Rating</th>
            <th scope="col" class="n">Reviews</th>
            <th scope="col" class="n">New</th>
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  `
  return card(
    html`
      <div class="card-head" id="sources">
        <h2>By source</h2>
        <a class="no-print" href="${csvPath(request, 'sources')}" download>Download as CSV</a>
      </div>
      ${rows.length === 0 ? html`<p class="quiet">No review page of this business is known.</p>` : table}
      ${updated ? html`<p class="note">Last updated ${words.day(updated)}.</p>` : null}
    `,
    'w5',
  )
}

function competitorsCard(request: ReaderPageRequest, content: ReputationContent): Html {
  const isAlone = content.figures.rivals.length === 0
  return card(
    html`
      <div class="card-head" id="competitors">
        <h2>Against competitors</h2>
        <a class="no-print" href="${csvPath(request, 'competitors')}" download>Download as CSV</a>
      </div>
      ${isAlone ? html`<p class="quiet">No competitors are tracked for this site.</p>` : tableHtml(request.words, competitorRatingsTable(content))}
    `,
    'w7',
  )
}
