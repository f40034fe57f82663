/** What was done for a customer, in words, from the audit log. */

import { type Html, html } from '../../../../lib/html.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import type { CustomerFile } from '../../../../model/dashboard/desk/customer.ts'
import { type HistoryEntry, readHistory } from '../../../../model/dashboard/desk/customer-history.ts'
import { domainName } from '../../../components/names.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { hrefWith, type PersonPageRequest } from '../../../page-request.ts'
import { doneTexts } from './history-texts.ts'
import { actorName, nameOf, scopesText } from './sees.ts'

export async function historyCard(request: PersonPageRequest, staff: StaffCaller, customer: CustomerFile): Promise<Html> {
  const before = idIn(request.query.get('before') ?? '')
  const { entries, earlier, formerStaff } = await readHistory(staff, customer, before)
  const names = new Map([...formerStaff, ...customer.people.map((person) => [person.id, nameOf(person)] as const)])
  const subjects = subjectNames(customer)
  const to = (id: number | null) => `${hrefWith(request, { before: id === null ? null : String(id), done: null })}#history`
  return card(
    html`
      <h2 id="history">History</h2>
      ${entries.length === 0 ? html`<p class="quiet">Nothing has been changed ${before > 0 ? 'before that' : 'yet'}.</p>` : null}
      <ul class="recipients">
        ${entries.map(
          (entry) =>
            html`<li>${request.words.moment(entry.at)}: ${doneText(customer, subjects, entry)}, by ${actorName(names, entry.actor)}</li>`,
        )}
      </ul>
      ${
        before === 0 && earlier === null
          ? null
          : html`<p class="pages no-print">
              ${before === 0 ? null : html`<a href="${to(null)}">The newest</a>`}
              ${earlier === null ? null : html`<a href="${to(earlier)}" rel="next">Earlier</a>`}
            </p>`
      }
    `,
    'w12',
    true,
  )
}

/** What is still there of what was changed, as the audit log names it. */
function subjectNames({ sites, businesses, people }: CustomerFile): ReadonlyMap<string, string> {
  return new Map([
    ...sites.map(({ id, domain }) => [`Site:${id}`, domainName(domain)] as const),
    ...businesses.map(({ id, name }) => [`Business:${id}`, name] as const),
    ...people.map((person) => [`User:${person.id}`, nameOf(person)] as const),
  ])
}

function doneText(customer: CustomerFile, subjects: ReadonlyMap<string, string>, entry: HistoryEntry): Html {
  const { action, subject_type, subject_id, seen } = entry
  const subject = subjects.get(`${subject_type}:${subject_id}`)
  const told = ownEntry(doneTexts, action) ?? 'something was changed'
  const named = subject === undefined ? null : html` (${breakable(subject)})`
  if (seen === null) return html`${told}${named}`
  const parts = [
    ...(seen.opened.length > 0 ? [`may see ${scopesText(customer, seen.opened)}`] : []),
    ...(seen.closed.length > 0 ? [`may no longer see ${scopesText(customer, seen.closed)}`] : []),
  ]
  return html`${breakable(subject ?? 'somebody')} ${parts.join(', and ')}`
}
