/** What was done for a customer, in words, from the audit log. */

import { type Html, html } from '../../../../lib/html.ts'
import type { CustomerFile } from '../../../../model/dashboard/desk/customer.ts'
import type { StaffName } from '../../../../model/dashboard/desk/customers.ts'
import { domainName } from '../../../components/names.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import type { PersonPageRequest } from '../../../page-request.ts'
import { actorName, nameOf } from './sees.ts'

export function historyCard({ words }: PersonPageRequest, customer: CustomerFile, colleagues: readonly StaffName[]): Html {
  const { entries } = customer
  const names = peopleNames(customer, colleagues)
  const subjects = subjectNames(customer)
  const list = entries.map(({ at, actor, action, subject_type, subject_id }) => {
    const subject = subjects.get(`${subject_type}:${subject_id}`)
    return html`<li>${words.moment(at)}: ${doneText(action)}${subject && html` (${breakable(subject)})`}, by ${actorName(names, actor)}</li>`
  })
  return card(
    html`
      <h2>History</h2>
      ${list.length === 0 ? html`<p class="quiet">Nothing has been changed yet.</p>` : html`<ul class="recipients">${list}</ul>`}
    `,
    'w12',
    true,
  )
}

/** Those of the customer and the colleagues, by id. */
function peopleNames({ people }: CustomerFile, colleagues: readonly StaffName[]): ReadonlyMap<number, string> {
  return new Map([
    ...people.map((person) => [person.id, nameOf(person)] as const),
    ...colleagues.map(({ id, name }) => [id, name] as const),
  ])
}

/** What is still there of what was changed, as the audit log names it. */
function subjectNames({ sites, businesses, people }: CustomerFile): ReadonlyMap<string, string> {
  return new Map([
    ...sites.map(({ id, domain }) => [`Site:${id}`, domainName(domain)] as const),
    ...businesses.map(({ id, name }) => [`Business:${id}`, name] as const),
    ...people.map((person) => [`User:${person.id}`, nameOf(person)] as const),
  ])
}

const nouns: Readonly<Record<string, string>> = {
  account: 'customer',
  annotation: 'note',
  intake: 'import',
  schedule: 'schedule of mails',
  user: 'person',
}
const verbs: Readonly<Record<string, string>> = {
  create: 'made',
  change: 'changed',
  delete: 'deleted',
  remove: 'removed',
  rename: 'renamed',
  login: 'logged in',
  password: 'given a password',
  login_link: 'given a login link',
  set_owner: 'given an owner',
  tag: 'given tags',
  clear_owner: 'left without an owner',
  set_time_zone: 'given a time zone',
  deactivate: 'deactivated',
  reactivate: 'reactivated',
  archive: 'archived',
  unarchive: 'taken out of the archive',
  restore: 'brought back after a deletion',
  assign: 'given to a colleague',
  suspend: 'suspended',
  unsuspend: 'let in again',
  share: 'shared by a link',
  unshare: 'a link revoked',
  brand: 'given a brand',
  add_editor: 'given an editor',
  remove_editor: 'left by an editor',
  invite: 'somebody invited to see it',
  withdraw_invitation: 'an invitation withdrawn',
  join: 'an invitation accepted',
  begin_view: 'looked at: a colleague sees what they see',
  end_view: 'not looked at any more',
  view_ended: 'not looked at any more, because the time was over',
}

/** `site.share` reads "site shared by a link"; a verb without words of its own is read as it is written. */
function doneText(action: string): string {
  const [noun = '', verb = ''] = action.split('.')
  return `${nouns[noun] ?? noun} ${verbs[verb] ?? verb.replaceAll('_', ' ')}`
}
