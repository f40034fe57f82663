/** A site's reputation page: its ratings and reviews, how they change, by source, and compared with competitors. */

import { notFound } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { idIn } from '../../lib/text-kinds.ts'
import { reasonsOf } from '../../model/dashboard/attention/attention.ts'
import { noCourse } from '../../model/dashboard/attention/course.ts'
import { reviewSummary } from '../../model/dashboard/home.ts'
import { mostLinkedPages, reputationFigures } from '../../model/dashboard/reputation/reputation.ts'
import { mostReviewSources, ratingOf } from '../../model/dashboard/reputation/review-counts.ts'
import { eachReview, listReviews, type ShownReview } from '../../model/dashboard/reputation/review-list.ts'
import { marksOf } from '../../model/dashboard/reputation/review-marks.ts'
import { StandingsOf } from '../../model/dashboard/standing.ts'
import { mayEdit, openSite, type ShownSite } from '../../model/people/visible-sites.ts'
import { chartHtml } from '../charts/frame.ts'
import { changeHtml, figuresHtml, outsideLink } from '../components/components.ts'
import { csvPath, tableAnswer, tableInPieces, tableLinks } from '../components/csv.ts'
import { sourceName } from '../components/names.ts'
import { ratingChange } from '../components/number-format.ts'
import { periodOf } from '../components/period.ts'
import { appendixHead, card, emptyCard, otherHalf, sitePage } from '../components/site-frame.ts'
import { stackedTable } from '../components/tables.ts'
import type { PageAnswer, ReaderPageRequest } from '../page-request.ts'
import { attentionCard } from './reasons.ts'
import { noStarsSentence, ratingsChart, starsChart } from './reputation-charts.ts'
import { reputationFigureList, reputationLead } from './reputation-lead.ts'
import {
  competitorRatingsTable,
  type ReputationContent,
  type ReputationTableName,
  reputationTables,
  sourceLines,
} from './reputation-tables.ts'
import { filterOf, type Marking, pageOf, reviewsAtOnce, reviewsCard } from './reviews.ts'

/** Nobody would read a longer print. */
const mostOnPaper = 1_000

export async function showReputation(request: ReaderPageRequest): Promise<PageAnswer> {
  const { site, figures, period, filter } = await readReputation(request)
  const isWhole = request.query.get('print') === 'all'
  const list = await listReviews(request.reader, site, figures.pages, filter, {
    skip: isWhole ? 0 : (pageOf(request) - 1) * reviewsAtOnce,
    most: isWhole ? mostOnPaper : reviewsAtOnce,
  })
  const content: ReputationContent = { period, domain: site.domain, figures, reviews: list.reviews }
  const sources = [...figures.bySource.keys()].sort().slice(0, mostReviewSources)
  const isEmpty = figures.pages.length === 0 && figures.rivals.every(({ stats }) => stats.total(period.to).count === 0)
  const main = html`
    ${figuresHtml(reputationFigureList(request, content))}
    ${isWhole ? attentionCard(request.words, reasonsOf({ ...unranked, ...reviewSummary(figures.own, period) })) : null}
    ${card(chartHtml(request.words, ratingsChart(request, content), 8), 'w8')}
    ${starsCard(request, content)}
    ${sourcesCard(request, content, mayEdit(request.reader, site))}
    ${competitorsCard(request, content)}
    ${isWhole && list.total > 0 ? appendixHead(paperSentence(request, list.reviews.length, list.total)) : null}
    ${reviewsCard(request, list, filter, sources, {
      counted: countedSentence(request, content),
      last: figures.own.lastDay(period.to),
      marking: isWhole ? null : await markingOf(request, site, list.reviews),
    })}
  `
  return sitePage(request, {
    site,
    period,
    tab: 'reputation',
    lead: reputationLead(request, content),
    main: isEmpty ? emptyCard(html`${nothingKnown}${await otherHalf(request, site, 'search')}`) : main,
  })
}

/** Null for whoever may only look. */
async function markingOf({ reader }: ReaderPageRequest, site: ShownSite, reviews: readonly ShownReview[]): Promise<Marking | null> {
  if (!mayEdit(reader, site)) return null
  const named = reviews.map(({ source, key_hash }) => ({ source, review_hash: key_hash }))
  return { siteId: site.id, marks: await marksOf(reader.app.store.db, site.id, named) }
}

function starsCard(request: ReaderPageRequest, content: ReputationContent): Html {
  const chart = starsChart(request, content)
  const told = html`<h2 id="stars">Stars</h2><p>${noStarsSentence(content)}</p>`
  return card(chart === null ? told : chartHtml(request.words, chart, 4), 'w4')
}

/** Empty rankings, because this page is about reviews only. */
const unranked = { standings: new StandingsOf().standings(), course: noCourse, measuredOn: null }

