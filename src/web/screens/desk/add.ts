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
import { colleagueField, customerGroups } from './customer-fields.ts'

export async function showAdd(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const main = html`
    <p class="crumb"><a href="/desk">Customers</a></p>
    <h1>Add a customer</h1>
    <p class="lead">
      A name and a domain are enough; the rest can follow. Many at once can be <a href="/desk/add/table">pasted as a table</a>.
    </p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <form method="post" action="/desk/add" class="grid">
      ${tokenField(request)}
      ${customerGroups.map(([title, fields]) => groupHtml(request, title, fields))}
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
    const { id } = await createCustomer(staff, staff.partnerId, draftOf(newCustomer, given), {
      colleague: request.form.get('colleague') || undefined,
    })
    return redirect(`/desk/customers/${id}?done=added`)
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
  return groupHtml(request, 'Who looks after them', [{ ...colleagueField, options: [['', 'nobody'], ...colleagues] }])
}
