/** What was noted of days on the sites of a customer, where it is written and taken away again. */

import { notFound } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { addAnnotation, removeAnnotation } from '../../../../model/dashboard/annotations.ts'
import type { CustomerFile } from '../../../../model/dashboard/desk/customer.ts'
import { findSite } from '../../../../model/partners/sites.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import { domainName } from '../../../components/names.ts'
import { breakable } from '../../../components/tables.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'

export function notesHtml(request: PersonPageRequest, customer: CustomerFile): Html {
  const { id: accountId, notes, sites } = customer
  const domainOf = (id: number) => domainName(sites.find((site) => site.id === id)?.domain ?? '')
  return html`
    <h2 id="notes">Notes</h2>
    ${notes.length === 0 ? html`<p class="quiet">Nothing is noted of any day yet.</p>` : null}
    <ul class="recipients">
      ${notes.map(
        ({ id, site_id, day, text }) => html`
          <li>
            <form method="post" action="/desk/customers/${accountId}" class="bar-row">
              ${tokenField(request)}
              <input type="hidden" name="site" value="${site_id}">
              <input type="hidden" name="note" value="${id}">
              <span>${request.words.day(day)}, <a href="/sites/${site_id}/search">${breakable(domainOf(site_id))}</a>: <span dir="auto">${breakable(text)}</span></span>
              <button class="button soft no-print" name="do" value="unnote">Remove<span class="sr"> the note of ${request.words.day(day)}</span></button>
            </form>
          </li>
        `,
      )}
    </ul>
    ${sites.length === 0 ? null : addForm(request, customer)}
  `
}

const sentences = {
  day: { invalid: 'Please write the day as 2026-11-19.' },
  text: { blank: 'Please say what happened.', too_long: 'A note has at most 200 characters.' },
}

function addForm(request: PersonPageRequest, { id, sites }: CustomerFile): Html {
  const options = sites.map((site) => [String(site.id), domainName(site.domain)] as const)
  const today = request.app.clock.now().slice(0, 10)
  return html`
    <form method="post" action="/desk/customers/${id}" class="row-form no-print">
      ${tokenField(request)}
      ${fieldHtml(request, { name: 'day', label: 'Day', sentences: sentences.day }, today)}
      ${fieldHtml(request, { name: 'noted', label: 'Site', options })}
      ${fieldHtml(request, { name: 'text', label: 'What happened', isRequired: true, sentences: sentences.text })}
      <button class="button" name="do" value="note">Note it</button>
    </form>
    <p class="quiet no-print">Whoever sees the site reads it at that day of its charts.</p>
  `
}

export async function addNote({ form }: PersonPageRequest, staff: StaffCaller, accountId: number): Promise<PageAnswer> {
  const site = await ownSite(staff, accountId, form.get('noted'))
  await addAnnotation(staff, site.id, { day: form.get('day') ?? '', text: form.get('text') ?? '' })
  return redirect(`/desk/customers/${accountId}?done=noted#notes`)
}

export async function removeNote({ form }: PersonPageRequest, staff: StaffCaller, accountId: number): Promise<PageAnswer> {
  const site = await ownSite(staff, accountId, form.get('site'))
  await removeAnnotation(staff, site.id, idIn(form.get('note') ?? ''))
  return redirect(`/desk/customers/${accountId}?done=unnoted#notes`)
}

async function ownSite(staff: StaffCaller, accountId: number, given: string | null): Promise<{ readonly id: number }> {
  const site = await findSite(staff, idIn(given ?? ''))
  return site.account_id === accountId ? site : notFound('site')
}