/** Says how many reviews are left out. */
function paperSentence({ words }: ReaderPageRequest, shown: number, total: number): string {
  return shown < total
    ? `The newest ${words.whole(shown)} of ${words.count(total, 'review')}; the CSV file holds all.`
    : 'All reviews of this period.'
}

const nothingKnown = html`
  <h2>No review page of this business is known yet</h2>
  <p>
    As soon as pages with reviews are delivered for this business, ratings and reviews are shown here.
    The person who set up this account knows when that begins.
  </p>
`

export async function reputationCsv(request: ReaderPageRequest): Promise<PageAnswer> {
  const name = request.query.get('table') ?? ''
  const make = Object.entries(reputationTables).find(([known]) => known === name)?.[1] ?? notFound('page')
  const { site, figures, period, filter } = await readReputation(request)
  const tableOf = (reviews: readonly ShownReview[]) => make({ period, domain: site.domain, figures, reviews })
  if (name !== ('reviews' satisfies ReputationTableName)) return tableAnswer(request, `${site.domain}-${name}`, tableOf([]))
  return tableInPieces(request, `${site.domain}-${name}`, eachReview(request.reader, site, figures.pages, filter), tableOf)
}

export async function readReputation(request: ReaderPageRequest) {
  const { reader } = request
  const site = await openSite(reader, idIn(request.params['site_id']))
  const period = periodOf(request, site.time_zone)
  return { site, period, filter: filterOf(request, period, mayEdit(reader, site)), figures: await reputationFigures(reader, site, period) }
}

/** Says so if the source counts more or fewer reviews than it lists. */
function countedSentence({ words }: ReaderPageRequest, { period, figures: { own } }: ReputationContent): string | null {
  const [counted, listed] = [own.total(period.to, period.from).count, own.listed(period.to, period.from).count]
  if (counted === listed) return null
  const listing = listed === 0 ? 'none of them is listed' : `${words.whole(listed)} ${listed === 1 ? 'is' : 'are'} listed`
  return `The figures count ${words.count(counted, 'review')} in this period; ${listing}. Where a source reports how many reviews a day brought, that number counts.`
}

/** A page stays readable, and short to write, however many there are. */
const mostCompetitors = 100

/** Whether a page is of this business is asked of those who can see to it, and of nobody else. */
function sourcesCard(request: ReaderPageRequest, content: ReputationContent, isAsked: boolean): Html {
  const { words } = request
  const rows = sourceLines(content).map(({ name, all, allBefore, fresh }) => {
    const { linked: [first, ...others] = [], count = 0, doubtful = null } = content.figures.bySource.get(name) ?? {}
    const more = others.map((page, index) => html` ${outsideLink(page.page_url, `page ${index + 2}`)}`)
    return html`
      <tr>
        <th scope="row">
          ${first ? outsideLink(first.page_url, sourceName(name)) : sourceName(name)}
          ${more}
          ${count > mostLinkedPages ? ` and ${words.count(count - mostLinkedPages, 'more page')}` : null}
          <small>
            ${doubtful && isAsked ? `Is this page yours? It matches this business by ${words.percent(doubtful.match_confidence / 100)}.` : null}
          </small>
        </th>
        <td class="n">
          ${words.decimal(ratingOf(all) ?? 0)} ${changeHtml(ratingChange(words, ratingOf(all), allBefore && ratingOf(allBefore)), 'only if any')}
        </td>
        <td class="n">${words.whole(all.count)}</td>
        <td class="n">${words.whole(fresh)}</td>
      </tr>
    `
  })
  const updated = [...content.figures.bySource.values()].reduce(
    (latest, { lastUpdated }) => (lastUpdated > latest ? lastUpdated : latest),
    '',
  )
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
        <span class="no-print">${tableLinks(csvPath(request, 'sources'))}</span>
      </div>
      ${rows.length === 0 ? html`<p class="quiet">No review page of this business is known.</p>` : table}
      ${updated ? html`<p class="note">Last updated ${words.day(updated)}.</p>` : null}
    `,
    'w5',
  )
}

function competitorsCard(request: ReaderPageRequest, content: ReputationContent): Html {
  const { length } = content.figures.rivals
  const shown = competitorRatingsTable(content, mostCompetitors)
  return card(
    html`
      <div class="card-head" id="competitors">
        <h2>Against competitors</h2>
        ${length === 0 ? null : html`<span class="no-print">${tableLinks(csvPath(request, 'competitors'))}</span>`}
      </div>
      ${length === 0 ? html`<p class="quiet">No competitors are tracked for this site.</p>` : stackedTable(request.words, shown)}
      ${length > mostCompetitors ? html`<p class="note">The first ${request.words.whole(mostCompetitors)} competitors; the CSV has all.</p>` : null}
    `,
    'w7',
  )
}
