/** One customer: sites, people with what each sees in words, mails, links and history. */

import { Failure, notFound } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { type CustomerFile, openCustomer } from '../../../../model/dashboard/desk/customer.ts'
import { listColleagues, type StaffName } from '../../../../model/dashboard/desk/customers.ts'
import { findCustomer } from '../../../../model/partners/customers.ts'
import { listInvited } from '../../../../model/people/keepers/people-invitations.ts'
import { assignCustomer, mayAssign } from '../../../../model/people/staff/assignments.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { aboutHtml, saveAbout } from './about.ts'
import { addHere, businessesHtml, changeHere, removeBusiness } from './businesses.ts'
import { historyCard } from './history.ts'
import { linksHtml, revoke } from './links.ts'
import { mailsHtml } from './mails.ts'
import { addNote, notesHtml, removeNote } from './notes.ts'
import { invite, inviteAgainHere, peopleHtml, withdrawHere } from './people.ts'
import { addDomain, sitesHtml } from './sites.ts'
import { stateActs, stateCard, stateDone } from './state.ts'
import { whyCard } from './why.ts'

const done: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...stateDone,
    added: 'The customer is added.',
    invited: 'The person is invited: a mail with a link is on its way.',
    withdrawn: 'The invitation no longer works.',
    ended: 'The login is deleted.',
    opened: 'This person had a login already, and sees it now.',
    site: 'The site is added.',
    unsited: 'The site is removed.',
    business: 'The business is added.',
    unmade: 'The business is removed.',
    changed: 'The change is saved.',
    revoked: 'The link no longer works.',
    noted: 'The note is written.',
    unnoted: 'The note is removed.',
  }),
)

export async function showCustomer(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const customer = await openCustomer(staff, idIn(request.params['account_id']))
  const colleagues = await listColleagues(staff)
  const colleague = colleagues.find(({ id }) => id === customer.looked_after_by)
  const said = done.get(request.query.get('done') ?? '')
  const main = html`
    <p class="crumb"><a href="/desk">Customers</a></p>
    <h1>${breakable(customer.name)}</h1>
    <p class="lead">${leadOf(request, customer)}${colleague ? ` Looked after by ${colleague.name}.` : null}</p>
    ${said && request.wrong === null ? html`<p class="notice" role="status">${said}</p>` : null}
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${assignForm(request, staff, customer, colleagues)}
    <div class="grid">
      ${card(sitesHtml(request, customer), 'w12', true)}
      ${card(peopleHtml(request, customer, await listInvited(request.loggedIn.person, customer.id)), 'w12', true)}
      ${await whyCard(request, staff, customer)}
      ${card(mailsHtml(request, customer), 'w6')}
      ${card(linksHtml(request, customer), 'w6')}
      ${card(notesHtml(request, customer), 'w12', true)}
      ${card(businessesHtml(request, customer), 'w6')}
      ${card(aboutHtml(request, customer), 'w6')}
      ${stateCard(request, staff, await findCustomer(staff, customer.id))}
      ${await historyCard(request, staff, customer)}
    </div>
  `
  return { body: framed(request, { title: customer.name, main, printed: customer.name }) }
}

type Act = (request: PersonPageRequest, staff: StaffCaller, accountId: number) => Promise<PageAnswer>

/** What the forms of the page do, by the name of their button. */
const acts: ReadonlyMap<string, Act> = new Map(
  Object.entries({
    ...stateActs,
    assign,
    invite,
    again: inviteAgainHere,
    withdraw: withdrawHere,
    about: saveAbout,
    domain: addDomain,
    business: addHere,
    rename: changeHere,
    deactivate: changeHere,
    reactivate: changeHere,
    unmake: removeBusiness,
    revoke,
    note: addNote,
    unnote: removeNote,
  }),
)

export async function submitCustomer(request: PersonPageRequest): Promise<PageAnswer> {
  const act = acts.get(request.form.get('do') ?? '') ?? notFound('page')
  try {
    return await act(request, staffCallerOf(request.loggedIn.person), idIn(request.params['account_id']))
  } catch (error) {
    if (!(error instanceof Failure) || !kept.includes(error.code)) throw error
    return { wrong: error.code === 'validation_failed' ? notYet : sentenceOf(error), faults: error.details.faults ?? [], body: '' }
  }
}

const kept: readonly Failure['code'][] = ['conflict', 'validation_failed', 'too_many_requests']
const notYet = 'Nothing is changed yet: please look at what is marked below.'

/** Assigns the customer to a colleague, or to nobody. */
async function assign({ form }: PersonPageRequest, staff: StaffCaller, id: number): Promise<PageAnswer> {
  const chosen = (name: string) => idIn(form.get(name) ?? '') || null
  try {
    await assignCustomer(staff, id, chosen('colleague'), chosen('was'))
    return redirect(`/desk/customers/${id}`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
    return { wrong: 'This colleague is no longer there.', body: '' }
  }
}

/** For staff who have all customers. */
function assignForm(request: PersonPageRequest, staff: StaffCaller, customer: CustomerFile, colleagues: readonly StaffName[]): Html | null {
  if (!mayAssign(staff)) return null
  const { looked_after_by: now } = customer
  const chosen = request.form.has('colleague') ? request.form.get('colleague') : String(now ?? '')
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`
  return html`
    <form method="post" action="/desk/customers/${customer.id}" class="filters no-print">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${now}">
      <label for="colleague">
        Looked after by
        <select id="colleague" name="colleague">
          ${option('', 'nobody')}
          ${colleagues.map(({ id, name }) => option(String(id), name))}
        </select>
      </label>
      <button class="button soft" name="do" value="assign">Save</button>
    </form>
  `
}

const mostNamed = 10

function leadOf({ words }: PersonPageRequest, { sites, people, businesses, time_zone }: CustomerFile): string {
  const closed = businesses.filter(({ aasm_state }) => aasm_state === 'deactivated').map(({ name }) => name)
  const counted = `${words.count(sites.length, 'site')} of ${words.count(businesses.length, 'business', 'businesses')}, ${words.count(people.length, 'person', 'people')}.`
  const others = closed.length > mostNamed ? ` and ${words.whole(closed.length - mostNamed)} more` : ''
  return `${counted}${closed.length > 0 ? ` Deactivated: ${closed.slice(0, mostNamed).join(', ')}${others}.` : ''} Days are counted in ${time_zone ?? 'UTC'}.`
}
