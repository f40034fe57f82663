/** What narrows the list of customers: words, a reason, a tag and a colleague, and what the words have found in each. */

import { type Html, html } from '../../../lib/html.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { type Customer, listColleagues } from '../../../model/dashboard/desk/customers.ts'
import { type Findable, findableText, readFindable } from '../../../model/dashboard/desk/findable.ts'
import { choice, matcherOf } from '../../components/components.ts'
import { domainName } from '../../components/names.ts'
import { breakable } from '../../components/tables.ts'
import { hrefWith, type PersonPageRequest } from '../../page-request.ts'
import { type CustomerReason, customerReasons, lookLabels } from './customers-table.ts'

interface Found {
  readonly customers: readonly Customer[]
  /** What the words have found in a customer, with links; null if they say nothing more than its name. */
  hitsOf(customer: Customer): Html | null
}

export async function findCustomers({ query }: PersonPageRequest, staff: StaffCaller, all: readonly Customer[]): Promise<Found> {
  const [words, reason] = [(query.get('q') ?? '').trim(), reasonIn(query)]
  const [colleague, tag] = [query.get('colleague') ?? '', query.get('tag') ?? '']
  const findable = words === '' ? null : await readFindable(staff)
  const isSought = matcherOf(words)
  const textOf = (one: Findable | undefined) => (one === undefined ? '' : findableText(one))
  return {
    customers: all.filter(
      (customer) =>
        (colleague === '' || String(customer.colleague?.id ?? 0) === colleague) &&
        (tag === '' || customer.tags.includes(tag)) &&
        (reason === null || customerReasons(customer).includes(reason)) &&
        (findable === null || isSought(`${customer.name} ${textOf(findable.get(customer.id))}`)),
    ),
    hitsOf: (customer) => hitsHtml(customer, findable?.get(customer.id), words),
  }
}

const mostHits = 3

/** Each site with who may see it, and each person. */
function hitsHtml({ id, name }: Customer, findable: Findable | undefined, words: string): Html | null {
  if (findable === undefined) return null
  const isSought = matcherOf(words)
  const isNew = (text: string) => isSought(`${name} ${text}`) && !isSought(name)
  const sites = findable.sites.filter(({ domain, business }) => isNew(`${domain} ${business}`)).slice(0, mostHits)
  const people = findable.people.filter(({ text }) => isNew(text)).slice(0, mostHits)
  if (sites.length + people.length === 0) return null
  return html`
    <small>
      ${sites.map((site) => html`<a href="/desk/customers/${id}?sees=${site.id}#people">Who may see ${breakable(domainName(site.domain))}?</a> `)}
      ${people.map((person) => html`<a href="/desk/customers/${id}/people/${person.id}">What ${breakable(person.name)} sees</a> `)}
    </small>
  `
}

function reasonIn(query: URLSearchParams): CustomerReason | null {
  return (Object.keys(lookLabels) as CustomerReason[]).find((reason) => reason === query.get('reason')) ?? null
}

export function reasonChoices(request: PersonPageRequest, all: number, counts: ReadonlyMap<CustomerReason, number>): Html | null {
  const chosen = reasonIn(request.query)
  const kinds = (Object.keys(lookLabels) as CustomerReason[]).filter((kind) => counts.has(kind) || kind === chosen)
  if (kinds.length === 0) return null
  const to = (reason: string | null) => hrefWith(request, { reason, page: null })
  return html`
    <nav class="segments" aria-label="To look at because">
      ${choice(to(null), `All ${all}`, chosen === null)}
      ${kinds.map((kind) => choice(to(kind), `${lookLabels[kind]} ${counts.get(kind) ?? 0}`, chosen === kind))}
    </nav>
  `
}

export async function colleagueChoice({ query }: PersonPageRequest, staff: StaffCaller): Promise<Html | null> {
  const colleagues = staff.customers === 'all' ? await listColleagues(staff) : []
  if (colleagues.length < 2) return null
  const options = colleagues.map(({ id, name }) => [String(id), name] as const)
  return selectHtml(query, 'colleague', 'Looked after by', [['', 'anybody'], ...options, ['0', 'nobody']])
}

/** Null where no customer has a tag. */
export function tagChoice({ query }: PersonPageRequest, all: readonly Customer[]): Html | null {
  const tags = [...new Set(all.flatMap((customer) => customer.tags))].toSorted()
  if (tags.length === 0) return null
  return selectHtml(query, 'tag', 'Tag', [['', 'any or none'], ...tags.map((tag) => [tag, tag] as const)])
}

function selectHtml(
  query: URLSearchParams,
  name: string,
  label: string,
  options: readonly (readonly [value: string, label: string])[],
): Html {
  const chosen = query.get(name) ?? ''
  return html`
    <label for="${name}">
      ${label}
      <select id="${name}" name="${name}">
        ${options.map(([value, said]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${said}</option>`)}
      </select>
    </label>
  `
}
