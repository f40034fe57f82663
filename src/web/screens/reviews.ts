/** The list of reviews: newest first, exactly as they were written, with filters in the query. */

import { type Html, html, raw } from '../../lib/html.ts'
import { daysLater } from '../../lib/time/days.ts'
import type { ReviewFilter, ReviewList, ShownReview } from '../../model/dashboard/reputation/review-list.ts'
import { keptFields, outsideLink } from '../components/components.ts'
import { csvPath, tableLinks } from '../components/csv.ts'
import { sourceName } from '../components/names.ts'
import type { ChosenPeriod } from '../components/period.ts'
import { card } from '../components/site-frame.ts'
import { hrefWith, type ReaderPageRequest } from '../page-request.ts'

export const reviewsAtOnce = 25
const foldedAt = 420

export function filterOf({ query }: ReaderPageRequest, { from, to }: ChosenPeriod): ReviewFilter {
  const stars = Number(query.get('stars'))
  return {
    from,
    to,
    stars: [1, 2, 3, 4, 5].includes(stars) ? stars : null,
    source: query.get('source') || null,
    words: (query.get('words') ?? '').slice(0, 200),
  }
}

export function pageOf({ query }: ReaderPageRequest): number {
  return Math.max(1, Math.min(10_000, Math.floor(Number(query.get('page')) || 1)))
}

export function reviewsCard(
  request: ReaderPageRequest,
  list: ReviewList,
  filter: ReviewFilter,
  sources: readonly string[],
  { counted, last }: { readonly counted: string | null; readonly last: string | null },
): Html {
  return card(
    html`
      <div class="card-head" id="reviews">
        <h2>Reviews</h2>
        <span class="no-print">${tableLinks(csvPath(request, 'reviews'))}</span>
      </div>
      ${filterForm(request, filter, sources)}
      <p class="quiet" role="status">${toldOf(request, list, filter, counted !== null)}</p>
      ${last !== null && last < filter.from ? earlierReviews(request, last) : null}
      ${counted ? html`<p class="note">${counted}</p>` : null}
      <ul class="reviews">${list.reviews.map((review) => reviewHtml(request, review))}</ul>
      ${turning(request, list.total)}
    `,
    'w12',
    true,
  )
}

const daysShown = 90

/** The way to the reviews that the figures count, where none is of the days that are shown. */
function earlierReviews(request: ReaderPageRequest, last: string): Html {
  const then = hrefWith(request, { from: daysLater(last, 1 - daysShown), to: last, days: null, period: null, page: null })
  return html`<p class="no-print">The last was written on ${request.words.day(last)}. <a href="${then}#reviews">Show the ${daysShown} days until then</a></p>`
}

function toldOf(
  { words }: ReaderPageRequest,
  { total }: ReviewList,
  { stars, source, words: sought }: ReviewFilter,
  isCounted: boolean,
): string {
  const isNarrow = stars !== null || source !== null || sought !== ''
  if (total === 0)
    return isNarrow ? 'No review in this period fits.' : isCounted ? 'No review of this period is listed.' : 'No reviews in this period.'
  return `${words.count(total, 'review')} in this period${isNarrow ? ' that fit' : ''}, newest first.`
}

function filterForm(request: ReaderPageRequest, { stars, source, words }: ReviewFilter, sources: readonly string[]): Html {
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen ? html` selected` : null}>${label}</option>`
  return html`
    <form class="filters no-print" action="${request.path}#reviews">
      ${keptFields(request, ['stars', 'source', 'words', 'page', 'print'])}
      <label for="by-stars">
        Stars<select id="by-stars" name="stars">
          ${option('', 'Any', stars === null)}
          ${[5, 4, 3, 2, 1].map((one) => option(String(one), `${one} ${one === 1 ? 'star' : 'stars'}`, stars === one))}
        </select>
      </label>
      <label for="by-source">
        Source
        <select id="by-source" name="source">
          ${option('', 'Any', source === null)}
          ${sources.map((one) => option(one, sourceName(one), source === one))}
        </select>
      </label>
      <label for="by-words">Search these reviews<input id="by-words" name="words" type="search" value="${words}" autocomplete="off"></label>
      <button class="button soft">Search</button>
    </form>
  `
}

function reviewHtml(request: ReaderPageRequest, review: ShownReview): Html {
  const { lastVisitAt } = request.loggedIn?.session ?? { lastVisitAt: null }
  const isNew = lastVisitAt !== null && review.created_at > lastVisitAt
  return html`
    <li${review.language === null ? null : html` lang="${review.language}"`}>
      <div class="review-head">
        ${starsHtml(review.rating)}
        <span>${sourceName(review.source)}</span>
        <time datetime="${review.date}">${request.words.day(review.date)}</time>
        <span dir="auto">${review.user}</span>
        ${isNew ? html`<span class="badge new">new since your last visit</span>` : null}
        <span class="push no-print">${outsideLink(review.url, 'Open at the source')}</span>
      </div>
      ${review.header ? html`<h3 dir="auto">${review.header}</h3>` : null}
      ${textHtml(review.detail)}
      ${review.answer ? html`<h4>Answer</h4>${textHtml(review.answer)}` : null}
    </li>
  `
}

function textHtml(detail: string): Html | null {
  if (detail === '') return null
  if (detail.length <= foldedAt) return html`<p class="text" dir="auto">${detail}</p>`
  const start = [...detail.slice(0, foldedAt - 80)].join('').replace(/[\uD800-\uDBFF]$/, '')
  return html`
    <details>
      <summary>
        <span class="text" dir="auto">${start}…</span> <span class="more">Read on</span>
      </summary>
      <p class="text" dir="auto">${detail}</p>
    </details>
  `
}

export function starsHtml(rating: number): Html {
  const full = Math.max(0, Math.min(5, rating))
  return html`
    <span class="stars" role="img" aria-label="${full} of 5 stars">
      ${raw('★'.repeat(full))}
      <i>${raw('★'.repeat(5 - full))}</i>
    </span>
  `
}

function turning(request: ReaderPageRequest, total: number): Html | null {
  const [page, last] = [pageOf(request), Math.ceil(total / reviewsAtOnce)]
  if (last <= 1 || request.query.get('print') === 'all') return null
  const to = (number: number) => `${hrefWith(request, { page: String(number) })}#reviews`
  return html`
    <nav class="pages" aria-label="Pages of reviews">
      ${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">Newer</a>` : null}
      <span class="quiet">Page ${page} of ${last}</span>
      ${page < last ? html`<a href="${to(page + 1)}" rel="next">Older</a>` : null}
    </nav>
  `
}
