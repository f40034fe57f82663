/** The list of reviews: newest first, exactly as they were written, with filters in the query. */

import { type Html, html } from '../../lib/html.ts'
import { daysLater } from '../../lib/time/days.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import type { ReviewFilter, ReviewList, ShownReview, StarFilter } from '../../model/dashboard/reputation/review-list.ts'
import { type MarkFilter, markKey, type ReviewMark } from '../../model/dashboard/reputation/review-marks.ts'
import { keptFields } from '../components/components.ts'
import { csvPath, tableLinks } from '../components/csv.ts'
import { sourceName } from '../components/names.ts'
import { card } from '../components/site-frame.ts'
import { hrefWith, type ReaderPageRequest } from '../page-request.ts'
import { type MarkForm, reviewHtml } from './reviews/review.ts'

export const reviewsAtOnce = 25

/** Only whoever may note something of reviews chooses by what was noted. */
export function filterOf({ query }: ReaderPageRequest, { from, to }: ChosenPeriod, mayMark: boolean): ReviewFilter {
  return {
    from,
    to,
    stars: starsIn(query.get('stars')),
    source: query.get('source') || null,
    words: (query.get('words') ?? '').slice(0, 200),
    marked: mayMark ? markFilterIn(query.get('marked')) : null,
  }
}

export function starsIn(word: string | null): StarFilter {
  const stars = Number(word)
  return word === 'low' ? word : [1, 2, 3, 4, 5].includes(stars) ? stars : null
}

export function markFilterIn(word: string | null): MarkFilter | null {
  return word === 'unseen' || word === 'unanswered' ? word : null
}

/** What can be chosen, beside all. */
export const starChoices: readonly (readonly [value: string, label: string])[] = [
  ['low', '1 and 2 stars'],
  ...[5, 4, 3, 2, 1].map((one) => [String(one), `${one} ${one === 1 ? 'star' : 'stars'}`] as const),
]
export const markChoices: readonly (readonly [value: MarkFilter, label: string])[] = [
  ['unseen', 'Not seen yet'],
  ['unanswered', 'Not answered'],
]

/** For whoever may note something of the reviews of the site. */
export interface Marking {
  readonly siteId: number
  readonly marks: ReadonlyMap<string, ReviewMark>
}

export function pageOf({ query }: ReaderPageRequest): number {
  return Math.max(1, Math.min(10_000, Math.floor(Number(query.get('page')) || 1)))
}

export function reviewsCard(
  request: ReaderPageRequest,
  list: ReviewList,
  filter: ReviewFilter,
  sources: readonly string[],
  { counted, last, marking }: { readonly counted: string | null; readonly last: string | null; readonly marking: Marking | null },
): Html {
  const action = hrefWith(request, { print: null })
  const formOf = ({ source, key_hash }: ShownReview) =>
    marking && { action, siteId: marking.siteId, mark: marking.marks.get(markKey({ source, review_hash: key_hash })) ?? null }
  return card(
    html`
      <div class="card-head" id="reviews">
        <h2>Reviews</h2>
        <span class="no-print">${tableLinks(csvPath(request, 'reviews'))}</span>
      </div>
      ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
      ${filterForm(request, filter, sources, marking !== null)}
      <p class="quiet" role="status">${toldOf(request, list, filter, counted !== null)}</p>
      ${last !== null && last < filter.from ? earlierReviews(request, last) : null}
      ${counted ? html`<p class="note">${counted}</p>` : null}
      <ul class="reviews">${list.reviews.map((review) => reviewHtml(request, review, withForm(formOf(review))))}</ul>
      ${turning(request, list.total)}
    `,
    'w12',
    true,
  )
}

function withForm(form: MarkForm | null): { readonly form?: MarkForm } {
  return form === null ? {} : { form }
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
  { stars, source, words: sought, marked }: ReviewFilter,
  isCounted: boolean,
): string {
  const isNarrow = stars !== null || source !== null || sought !== '' || Boolean(marked)
  if (total === 0)
    return isNarrow ? 'No review in this period fits.' : isCounted ? 'No review of this period is listed.' : 'No reviews in this period.'
  return `${words.count(total, 'review')} in this period${isNarrow ? ' that fit' : ''}, newest first.`
}

function filterForm(
  request: ReaderPageRequest,
  { stars, source, words, marked }: ReviewFilter,
  sources: readonly string[],
  mayMark: boolean,
): Html {
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen ? html` selected` : null}>${label}</option>`
  return html`
    <form class="filters no-print" action="${request.path}#reviews">
      ${keptFields(request, ['stars', 'source', 'words', 'marked', 'page', 'print'])}
      <label for="by-stars">
        Stars<select id="by-stars" name="stars">
          ${option('', 'Any', stars === null)}
          ${starChoices.map(([value, label]) => option(value, label, String(stars) === value))}
        </select>
      </label>
      ${mayMark ? html`<label for="by-mark">Noted<select id="by-mark" name="marked">${option('', 'Any', !marked)}${markChoices.map(([value, label]) => option(value, label, marked === value))}</select></label>` : null}
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
