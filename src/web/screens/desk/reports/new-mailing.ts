/** A new report by mail: first the customer is found, then it is said what is mailed to whom. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { listCustomers } from '../../../../model/dashboard/desk/customers.ts'
import { type MailedCustomer, readMailedCustomer } from '../../../../model/dashboard/desk/mailing.ts'
import { createSchedule } from '../../../../model/mail/schedules.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { findCustomers } from '../customers-filters.ts'
import { freshMailing, mailingFields, wishesIn } from './mailing-form.ts'

const mostFound = 20

export async function showNewMailing(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const id = idIn(request.form.get('customer') ?? request.query.get('customer') ?? '')
  const content = id > 0 ? formHtml(request, await readMailedCustomer(staff, id)) : await searchHtml(request, staff)
  const main = html`<p class="crumb"><a href="/desk/reports">Reports by mail</a></p>${content}`
  return { body: framed(request, { title: 'Add a report', main }) }
}

export async function submitNewMailing(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const accountId = idIn(request.form.get('customer') ?? '')
  try {
    const { id } = await createSchedule(staff, accountId, { siteIds: null, ...wishesIn(request) })
    return redirect(`/desk/reports/${id}?done=added`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

function formHtml(request: PersonPageRequest, customer: MailedCustomer): Html {
  const content = html`
    <form method="post" action="/desk/reports/new" class="row-form">
      ${tokenField(request)}
      <input type="hidden" name="customer" value="${customer.id}">
      ${mailingFields(request, customer, { ...freshMailing, release: customer.release })}
      <button class="button">Add</button>
    </form>
    <p class="quiet">Whoever is added by somebody else is asked once whether they want reports.</p>
  `
  return html`
    <h1>Add a report for ${breakable(customer.name)}</h1>
    <p class="lead">A summary of the sites, mailed when a week or a month is over.</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <div class="grid">${card(content, 'w12')}</div>
  `
}

async function searchHtml(request: PersonPageRequest, staff: StaffCaller): Promise<Html> {
  const words = (request.query.get('q') ?? '').trim()
  const { customers: found } = await findCustomers(request, staff, await listCustomers(staff))
  return html`
    <h1>Add a report</h1>
    <p class="lead">For which customer?</p>
    <form class="filters" action="/desk/reports/new">
      <label for="narrow">
        Search by name, domain or person
        <input id="narrow" type="search" name="q" value="${words}" autocomplete="off">
      </label>
      <button class="button soft">Search</button>
    </form>
    <div class="grid">
      ${card(found.length === 0 ? html`<p class="quiet">No customer fits.</p>` : foundHtml(found), 'w12')}
    </div>
  `
}

function foundHtml(found: readonly { readonly id: number; readonly name: string; readonly mail: string | null }[]): Html {
  return html`
    <ul class="recipients">
      ${found.slice(0, mostFound).map(
        ({ id, name, mail }) => html`
          <li><a href="/desk/reports/new?customer=${id}">${breakable(name)}</a>${mail === null ? null : html` <span class="quiet">has a ${mail} report</span>`}</li>
        `,
      )}
    </ul>
    ${found.length > mostFound ? html`<p class="quiet">${found.length - mostFound} more fit: please search more closely.</p>` : null}
  `
}
