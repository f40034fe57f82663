/** The desk: every customer of somebody of the staff, those that need a look first, each with the reason. */

import { type Html, html } from '../../../lib/html.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { type Customer, findableTexts, listColleagues, listCustomers } from '../../../model/dashboard/desk/customers.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import {
  choice,
  figuresHtml,
  keptFields,
  leftOffPaper,
  matcherOf,
  pageLinks,
  showAllOnPhone,
  sliceOf,
  sorted,
  sortingOf,
} from '../../components/components.ts'
import { csvInPieces, piecesOf } from '../../components/csv.ts'
import { framed } from '../../components/layout.ts'
import { pointsChange } from '../../components/number-format.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest } from '../../page-request.ts'
import { type CustomerReason, customerReasons, customersHtml, customersTable, heads, lookLabels, needOf } from './customers-table.ts'
import { firstStepsHtml } from './first-steps.ts'
import { serviceLine } from './service-line.ts'

const customersAtOnce = 100

const addLink = html`<a class="button push no-print" href="/desk/add">Add a customer</a>`

export async function showCustomers(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const all = await listedCustomers(request, staff)
  const steps = request.query.has('archived') ? null : await firstStepsHtml(request, staff)
  const main =
    all.length === 0 ? html`${nobodyYet(request, staff)}${steps}` : await customersPage(withoutNotice(request), staff, all, steps)
  return {
    body: framed(request, {
      title: 'Customers',
      main: html`${doneNotice(request)}${main}${await serviceLine(request, staff)}`,
      printed: 'Customers',
    }),
  }
}

/** What is archived has a list of its own. */
async function listedCustomers({ query }: PersonPageRequest, staff: StaffCaller): Promise<Customer[]> {
  const isArchive = query.get('archived') === 'yes'
  return (await listCustomers(staff)).filter(({ isArchived }) => isArchived === isArchive)
}

function withoutNotice(request: PersonPageRequest): PersonPageRequest {
  const query = new URLSearchParams(request.query)
  for (const name of ['added', 'password']) query.delete(name)
  return { ...request, query }
}

/** What was done before the list is shown again. */
function doneNotice({ query, words }: PersonPageRequest): Html | null {
  const added = Number(/^\d{1,6}$/.exec(query.get('added') ?? '')?.[0] ?? 0)
  const isPassword = query.get('password') === 'changed'
  const done = added > 0 ? `${words.count(added, 'customer is', 'customers are')} added.` : isPassword ? 'Your password is changed.' : null
  return done === null ? null : html`<p class="notice" role="status">${done}</p>`
}

export async function customersCsv(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const { lines } = inOrder(request, await found(request, staff, await listedCustomers(request, staff)))
  return csvInPieces('customers', piecesOf(lines), customersTable)
}

async function customersPage(request: PersonPageRequest, staff: StaffCaller, all: readonly Customer[], steps: Html | null): Promise<Html> {
  const some = await found(request, staff, all)
  const { lines, sorting } = inOrder(request, some)
  const slice = sliceOf(request, 'page', lines, customersAtOnce)
  return html`
    ${headHtml(request)}
    ${steps}
    <p class="lead">${sentenceOf(request, all)} Compared with the 30 days before.</p>
    ${figuresHtml(sums(request, all))}
    <form class="filters no-print" action="/desk" data-live="#customer-list">
      ${keptFields(request, ['q', 'page', 'colleague'])}
      <label for="narrow">
        Search by name, domain or person
        <input id="narrow" type="search" name="q" value="${request.query.get('q')}" autocomplete="off">
      </label>
      ${await colleagueChoice(request, staff)}
      <button class="button soft">Search</button>
      ${reasonChoices(request, all)}
      <a class="push" href="${hrefWith(request, { page: null }, '/desk.csv')}" download>Download as CSV</a>
    </form>
    <div id="customer-list" data-swap>
      <p class="quiet small" role="status">${some.length < all.length ? `${some.length} of ${all.length} shown` : ''}</p>
      ${slice.items.length > 0 ? customersHtml(request, slice.items, sorting) : html`<p class="quiet">No customer fits.</p>`}
      ${showAllOnPhone(request, slice.items.length, '#customers')}
      ${pageLinks(request, 'page', slice, 'customers')}
      ${leftOffPaper(slice.items.length, some.length, 'customers')}
    </div>
    ${elsewhere}
  `
}

function headHtml({ query }: PersonPageRequest): Html {
  if (query.get('archived') !== 'yes') return html`<div class="site-head"><h1>Customers</h1>${addLink}</div>`
  return html`<p class="crumb"><a href="/desk">Customers</a></p><h1>Archived customers</h1>`
}

const elsewhere = html`
  <p class="quiet no-print">
    Not in this list: <a href="/desk?archived=yes">archived customers</a>, and <a href="/desk/deleted">deleted customers</a> that can be brought back.
  </p>
`

