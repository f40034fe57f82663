/** The reports by mail of all customers: what is sent to whom, when, and what became of it. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { listMailings, type Mailing } from '../../../../model/dashboard/desk/mailings.ts'
import { lastPeriod, nameOfPeriod, runningPeriod } from '../../../../model/mail/periods.ts'
import { rhythms } from '../../../../model/mail/schedules.ts'
import { chooseUsualRelease, usualReleaseOf } from '../../../../model/mail/usual-release.ts'
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
import { framed, tokenField } from '../../../components/layout.ts'
import { sentenceOf } from '../../../error-page.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { isAbout, type MailingState, mailingHeads, mailingsHtml, stateLabels } from './mailings-table.ts'
import { periodName, releaseChoices } from './run-texts.ts'

const mailingsAtOnce = 100

export async function showMailings(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const all = await listMailings(staff)
  const main = html`
    <h1>Reports by mail</h1>
    <p class="lead">${leadOf(request, all)}</p>
    <p class="no-print bar-row"><a class="button soft" href="/desk/reports/new">Add a report</a> ${runLinks(request, all)}</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${all.length === 0 ? null : listHtml(request, all)}
    ${staff.customers === 'all' ? await usualHtml(request, staff) : null}
    ${staff.customers === 'all' ? html`<p class="no-print"><a href="/desk/reports/suppressed">Addresses without mail</a></p>` : null}
  `
  return { body: framed(request, { title: 'Reports by mail', main, printed: 'Reports by mail' }) }
}

/** What new reports do when they are due; who is there already stays as they are. */
async function usualHtml(request: PersonPageRequest, { app, accountId }: StaffCaller): Promise<Html> {
  const usual = await usualReleaseOf(app.store.db, accountId)
  const chosen = request.form.get('release') ?? usual
  return html`
    <form method="post" action="/desk/reports" class="row-form no-print">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${usual}">
      <div class="field">
        <label for="release">When a new report is due</label>
        <select id="release" name="release">
          ${Object.entries(releaseChoices).map(([value, label]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`)}
        </select>
      </div>
      <button class="button soft">Save</button>
    </form>
    <p class="quiet small no-print">Reports that are there already stay as they are; each can be changed by itself.</p>
  `
}

export async function submitMailings(request: PersonPageRequest): Promise<PageAnswer> {
  const { form } = request
  try {
    await chooseUsualRelease(staffCallerOf(request.loggedIn.person), form.get('release') ?? '', form.get('was') ?? '')
    return redirect('/desk/reports')
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
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
      ${leftOffPaper(request.words, slice.items.length, some.length, 'reports', 'the print view')}
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

function leadOf({ words }: PersonPageRequest, all: readonly Mailing[]): string {
  if (all.length === 0) return 'No reports are mailed to customers yet.'
  const customers = new Set(all.map(({ account_id }) => account_id)).size
  const recipients = new Set(all.flatMap(({ account_id, recipients }) => recipients.map(({ email }) => `${account_id} ${email}`))).size
  return `${words.count(all.length, 'report')} of ${words.count(customers, 'customer')} to ${words.count(recipients, 'recipient')}.`
}
