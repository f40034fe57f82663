/** Adds a customer: a form with everything that belongs to one, of which the name and the domain must be there. */

import { draftOf } from '../../../fields/read.ts'
import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { listColleagues } from '../../../model/dashboard/desk/customers.ts'
import { createCustomer } from '../../../model/people/customers/new-customers.ts'
import { mayAssign } from '../../../model/people/staff/assignments.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import { newCustomer } from '../../../resources/account.ts'
import { type FormField, fieldHtml } from '../../components/fields.ts'
import { framed, tokenField } from '../../components/layout.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'

const aDomain = 'Please type a domain such as example.com.'
const domains = 'Please type domains such as example.com, separated by commas.'

// biome-ignore format: a table reads by its columns
const groups: readonly (readonly [title: string, fields: readonly FormField[]])[] = [
  ['The customer', [
    { name: 'name',        label: 'Name', isRequired: true, sentences: { blank: 'A customer needs a name.' } },
    { name: 'domain',      label: 'Domain', hint: 'Of the site that is measured, such as example.com.', isRequired: true, sentences: { blank: 'A customer needs a domain.', invalid: aDomain, taken: 'A customer with this domain is there already.' } },
    { name: 'domains',     label: 'More domains', hint: 'Separated by commas: each becomes a site too.', sentences: { invalid: domains, taken: 'A customer with one of these domains is there already.' } },
    { name: 'external_id', label: 'Your number of the customer', hint: 'By which you know them in your own books.', sentences: { taken: 'Another customer has this number.' } },
    { name: 'tags',        label: 'Tags', hint: 'Separated by commas.' },
    { name: 'time_zone',   label: 'Time zone', hint: 'A name such as Europe/Berlin; without one, days are counted in UTC.', sentences: { invalid: 'There is no time zone of this name.' } },
  ]],
  ['The person who gets the reports', [
    { name: 'contact',     label: 'Name of the person' },
    { name: 'email',       label: 'Email', type: 'email', hint: 'They may log in with it, and see every site of this customer.', sentences: { blank: 'This person needs an email address.', taken: 'Somebody with this email address is there already.' } },
    { name: 'rhythm',      label: 'Reports by mail', options: [['', 'none'], ['weekly', 'every Monday'], ['monthly', 'on the first of a month']] },
  ]],
  ['What is tracked', [
    { name: 'keywords',    label: 'Keywords', hint: 'One a line, or separated by commas.', rows: 5 },
    { name: 'competitors', label: 'Competitors', hint: 'Their domains, one a line, or separated by commas.', rows: 5, sentences: { invalid: domains } },
  ]],
]

export async function showAdd(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const main = html`
    <p class="crumb"><a href="/desk">Customers</a></p>
    <h1>Add a customer</h1>
    <p class="lead">A name and a domain are enough; the rest can follow.</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <form method="post" action="/desk/add" class="grid">
      ${tokenField(request)}
      ${groups.map(([title, fields]) => groupHtml(request, title, fields))}
      ${await colleagueCard(request, staff)}
      <p><button class="button">Add this customer</button></p>
    </form>
  `
  return { body: framed(request, { title: 'Add a customer', main }) }
}

export async function submitAdd(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const given = Object.fromEntries(Object.keys(newCustomer).map((name) => [name, request.form.get(name) ?? undefined]))
  try {
    const { id } = await createCustomer(staff, staff.partnerId, draftOf(newCustomer, given), request.form.get('colleague') || undefined)
    return redirect(`/desk/customers/${id}?added=yes`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
    return { wrong: 'Nothing is added yet: please look at what is marked below.', faults: error.details.faults ?? [], body: '' }
  }
}

function groupHtml(request: PersonPageRequest, title: string, fields: readonly FormField[]): Html {
  return html`
    <fieldset class="card w6 fields">
      <legend>${title}</legend>
      ${fields.map((field) => fieldHtml(request, field))}
    </fieldset>
  `
}

/** Whoever has assigned customers looks after those whom they add. */
async function colleagueCard(request: PersonPageRequest, staff: StaffCaller): Promise<Html | null> {
  if (!mayAssign(staff)) return null
  const colleagues = (await listColleagues(staff)).map(({ login, name }) => [login, name] as const)
  const sentences = { does_not_exist: 'This colleague is no longer there.' }
  return groupHtml(request, 'Who looks after them', [
    { name: 'colleague', label: 'Looked after by', options: [['', 'nobody'], ...colleagues], sentences },
  ])
}
