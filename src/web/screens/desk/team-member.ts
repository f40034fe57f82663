/** One of the staff: a row of the table, and the card in which an admin changes what they may do, mails a link or removes them. */

import { type Html, html } from '../../../lib/html.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import type { Team, TeamMember } from '../../../model/dashboard/desk/team.ts'
import { staffState } from '../../../model/people/staff/staff.ts'
import { fieldHtml } from '../../components/fields.ts'
import { tokenField } from '../../components/layout.ts'
import { breakable } from '../../components/tables.ts'
import type { PersonPageRequest } from '../../page-request.ts'

export const posts = [
  ['admin all', 'everything, as an admin'],
  ['member all', 'all customers'],
  ['member assigned', 'the customers assigned to them'],
] as const

/** Of a form; what is none of these is refused by the table of fields. */
export function postIn(text: string | null): { role: string; customers: string } {
  const [role = '', customers = ''] = (text ?? '').split(' ')
  return { role, customers }
}

export function memberRow({ words }: PersonPageRequest, member: TeamMember): Html {
  const { id, called, email, role, customers, looks_after, hasSecondFactor, last_login_at: seen, state } = member
  const may = posts.find(([value]) => value === `${role} ${customers}`)
  return html`
    <tr>
      <th scope="row">
        <a class="rowlink" href="/desk/team?member=${id}">${breakable(called)}</a>
        ${state === 'suspended' ? html` <span class="badge">suspended</span>` : null}
        <small>${breakable(email)}</small>
      </th>
      <td class="wrap" data-l="May">${may?.[1]}</td>
      <td class="n" data-l="Looks after"><a href="/desk?colleague=${id}">${words.count(looks_after, 'customer')}</a></td>
      <td class="n" data-l="Second factor">${hasSecondFactor ? 'on' : html`<span class="quiet">off</span>`}</td>
      <td class="n" data-l="Last login">${seen === null ? html`<span class="quiet">never</span>` : words.shortDay(seen.slice(0, 10))}</td>
    </tr>
  `
}

export function memberCard(request: PersonPageRequest, staff: StaffCaller, { members }: Team, member: TeamMember): Html {
  const { id, called } = member
  const others = members.filter((other) => other.id !== id).map((other) => [String(other.id), other.called] as const)
  const successor = others.find(([other]) => other === String(staff.userId)) ?? others[0]
  const hidden = html`${tokenField(request)}<input type="hidden" name="member" value="${id}">`
  return html`
    <h2>${breakable(called)}</h2>
    <form method="post" action="/desk/team" class="row-form">
      ${hidden}
      <input type="hidden" name="was" value="${staffState(member)}">
      ${fieldHtml(request, { name: 'new_post', label: 'May', options: posts }, `${member.role} ${member.customers}`)}
      <button class="button" name="do" value="change">Save</button>
    </form>
    <p class="quiet">Customers are assigned on the page of each: <a href="/desk?colleague=${id}">those of ${called}</a>.</p>
    ${
      sendsMail(request.app.settings)
        ? html`<form method="post" action="/desk/team">${hidden}<button class="button soft" name="do" value="link">Mail them a link to log in</button></form>`
        : null
    }
    ${
      successor === undefined
        ? null
        : html`
            <form method="post" action="/desk/team" class="row-form">
              ${hidden}
              ${fieldHtml(request, { name: 'successor', label: 'Their customers, links and reports by mail go to', options: others }, successor[0])}
              <button class="button soft" name="do" value="remove">Remove from the staff</button>
            </form>
            <p class="quiet">The login stays, and opens nothing of the desk any more.</p>
          `
    }
    <p><a href="/desk/team">Close</a></p>
  `
}
