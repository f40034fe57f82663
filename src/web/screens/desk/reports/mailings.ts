/** The reports by mail of all customers: what is sent to whom, when, and what became of it. */

import { type Html, html } from '../../../../lib/html.ts'
import { listMailings, type Mailing } from '../../../../model/dashboard/desk/mailings.ts'
import { lastPeriod, nameOfPeriod, runningPeriod } from '../../../../model/mail/periods.ts'
import { rhythms } from '../../../../model/mail/schedules.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import {
  choice,
  keptFields,
  leftOffPaper,
  matcherOf,
  pageLinks,
  showAllOnPhone,
  sliceOf,
  sorted,
  sortingOf,
} from '../../../components/components.ts'
import { framed } from '../../../components/layout.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest } from '../../../page-request.ts'
import { isAbout, type MailingState, mailingHeads, mailingsHtml, stateLabels } from './mailings-table.ts'
import { periodName } from './run-texts.ts'

const mailingsAtOnce = 100

export async function showMailings(request: PersonPageRequest): Promise<PageAnswer> {
  const all = await listMailings(staffCallerOf(request.loggedIn.person))
  const main = html`
    <h1>Reports by mail</h1>
    <p class="lead">${sentenceOf(request, all)}</p>
    <p class="no-print bar-row"><a class="button soft" href="/desk/reports/new">Add a report</a> ${runLinks(request, all)}</p>
    ${all.length === 0 ? null : listHtml(request, all)}
  `
  return { body: framed(request, { title: 'Reports by mail', main, printed: 'Reports by mail' }) }
}

/** The runs of the period that has ended and of the one that ends next, of each rhythm that there is. */
function runLinks({ app, words }: PersonPageRequest, all: readonly Mailing[]): Html[] {
  const today = app.clock.now().slice(0, 10)
  return rhythms
    .filter((rhythm) => all.some((mailing) => mailing.rhythm === rhythm))
    .flatMap((rhythm) => [{ rhythm, ...lastPeriod(rhythm, today) }, runningPeriod(rhythm, today)])
    .map((period) => {
      const name = periodName(words, { rhythm: period.rhythm, period_from: period.from, period_to: period.to })
      return html`<a href="/desk/reports/runs/${nameOfPeriod(period)}">${name}${period.to >= today ? ', before it goes' : null}</a>`
    })
}

function listHtml(request: PersonPageRequest, all: readonly Mailing[]): Html {
  const some = found(request, all)
  const sorting = sortingOf(request, mailingHeads, { key: 'customer', order: 'up' })
  const keyOf = mailingHeads.find(({ key }) => key === sorting.key)?.keyOf ?? (() => null)
  const slice = sliceOf(request, 'page', sorted(some, keyOf, sorting.order), mailingsAtOnce)
  return html`
    <form class="filters no-print" action="/desk/reports" data-live="#mailing-list">
      ${keptFields(request, ['q', 'page'])}
      <label for="narrow">
        Search by customer or address
        <input id="narrow" type="search" name="q" value="${request.query.get('q')}" autocomplete="off">
      </label>
      <button class="button soft">Search</button>
      ${stateChoices(request, all)}
    </form>
    <div id="mailing-list" data-swap>
      <p class="quiet small" role="status">${some.length < all.length ? `${some.length} of ${all.length} shown` : ''}</p>
      ${slice.items.length > 0 ? mailingsHtml(request, slice.items, sorting) : html`<p class="quiet">No report fits.</p>`}
      ${showAllOnPhone(request, slice.items.length, '#mailings')}
      ${pageLinks(request, 'page', slice, 'mailings')}
      ${leftOffPaper(slice.items.length, some.length, 'reports', 'the print view')}
    </div>
  `
}

function found({ query }: PersonPageRequest, all: readonly Mailing[]): Mailing[] {
  const [state, isSought] = [stateIn(query), matcherOf((query.get('q') ?? '').trim())]
  return all.filter(
    (mailing) =>
      (state === null || isAbout(mailing, state)) &&
      isSought([mailing.customer, ...mailing.recipients.map(({ email }) => email)].join(' ')),
  )
}

function stateIn(query: URLSearchParams): MailingState | null {
  return (Object.keys(stateLabels) as MailingState[]).find((state) => state === query.get('state')) ?? null
}

function stateChoices(request: PersonPageRequest, all: readonly Mailing[]): Html | null {
  const chosen = stateIn(request.query)
  const counted = (Object.keys(stateLabels) as MailingState[])
    .map((state) => ({ state, count: all.filter((mailing) => isAbout(mailing, state)).length }))
    .filter(({ state, count }) => count > 0 || state === chosen)
  if (counted.length === 0) return null
  const to = (state: string | null) => hrefWith(request, { state, page: null })
  return html`
    <nav class="segments" aria-label="What became of the mails">
      ${choice(to(null), `All ${all.length}`, chosen === null)}
      ${counted.map(({ state, count }) => choice(to(state), `${stateLabels[state]} ${count}`, chosen === state))}
    </nav>
  `
}

function sentenceOf({ words }: PersonPageRequest, all: readonly Mailing[]): string {
  if (all.length === 0) return 'No reports are mailed to customers yet.'
  const customers = new Set(all.map(({ account_id }) => account_id)).size
  const recipients = new Set(all.flatMap(({ account_id, recipients }) => recipients.map(({ email }) => `${account_id} ${email}`))).size
  return `${words.count(all.length, 'report')} of ${words.count(customers, 'customer')} to ${words.count(recipients, 'recipient')}.`
}