function inOrder(request: PersonPageRequest, some: readonly Customer[]) {
  const sorting = sortingOf(request, heads, { key: '', order: 'down' })
  const keyOf = heads.find(({ key }) => key === sorting.key)?.keyOf ?? needOf
  return { sorting, lines: sorted(some, keyOf, sorting.order) }
}

async function found({ query }: PersonPageRequest, staff: StaffCaller, all: readonly Customer[]): Promise<Customer[]> {
  const [words, reason, colleague] = [(query.get('q') ?? '').trim(), reasonIn(query), query.get('colleague') ?? '']
  const texts = words === '' ? null : await findableTexts(staff)
  const isSought = matcherOf(words)
  return all.filter(
    (customer) =>
      (colleague === '' || String(customer.colleague?.id ?? 0) === colleague) &&
      (reason === null || customerReasons(customer).includes(reason)) &&
      (texts === null || isSought([customer.name, ...(texts.get(customer.id) ?? [])].join(' '))),
  )
}

function reasonIn(query: URLSearchParams): CustomerReason | null {
  return (Object.keys(lookLabels) as CustomerReason[]).find((reason) => reason === query.get('reason')) ?? null
}

function reasonChoices(request: PersonPageRequest, all: readonly Customer[]): Html | null {
  const counts = new Map<CustomerReason, number>()
  for (const customer of all) for (const reason of new Set(customerReasons(customer))) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const chosen = reasonIn(request.query)
  const kinds = (Object.keys(lookLabels) as CustomerReason[]).filter((kind) => counts.has(kind) || kind === chosen)
  if (kinds.length === 0) return null
  const to = (reason: string | null) => hrefWith(request, { reason, page: null })
  return html`
    <nav class="segments" aria-label="To look at because">
      ${choice(to(null), `All ${all.length}`, chosen === null)}
      ${kinds.map((kind) => choice(to(kind), `${lookLabels[kind]} ${counts.get(kind) ?? 0}`, chosen === kind))}
    </nav>
  `
}

async function colleagueChoice({ query }: PersonPageRequest, staff: StaffCaller): Promise<Html | null> {
  const colleagues = staff.customers === 'all' ? await listColleagues(staff) : []
  if (colleagues.length < 2) return null
  const chosen = query.get('colleague') ?? ''
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`
  return html`
    <label for="colleague">
      Looked after by
      <select id="colleague" name="colleague">
        ${option('', 'anybody')}
        ${colleagues.map(({ id, name }) => option(String(id), name))}
        ${option('0', 'nobody')}
      </select>
    </label>
  `
}

function sums({ words }: PersonPageRequest, all: readonly Customer[]) {
  const weighed = (amountOf: (customer: Customer) => number, pairsOf: (customer: Customer) => number) => {
    const pairs = all.reduce((sum, one) => sum + pairsOf(one), 0)
    return pairs === 0 ? null : all.reduce((sum, one) => sum + amountOf(one) * pairsOf(one), 0) / pairs
  }
  const shared = ({ compared }: Customer) => compared?.pairs ?? 0
  const visibility = weighed(
    (one) => one.visibility ?? 0,
    (one) => one.pairs,
  )
  const [now, before] = [weighed((one) => one.compared?.now ?? 0, shared), weighed((one) => one.compared?.before ?? 0, shared)]
  const count = (reason: CustomerReason) => words.whole(all.filter((one) => customerReasons(one).includes(reason)).length)
  return [
    {
      label: 'Visibility, all sites',
      value: visibility === null ? null : words.decimal(visibility),
      change: pointsChange(words, now, before),
    },
    { label: 'Need a look', value: count('any') },
    { label: 'With bad reviews', value: count('bad-reviews') },
    { label: 'Not measured', value: count('stale') },
    { label: 'Never logged in', value: count('never-seen') },
  ]
}

function sentenceOf({ words }: PersonPageRequest, all: readonly Customer[]): string {
  const sites = all.reduce((sum, customer) => sum + customer.activeSites, 0)
  const closed = all.filter(({ isDeactivated }) => isDeactivated).length
  return `${words.count(all.length, 'customer')} with ${words.count(sites, 'active site')}${closed > 0 ? `, ${words.whole(closed)} of the customers deactivated` : ''}.`
}

function nobodyYet(request: PersonPageRequest, { customers }: StaffCaller): Html {
  if (request.query.get('archived') === 'yes') return html`${headHtml(request)}<p class="lead">No customer is archived.</p>`
  const none = 'No customer is assigned to you yet: add one, or ask one of your admins.'
  return html`
    <h1>Customers</h1>
    <p class="lead">Hello ${request.loggedIn.name}. ${customers === 'all' ? 'There are no customers yet.' : none}</p>
    <p><a class="button" href="/desk/add">Add a customer</a></p>
    ${elsewhere}
  `
}
