/** The people of a customer: what each of them sees in words, and the form that invites somebody. */

import { draftOf } from '../../../../fields/read.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { sendsMail } from '../../../../lib/network/smtp.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import type { CustomerFile, CustomerPerson, CustomerSite } from '../../../../model/dashboard/desk/customer.ts'
import { inviteClient, type SeenScope } from '../../../../model/people/customers/clients.ts'
import { invitePerson, type PersonInvitation } from '../../../../model/people/keepers/people-invitations.ts'
import { newClient } from '../../../../resources/user.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import { domainName } from '../../../components/names.ts'
import { breakable } from '../../../components/tables.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { mailAgain, waitingHtml, withdrawInvitation } from '../../people/waiting.ts'
import { giveLink } from './person.ts'
import { nameOf, scopeIn, seesText } from './sees.ts'
import { viewForm } from './views.ts'

/** All of them, or those who may see one site. */
export function peopleHtml(request: PersonPageRequest, customer: CustomerFile, invitations: readonly PersonInvitation[]): Html {
  const site = customer.sites.find(({ id }) => String(id) === request.query.get('sees'))
  const people = site === undefined ? customer.people : customer.people.filter((person) => maySee(person, site))
  return html`
    <h2 id="people">${site === undefined ? 'People' : html`Who may see ${breakable(domainName(site.domain))}`}</h2>
    ${people.length === 0 ? html`<p class="quiet">Nobody can log in and see ${site === undefined ? 'these sites' : 'this site'} yet.</p>` : peopleTable(request, customer, people)}
    ${site === undefined ? inviteForm(request, customer) : besidesHtml(customer, site)}
    ${site === undefined ? waitingHtml(request, customer, invitations, { path: `/desk/customers/${customer.id}`, hidden: tokenField(request) }) : null}
  `
}

function maySee({ isOwner, scopes }: CustomerPerson, site: CustomerSite): boolean {
  const ids = { Account: null, Business: site.business_id, Site: site.id }
  return isOwner || scopes.some(({ scope_type, scope_id }) => ids[scope_type] === null || ids[scope_type] === scope_id)
}

function besidesHtml({ id, links }: CustomerFile, site: CustomerSite): Html {
  const labels = links.filter(({ site_id }) => site_id === site.id).map(({ label }) => label || 'anyone')
  return html`
    ${site.aasm_state === 'active' ? null : html`<p>Its business is deactivated: until it is active again, none of them sees it.</p>`}
    <p>
      Your colleagues who have this customer see it too.
      ${labels.length === 0 ? 'No link to it works now.' : `So does whoever has a link: ${labels.join(', ')}.`}
      <a class="no-print" href="/desk/customers/${id}#people">All people of this customer</a>
    </p>
  `
}

