/** The reports that are mailed to a customer, each of which leads to where it is changed. */

import { type Html, html } from '../../../../lib/html.ts'
import type { CustomerFile } from '../../../../model/dashboard/desk/customer.ts'
import { breakable } from '../../../components/tables.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

const states = { active: 'gets them', unconfirmed: 'has not confirmed yet', unsubscribed: 'has unsubscribed' } as const

export function mailsHtml({ words }: PersonPageRequest, { id: accountId, schedules }: CustomerFile): Html {
  return html`
    <h2>Reports by mail</h2>
    ${schedules.length === 0 ? html`<p class="quiet">No reports are mailed.</p>` : null}
    ${schedules.map(
      ({ id, rhythm, site_ids, recipients }) => html`
        <p>
          <a href="/desk/reports/${id}">${rhythm === 'weekly' ? 'Every week' : 'Every month'}</a>, about ${site_ids === null ? 'every site' : words.count(site_ids.length, 'site')}:
        </p>
        <ul class="recipients">${recipients.map(({ email, state }) => html`<li>${breakable(email)} ${states[state]}</li>`)}</ul>
      `,
    )}
    <p class="no-print"><a href="/desk/reports/new?customer=${accountId}">Add a report</a></p>
  `
}
