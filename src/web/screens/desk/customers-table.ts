/** The table of customers, what is to be looked at in each, and the same as a CSV file. */

import { type Html, html } from '../../../lib/html.ts'
import type { Reason, ReasonKind } from '../../../model/dashboard/attention/attention.ts'
import type { Customer } from '../../../model/dashboard/desk/customers.ts'
import { type SortHead, type Sorting, sortHeads } from '../../components/components.ts'
import { pointsChange, type Words } from '../../components/number-format.ts'
import { breakable, type PageTable } from '../../components/tables.ts'
import type { PersonPageRequest } from '../../page-request.ts'

/** Why a customer is to be looked at, and `any` for one of them. */
export type CustomerReason = ReasonKind | 'never-seen' | 'nobody' | 'deactivated' | 'any'

export const lookLabels: Record<CustomerReason, string> = {
  any: 'Need a look',
  stale: 'Not measured',
  gap: 'Measured in part',
  'lost-inside': 'Lost for a time',
  lost: 'Lost keywords',
  'left-top-10': 'Left the top 10',
  'bad-reviews': 'Bad reviews',
  rating: 'Lower rating',
  'never-seen': 'Never logged in',
  nobody: 'Without people',
  deactivated: 'Deactivated',
}

export function customerReasons(customer: Customer): CustomerReason[] {
  if (customer.isDeactivated) return ['deactivated']
  const sites = [...new Set(customer.reasons.map(({ kind }) => kind))]
  const client: CustomerReason[] = customer.people === 0 ? ['nobody'] : customer.seenAt === null ? ['never-seen'] : []
  const all = [...sites, ...client]
  return all.length === 0 ? [] : ['any', ...all]
}

/** How many customers have each reason: worked out once, because a list of thousands asks in several places. */
export function countReasons(customers: readonly Customer[]): ReadonlyMap<CustomerReason, number> {
  const counts = new Map<CustomerReason, number>()
  for (const customer of customers) for (const reason of customerReasons(customer)) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}

/** The more there is to look at, the earlier; of two alike, the one that lost more. */
export function needOf(customer: Customer): number {
  if (customer.isDeactivated) return -1
  const { compared, reasons } = customer
  const lost = compared === null ? 0 : Math.max(0, compared.before - compared.now)
  return reasons.length * 1_000 + lost * 10 + (customer.seenAt === null ? 1 : 0)
}

// biome-ignore format: a table reads by its columns
export const heads: readonly (SortHead & { keyOf: (customer: Customer) => string | number | null })[] = [
  { key: 'name',       label: 'Customer',    keyOf: ({ name }) => name.toLowerCase() },
  { key: 'look',       label: 'To look at',  keyOf: needOf, first: 'down' },
  { key: 'visibility', label: 'Visibility',  keyOf: ({ visibility }) => visibility, isNumber: true },
  { key: 'rating',     label: 'Rating',      keyOf: ({ rating }) => rating, isNumber: true },
  { key: 'data',       label: 'Last data',   keyOf: ({ measuredOn }) => measuredOn, isNumber: true },
  { key: 'mail',       label: 'Mail',        keyOf: ({ mail }) => mail, isNumber: true },
  { key: 'seen',       label: 'Client seen', keyOf: ({ seenAt }) => seenAt, isNumber: true },
]

export function customersHtml(
  request: PersonPageRequest,
  customers: readonly Customer[],
  sorting: Sorting,
  hitsOf: (customer: Customer) => Html | null,
): Html {
  return html`
    <section class="card list long" aria-label="Customers">
      <table id="customers" class="stacks customers${request.query.get('rows') === 'all' ? null : ' top-ten'}">
        <caption class="sr">Customers with their figures</caption>
        <thead>${sortHeads(request, heads, sorting)}</thead>
        <tbody>${customers.map((customer) => rowHtml(request, customer, hitsOf(customer)))}</tbody>
      </table>
    </section>
  `
}

/**
 * The stylesheet says by column how cells are set and what they are called on a phone, and HTML lets the end tags of cells and rows be left out: a hundred rows
 * that each said it would be twice as large. The name, which stands in the label, is what the box is called.
 */
