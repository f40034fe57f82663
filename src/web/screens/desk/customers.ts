/** The desk: every customer of somebody of the staff, those that need a look first, each with the reason. */

import { type Html, html } from '../../../lib/html.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { type Customer, listCustomers } from '../../../model/dashboard/desk/customers.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import {
  figuresHtml,
  keptFields,
  leftOffPaper,
  pageLinks,
  showAllOnPhone,
  sliceOf,
  sorted,
  sortingOf,
} from '../../components/components.ts'
import { piecesOf, tableInPieces, tableLinks } from '../../components/csv.ts'
import { framed } from '../../components/layout.ts'
import { pointsChange } from '../../components/number-format.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest } from '../../page-request.ts'
import { bulkBar } from './bulk.ts'
import { colleagueChoice, findCustomers, reasonChoices, tagChoice } from './customers-filters.ts'
import { type CustomerReason, countReasons, customersHtml, customersTable, heads, needOf } from './customers-table.ts'
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
  for (const name of ['added', 'changed', 'password']) query.delete(name)
  return { ...request, query }
}

/** What was done before the list is shown again. */
function doneNotice({ query, words }: PersonPageRequest): Html | null {
  const isPassword = query.get('password') === 'changed'
  const counted = (['added', 'changed'] as const).flatMap((name) => {
    const many = Number(/^\d{1,6}$/.exec(query.get(name) ?? '')?.[0] ?? 0)
    return many > 0 ? [`${words.count(many, 'customer is', 'customers are')} ${name}.`] : []
  })
  const done = counted[0] ?? (isPassword ? 'Your password is changed.' : null)
  return done === null ? null : html`<p class="notice" role="status">${done}</p>`
}

export async function customersCsv(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const { customers } = await findCustomers(request, staff, await listedCustomers(request, staff))
  const { lines } = inOrder(request, customers)
  return tableInPieces(request, 'customers', piecesOf(lines), customersTable)
}

async function customersPage(request: PersonPageRequest, staff: StaffCaller, all: readonly Customer[], steps: Html | null): Promise<Html> {
  const { customers: some, hitsOf } = await findCustomers(request, staff, all)
  const { lines, sorting } = inOrder(request, some)
  const slice = sliceOf(request, 'page', lines, customersAtOnce)
  const counts = countReasons(all)
  return html`
    ${headHtml(request)}
    ${steps}
    <p class="lead">${sentenceOf(request, all)} Compared with the 30 days before.</p>
    ${figuresHtml(sums(request, all, counts))}
    <form class="filters no-print" action="/desk" data-live="#customer-list">
      ${keptFields(request, ['q', 'page', 'colleague', 'tag', 'choose'])}
      <label for="narrow">
        Search by name, domain, person or your number
        <input id="narrow" type="search" name="q" value="${request.query.get('q')}" autocomplete="off">
      </label>
      ${await colleagueChoice(request, staff)}
      ${tagChoice(request, all)}
      <button class="button soft">Search</button>
      ${reasonChoices(request, all.length, counts)}
      <span class="push">${tableLinks(hrefWith(request, { page: null }, '/desk.csv'))}</span>
    </form>
    <div id="customer-list" data-swap>
      <p class="quiet small" role="status">${some.length < all.length ? `${some.length} of ${all.length} shown` : ''}</p>
      ${
        slice.items.length === 0
          ? html`<p class="quiet">No customer fits.</p>`
          : html`
              <form action="/desk/bulk">
                ${customersHtml(request, slice.items, sorting, hitsOf)}
                ${bulkBar(staff, hrefWith(request, { choose: 'shown' }))}
              </form>
            `
      }
      ${showAllOnPhone(request, slice.items.length, '#customers')}
      ${pageLinks(request, 'page', slice, 'customers')}
      ${leftOffPaper(request.words, slice.items.length, some.length, 'customers')}
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

function sums({ words }: PersonPageRequest, all: readonly Customer[], counts: ReadonlyMap<CustomerReason, number>) {
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
  const count = (reason: CustomerReason) => words.whole(counts.get(reason) ?? 0)
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