function peopleTable(request: PersonPageRequest, customer: CustomerFile, people: readonly CustomerPerson[]): Html {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="People">
      <table class="stacks">
        <caption class="sr">People and what each of them sees</caption>
        <thead><tr><th scope="col">Person</th><th scope="col">Sees</th><th scope="col" class="n">Last login</th><th scope="col" class="n no-print"><span class="sr">Look as they do</span></th></tr></thead>
        <tbody>${people.map((person) => personRow(request, customer, person))}</tbody>
      </table>
    </div>
  `
}

function personRow(request: PersonPageRequest, customer: CustomerFile, person: CustomerPerson): Html {
  const { last_login_at: seen } = person
  return html`
    <tr>
      <th scope="row">
        <a class="rowlink" href="/desk/customers/${customer.id}/people/${person.id}">${breakable(nameOf(person))}</a>
        ${person.state === 'suspended' ? html` <span class="badge">suspended</span>` : null}
        ${person.isOfAnother ? html` <span class="badge">from another customer</span>` : null}
        <small>${breakable(person.email)}</small>
      </th>
      <td class="wrap" data-l="Sees">${seesText(customer, person)}</td>
      <td class="n" data-l="Last login">${seen === null ? html`<span class="quiet">never</span>` : request.words.shortDay(seen.slice(0, 10))}</td>
      <td class="n no-print">${viewForm(request, customer, person)}</td>
    </tr>
  `
}

/** More are chosen at the page of the person. */
const mostNamed = 100

function inviteForm(request: PersonPageRequest, customer: CustomerFile): Html {
  const { name, businesses, sites, id } = customer
  const isMailed = sendsMail(request.app.settings)
  const scopes = [
    [`Account:${id}`, `everything of ${name}`],
    ...businesses.slice(0, mostNamed).map((business) => [`Business:${business.id}`, `all sites of ${business.name}`] as const),
    ...sites.slice(0, mostNamed).map((site) => [`Site:${site.id}`, domainName(site.domain)] as const),
    ...(isMailed ? [] : [['', 'nothing yet'] as const]),
  ] as const
  return html`
    <form method="post" action="/desk/customers/${id}" class="row-form no-print">
      ${tokenField(request)}
      ${fieldHtml(request, { name: 'email', label: 'Invite somebody by email', type: 'email', isRequired: true, sentences: emailSentences })}
      ${isMailed ? null : fieldHtml(request, { name: 'contact', label: 'Name of the person' })}
      ${fieldHtml(request, { name: 'sees', label: 'Sees', options: scopes, sentences: seesSentences }, `Account:${id}`)}
      <label class="check"><input type="checkbox" name="edits" value="yes"${request.form.get('edits') === 'yes' ? html` checked` : null}> may also share</label>
      <button class="button" name="do" value="invite">Invite</button>
    </form>
    <p class="quiet no-print">${
      isMailed
        ? 'They get a mail with a link that works once, within seven days, and choose a password there if they have none.'
        : 'This service sends no mail: you get a link to give to them.'
    }</p>
  `
}

const emailSentences = {
  blank: 'Please type an email address.',
  invalid: 'This is no email address.',
  taken: 'This address cannot be invited here: please ask for another one.',
  too_long: 'A login has at most 100 characters.',
  too_many: 'A hundred invitations wait already: withdraw some of them first.',
}
const seesSentences = { blank: 'Please choose what they see.', does_not_exist: 'This is no longer there; please choose again.' }

/** By mail, which alone says whether the address has a login; where none is sent, a link to give to them. */
export function invite(request: PersonPageRequest, staff: StaffCaller, accountId: number): Promise<PageAnswer> {
  return sendsMail(request.app.settings) ? inviteByMail(request, accountId) : inviteByLink(request, staff, accountId)
}

async function inviteByMail({ form, loggedIn }: PersonPageRequest, accountId: number): Promise<PageAnswer> {
  const [email, scope] = [form.get('email') ?? '', scopeIn(form.get('sees') ?? '')]
  await invitePerson(loggedIn.person, accountId, { email, scope, isEditor: form.get('edits') === 'yes' })
  return redirect(`/desk/customers/${accountId}?done=invited`)
}

async function inviteByLink({ form }: PersonPageRequest, staff: StaffCaller, accountId: number): Promise<PageAnswer> {
  const draft = draftOf(newClient, { email: form.get('email') ?? '', contact: form.get('contact') ?? '' })
  const scope: SeenScope | null = scopeIn(form.get('sees') ?? '')
  const { id, isNew } = await inviteClient(staff, accountId, draft, { scope, isEditor: form.get('edits') === 'yes' })
  return isNew ? redirect(...(await giveLink(staff, accountId, id))) : redirect(`/desk/customers/${accountId}?done=opened`)
}

export async function inviteAgainHere(request: PersonPageRequest, _: StaffCaller, accountId: number): Promise<PageAnswer> {
  return redirect(`/desk/customers/${accountId}?done=${await mailAgain(request, accountId)}`)
}

export async function withdrawHere(request: PersonPageRequest, _: StaffCaller, accountId: number): Promise<PageAnswer> {
  return redirect(`/desk/customers/${accountId}?done=${await withdrawInvitation(request, accountId)}`)
}