function rowHtml({ words, query }: PersonPageRequest, customer: Customer, hits: Html | null): Html {
  const isChosen = query.get('choose') === 'shown'
  const { id, name, rating, measuredOn, seenAt, mail } = customer
  return html`
    <tr class="${stateOf(customer)}"><th>
      <label><input type="checkbox" name="customer" value="${id}"${isChosen ? html` checked` : null}><a href="/desk/customers/${id}">${breakable(name)}</a></label>
      <small>${[words.count(customer.sites, 'site'), ...(customer.colleague === null ? [] : [customer.colleague.name]), ...customer.tags].join(' · ')}</small>
      ${hits}
    ${cell(lookText(words, customer) || null, 'nothing')}
    ${visibilityCell(words, customer)}
    ${cell(rating === null ? null : words.decimal(rating), 'no reviews')}
    <td>${measuredOn === null ? 'never' : words.shortDay(measuredOn)}
    <td>${mail ?? 'off'}
    <td>${seenAt === null ? 'never' : words.shortDay(seenAt.slice(0, 10))}
  `
}

function visibilityCell(words: Words, { compared, visibility }: Customer): Html {
  if (visibility === null) return cell(null, 'not measured')
  const change = pointsChange(words, compared?.now ?? null, compared?.before ?? null)
  if (change === null || change.arrow === 'same') return cell(words.decimal(visibility), '')
  return html`<td class="${change.arrow}">${words.decimal(visibility)} <b>${change.arrow === 'up' ? '+' : '−'}${change.short}</b>`
}

function cell(text: string | null, otherwise: string): Html {
  return text === null ? html`<td class="none">${otherwise}` : html`<td>${text}`
}

/** The colour of the dot. */
function stateOf(customer: Customer): 'off' | 'bad' | 'look' | 'good' {
  if (customer.isDeactivated) return 'off'
  if (customer.reasons.some(({ kind }) => kind !== 'stale')) return 'bad'
  return customerReasons(customer).length > 0 ? 'look' : 'good'
}

/** The reasons of all sites together, with their numbers. */
export function lookText(words: Words, customer: Customer): string {
  if (customer.isDeactivated) return 'deactivated'
  const byKind = Map.groupBy(customer.reasons, ({ kind }) => kind)
  const told = [...byKind].map(([kind, reasons]) => saying[kind](words, reasons))
  if (customer.people === 0) told.push('nobody can log in')
  else if (customer.seenAt === null) told.push('nobody has logged in')
  return told.join(' · ')
}

const amount = (reasons: readonly Reason[]) => reasons.reduce((sum, reason) => sum + ('amount' in reason ? reason.amount : 1), 0)

const keywordsOf = (reasons: readonly Reason[]) => reasons.reduce((sum, reason) => sum + ('keywords' in reason ? reason.keywords : 0), 0)

const saying: Record<ReasonKind, (words: Words, reasons: readonly Reason[]) => string> = {
  stale: (words, reasons) => `${words.count(reasons.length, 'site is', 'sites are')} no longer measured`,
  gap: (words, reasons) => `${words.count(reasons.length, 'site was', 'sites were')} not measured for a time`,
  'lost-inside': (words, reasons) => `${words.count(keywordsOf(reasons), 'keyword')} lost for a time`,
  lost: (words, reasons) => `${words.count(amount(reasons), 'keyword is', 'keywords are')} no longer found`,
  'left-top-10': (words, reasons) => `${words.count(amount(reasons), 'keyword')} left the top 10`,
  'bad-reviews': (words, reasons) => `${words.count(amount(reasons), 'new bad review')}`,
  rating: (words, reasons) => `${words.count(reasons.length, 'rating')} fell`,
}

const columns = [
  { label: 'Customer', kind: 'text' },
  { label: 'Id', kind: 'whole' },
  { label: 'Sites', kind: 'whole' },
  { label: 'To look at', kind: 'text' },
  { label: 'Visibility', kind: 'decimal' },
  { label: 'Visibility change', kind: 'decimal' },
  { label: 'Rating', kind: 'decimal' },
  { label: 'Last data', kind: 'day' },
  { label: 'Mail', kind: 'text' },
  { label: 'Client seen', kind: 'text' },
  { label: 'Looked after by', kind: 'text' },
  { label: 'Tags', kind: 'text' },
] as const

export function customersTable(customers: readonly Customer[]): PageTable {
  return {
    caption: 'Customers',
    columns,
    rows: customers.map((customer) => [
      customer.name,
      customer.id,
      customer.sites,
      customerReasons(customer)
        .filter((reason) => reason !== 'any')
        .map((reason) => lookLabels[reason])
        .join(', '),
      customer.visibility,
      customer.compared === null ? null : customer.compared.now - customer.compared.before,
      customer.rating,
      customer.measuredOn,
      customer.mail ?? 'off',
      customer.seenAt,
      customer.colleague?.name ?? null,
      customer.tags.join(', ') || null,
    ]),
  }
}
