/** The reviews of all customers that wait for somebody: the low ones that nobody has seen yet, or as is chosen. */

import { type Html, html } from '../../../lib/html.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import { daysLater } from '../../../lib/time/days.ts'
import { type DeskReview, type DeskReviewFilter, type DeskReviews, listDeskReviews } from '../../../model/dashboard/desk/reviews-to-see.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import { choice, keptFields } from '../../components/components.ts'
import { framed } from '../../components/layout.ts'
import { domainName, sourceName } from '../../components/names.ts'
import { breakable } from '../../components/tables.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest } from '../../page-request.ts'
import { reviewHtml } from '../reviews/review.ts'
import { submitMark } from '../reviews/submit-mark.ts'
import { markChoices, markFilterIn, starChoices, starsIn } from '../reviews.ts'

const spans = [30, 90, 365] as const

/** Both choices say `any` where all are wanted: without a choice the list is what is to be done. */
export async function showDeskReviews(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const days = spans.find((span) => String(span) === request.query.get('days')) ?? spans[1]
  const filter = deskFilterOf(request, days)
  const found = await listDeskReviews(staff, filter)
  const whose = filter.customer === null ? null : (found.customer ?? 'a customer who is not here')
  const main = html`
    <h1>Reviews</h1>
    <p class="lead">${leadOf(request, found, days, whose)}</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${whose === null ? null : html`<p class="no-print"><a href="${hrefWith(request, { customer: null })}">Those of all customers</a></p>`}
    ${filterForm(request, filter, found.sources)}
    <nav class="segments no-print" aria-label="Since when">
      ${spans.map((span) => choice(hrefWith(request, { days: String(span), after: null }), `${span} days`, span === days))}
    </nav>
    ${found.reviews.length === 0 ? null : html`<section class="card list" aria-label="Reviews"><h2 class="sr">What they wrote</h2><ul class="reviews" id="found">${found.reviews.map((review) => rowHtml(request, review))}</ul></section>`}
    ${pagesHtml(request, found, filter)}
  `
  return { body: framed(request, { title: 'Reviews', main, printed: 'Reviews' }) }
}

export function submitDeskReview(request: PersonPageRequest): Promise<PageAnswer> {
  return submitMark(request, idIn(request.form.get('site') ?? ''), 'found')
}

function deskFilterOf({ query, app }: PersonPageRequest, days: number): DeskReviewFilter {
  return {
    from: daysLater(app.clock.now().slice(0, 10), 1 - days),
    stars: query.has('stars') ? starsIn(query.get('stars')) : 'low',
    marked: query.has('marked') ? markFilterIn(query.get('marked')) : 'unseen',
    source: query.get('source') || null,
    customer: idIn(query.get('customer') ?? '') || null,
    after: idIn(query.get('after') ?? ''),
  }
}

function leadOf(
  { words }: PersonPageRequest,
  { reviews, total, customers, more }: DeskReviews,
  days: number,
  whose: string | null,
): string {
  const where = whose === null ? (more === null ? 'of your customers' : `of these ${words.whole(customers)} customers`) : `of ${whose}`
  if (total === 0) return `No review ${where} of the last ${days} days fits.`
  const shown = reviews.length < total ? `; the newest ${words.whole(reviews.length)} are shown` : ''
  return `${words.count(total, 'review')} ${where} of the last ${days} days, the newest first${shown}.`
}

function filterForm(request: PersonPageRequest, { stars, marked, source }: DeskReviewFilter, sources: readonly string[]): Html {
  const names = source === null || sources.includes(source) ? sources : [source, ...sources]
  return html`
    <form class="filters no-print" action="${request.path}">
      ${keptFields(request, ['stars', 'marked', 'source', 'after'])}
      ${selectHtml('stars', 'Stars', [...starChoices, ['any', 'Any']], stars === null ? 'any' : String(stars))}
      ${selectHtml('marked', 'Noted', [...markChoices, ['any', 'Any']], marked ?? 'any')}
      ${selectHtml('source', 'Source', [['', 'Any'], ...names.map((name) => [name, sourceName(name)] as const)], source ?? '')}
      <button class="button soft">Show</button>
    </form>
  `
}

function selectHtml(name: string, label: string, options: readonly (readonly [value: string, label: string])[], chosen: string): Html {
  const shown = options.map(([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`)
  return html`<label for="by-${name}">${label}<select id="by-${name}" name="${name}">${shown}</select></label>`
}

function rowHtml(request: PersonPageRequest, review: DeskReview): Html {
  const { customer, site, mark } = review
  const whose = html`
    <a href="/desk/customers/${customer.id}">${breakable(customer.name)}</a>
    <a href="/sites/${site.id}/reputation">${breakable(domainName(site.domain))}</a>
  `
  return reviewHtml(request, review, { whose, form: { action: hrefWith(request, {}), siteId: site.id, mark } })
}

function pagesHtml(request: PersonPageRequest, { more }: DeskReviews, { after }: DeskReviewFilter): Html | null {
  if (more === null && after === 0) return null
  return html`
    <nav class="pages" aria-label="Customers">
      ${after === 0 ? null : html`<a href="${hrefWith(request, { after: null })}">The first customers</a>`}
      ${more === null ? null : html`<a href="${hrefWith(request, { after: String(more) })}" rel="next">The next customers</a>`}
    </nav>
  `
}
