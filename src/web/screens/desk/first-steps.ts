/** What an agency does in its first five minutes, with the first step that is left unfolded; it goes when all is done, or when nobody wants it. */

import { type Html, html } from '../../../lib/html.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { type FirstSteps, leaveFirstSteps, readFirstSteps, type StepName, stepNames } from '../../../model/dashboard/desk/first-steps.ts'
import { storeSampleData } from '../../../model/intakes/sample-data.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import { tokenField } from '../../components/layout.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'

const titles: Readonly<Record<StepName, string>> = {
  customer: 'Add your first customer',
  data: 'Bring in data',
  brand: 'Show your name and colours',
  invite: 'Invite the client',
  mail: 'Mail the reports',
}

export async function firstStepsHtml(request: PersonPageRequest, staff: StaffCaller): Promise<Html | null> {
  const steps = await readFirstSteps(staff)
  if (steps === null) return null
  const first = stepNames.find((name) => !steps.done.has(name))
  return html`
    <section class="card w12 first-steps no-print" aria-labelledby="first-steps">
      <div class="bar-row">
        <h2 id="first-steps">First steps</h2>
        <span class="quiet">${steps.done.size} of ${stepNames.length} done.</span>
        <form method="post" action="/desk/first-steps" class="push">${tokenField(request)}<button class="button soft">Do not show this any more</button></form>
      </div>
      <ol>
        ${stepNames.map((name) => stepHtml(request, steps, name, name === first))}
      </ol>
    </section>
  `
}

export async function submitFirstSteps({ loggedIn, form }: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(loggedIn.person)
  if (form.get('do') === 'sample') {
    const { id } = await storeSampleData(staff, idIn(form.get('customer') ?? ''))
    return redirect(`/desk/data/${id}`)
  }
  await leaveFirstSteps(staff)
  return redirect('/desk')
}

function stepHtml(request: PersonPageRequest, steps: FirstSteps, name: StepName, isFirst: boolean): Html {
  if (steps.done.has(name)) return html`<li class="quiet">${titles[name]} <span class="badge">done</span></li>`
  return html`<li${isFirst ? html` class="now"` : null}><details${isFirst ? html` open` : null}><summary>${titles[name]}</summary>${bodies[name](request, steps)}</details></li>`
}

type Body = (request: PersonPageRequest, steps: FirstSteps) => Html

const bodies: Readonly<Record<StepName, Body>> = {
  customer: customerBody,
  data: dataBody,
  brand: () => html`<p>Clients see your name and colour on pages, in mails and on paper: <a href="/desk/brand">choose them</a>.</p>`,
  invite: inviteBody,
  mail: (_, { customer }) =>
    customer === null
      ? afterCustomer
      : html`<p>Every week or every month, with the figures and a PDF: <a href="/desk/reports/new?customer=${customer.id}">choose who gets the reports of ${customer.name}</a>.</p>`,
}

const afterCustomer = html`<p>Add a customer first.</p>`

function customerBody(request: PersonPageRequest): Html {
  return html`
    <form method="post" action="/desk/add" class="row-form">
      ${tokenField(request)}
      <div class="field"><label for="step-name">Name</label><input id="step-name" name="name" maxlength="255" autocomplete="off" required></div>
      <div class="field"><label for="step-domain">Domain</label><input id="step-domain" name="domain" placeholder="example.com" autocomplete="off" required></div>
      <button class="button">Add this customer</button>
    </form>
    <p class="quiet">Or <a href="/desk/add/table">paste a table of all of them</a>.</p>
  `
}

function dataBody(request: PersonPageRequest, { customer }: FirstSteps): Html {
  if (customer === null) return afterCustomer
  const place = new URLSearchParams({ for: customer.name })
  return html`
    <p>Files of your rank tracker, Search Console or review tools: <a href="/desk/data?${place.toString()}">bring them in</a>.</p>
    <form method="post" action="/desk/first-steps">
      ${tokenField(request)}
      <input type="hidden" name="customer" value="${customer.id}">
      <p>Or look at the pages first: sample data is one file, which you take back by undoing it. <button class="button soft" name="do" value="sample">Use sample data</button></p>
    </form>
  `
}

function inviteBody(request: PersonPageRequest, { customer }: FirstSteps): Html {
  if (customer === null) return afterCustomer
  return html`
    <form method="post" action="/desk/customers/${customer.id}" class="row-form">
      ${tokenField(request)}
      <input type="hidden" name="sees" value="Account:${customer.id}">
      <div class="field"><label for="step-email">Email of somebody at ${customer.name}</label><input id="step-email" name="email" type="email" autocomplete="off" required></div>
      <button class="button" name="do" value="invite">Invite</button>
    </form>
    <p class="quiet">They see everything of ${customer.name}, and nothing else.</p>
  `
}
