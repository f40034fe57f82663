/** The people of an account, for themselves: who sees what. Those who keep them invite, remove and hand over; everybody else reads whom to ask. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { ownEntry } from '../../../lib/own-entry.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import { openPeople, type PeopleFile } from '../../../model/dashboard/people.ts'
import { chooseRegion } from '../../../model/people/keepers/account-regions.ts'
import { handOver, removeFromAccount } from '../../../model/people/keepers/kept-people.ts'
import { invitePerson } from '../../../model/people/keepers/people-invitations.ts'
import { fieldHtml } from '../../components/fields.ts'
import { framed, tokenField } from '../../components/layout.ts'
import { domainName } from '../../components/names.ts'
import { regionChoices } from '../../components/regions.ts'
import { card } from '../../components/site-frame.ts'
import { breakable } from '../../components/tables.ts'
import { sentenceOf } from '../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'
import { nameOf, scopeIn } from '../desk/customer/sees.ts'
import { peopleTable, personCard } from './person.ts'
import { mailAgain, waitingHtml, withdrawInvitation } from './waiting.ts'

const done: Readonly<Record<string, string>> = {
  invited: 'The invitation is on its way.',
  withdrawn: 'The invitation no longer works.',
  removed: 'They see nothing here any more.',
  region: 'It is saved.',
  handed: 'The account has its new owner. You may go on inviting people and sharing.',
}

export async function showPeople(request: PersonPageRequest): Promise<PageAnswer> {
  const { person } = request.loggedIn
  if (person.post !== null) return redirect('/desk')
  const file = await openPeople(person, accountOf(request))
  const chosen = idIn(request.form.get('person') ?? request.query.get('person') ?? '')
  const one = file.keeps === 'nothing' ? undefined : file.people.find(({ id }) => id === chosen)
  const said = ownEntry(done, request.query.get('done'))
  const main = html`
    <h1>People</h1>
    <p class="lead">${file.seesAll ? `Who can see something of ${file.name}.` : `Who can see what you see of ${file.name}.`}</p>
    ${said && request.wrong === null ? html`<p class="notice" role="status">${said}</p>` : null}
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <div class="grid">
      ${one === undefined ? null : card(await personCard(request, file, one), 'w12')}
      ${card(peopleTable(request, file), 'w12', true)}
      ${file.keeps === 'nothing' ? card(whomToAsk(file), 'w12') : card(inviteHtml(request, file), 'w12')}
      ${file.keeps === 'nothing' ? null : card(regionHtml(request, file), 'w12')}
      ${file.links.length === 0 ? null : card(linksHtml(request, file), 'w12')}
      ${file.others.length === 0 ? null : card(othersHtml(file), 'w12')}
    </div>
  `
  return { body: framed(request, { title: 'People', main, printed: file.name }) }
}

type Act = (request: PersonPageRequest, accountId: number) => Promise<keyof typeof done>

/** What the forms of the page do, by the name of their button. */
const acts: Readonly<Record<string, Act>> = { invite, again: mailAgain, withdraw: withdrawInvitation, remove, hand, region }

export async function submitPeople(request: PersonPageRequest): Promise<PageAnswer> {
  if (request.loggedIn.person.post !== null) return redirect('/desk')
  const accountId = accountOf(request)
  const act = ownEntry(acts, request.form.get('do'))
  if (act === undefined) throw new Failure('not_found')
  try {
    return redirect(`/people?${new URLSearchParams({ account: String(accountId), done: await act(request, accountId) })}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed', 'too_many_requests'].includes(error.code)) throw error
    const wrong = error.code === 'validation_failed' ? 'Nothing is changed yet: please look at what is marked below.' : sentenceOf(error)
    return { wrong, faults: error.details.faults ?? [], body: '' }
  }
}

function accountOf({ form, query, loggedIn }: PersonPageRequest): number {
  const asked = form.get('account') ?? query.get('account')
  return asked === null ? loggedIn.person.accountId : idIn(asked)
}

function whomToAsk({ people }: PeopleFile): Html {
  const owner = people.find(({ isOwner }) => isOwner)
  return html`<p>Ask ${owner === undefined ? 'whoever gave you your login' : nameOf(owner)} to invite someone.</p>`
}

const emailSentences = {
  blank: 'Please type an email address.',
  invalid: 'This is no email address.',
  too_long: 'A login has at most 100 characters.',
  too_many: 'A hundred invitations wait already: withdraw some of them first.',
}
const seesSentences = { blank: 'Please choose what they see.', does_not_exist: 'This is no longer there; please choose again.' }
/** More are chosen one after another. */
const mostChoices = 200

function inviteHtml(request: PersonPageRequest, file: PeopleFile): Html {
  const { id, name, invitations, keeps, seesAll, wholeBusinesses, sites } = file
  const choices = [
    ...(seesAll ? [[`Account:${id}`, `everything of ${name}`] as const] : []),
    ...wholeBusinesses.map((business) => [`Business:${business.id}`, `all sites of ${business.name}`] as const),
    ...sites.map((site) => [`Site:${site.id}`, domainName(site.domain)] as const),
  ].slice(0, mostChoices)
  if (!sendsMail(request.app.settings))
    return html`<h2>Invite somebody</h2><p class="notice wrong">This service sends no mail, so that nobody can be invited from here.</p>`
  return html`
    <h2>Invite somebody</h2>
    <form method="post" action="/people" class="row-form no-print">
      ${hiddenFields(request, file)}
      ${fieldHtml(request, { name: 'email', label: 'Email', type: 'email', isRequired: true, sentences: emailSentences })}
      ${fieldHtml(request, { name: 'sees', label: 'Sees', options: choices, sentences: seesSentences })}
      ${keeps === 'everything' ? html`<label class="check"><input type="checkbox" name="edits" value="yes"${request.form.get('edits') === 'yes' ? html` checked` : null}> may also share and invite</label>` : null}
      <button class="button" name="do" value="invite">Invite</button>
    </form>
    <p class="quiet">The mail has a link that works once, within seven days.</p>
    ${waitingHtml(request, file, invitations, { path: '/people', hidden: hiddenFields(request, file) })}
  `
}

function regionHtml(request: PersonPageRequest, file: PeopleFile): Html {
  const choices = regionChoices(request, 'as their browser asks for')
  return html`
    <h2>Dates and numbers</h2>
    <form method="post" action="/people" class="row-form no-print">
      ${hiddenFields(request, file)}
      <input type="hidden" name="was" value="${file.region}">
      ${fieldHtml(request, { name: 'region', label: 'For whoever has chosen nothing at About you', options: choices }, file.region ?? '')}
      <button class="button soft" name="do" value="region">Save</button>
    </form>
  `
}

function linksHtml({ words }: PersonPageRequest, { links, sites }: PeopleFile): Html {
  const domains = new Map(sites.map(({ id, domain }) => [id, domainName(domain)]))
  return html`
    <h2>Guests</h2>
    <p>Whoever has one of these links sees its site without a login.</p>
    <ul class="recipients">
      ${links.map(
        ({ site_id, label, expires_at, last_used_at }) => html`
          <li>
            <a href="/sites/${site_id}/share">${breakable(label === '' ? 'anyone' : label)}</a>: ${breakable(domains.get(site_id) ?? '')}, <span class="quiet">until ${words.day(expires_at.slice(0, 10))}, ${last_used_at === null ? 'never used' : `last used ${words.day(last_used_at.slice(0, 10))}`}</span>
          </li>
        `,
      )}
    </ul>
  `
}

function othersHtml({ others }: PeopleFile): Html {
  return html`
    <h2>Other accounts</h2>
    <ul class="recipients">${others.map(({ id, name }) => html`<li><a href="/people?account=${id}">${breakable(name)}</a></li>`)}</ul>
  `
}

function hiddenFields(request: PersonPageRequest, { id }: Pick<PeopleFile, 'id'>): Html {
  return html`${tokenField(request)}<input type="hidden" name="account" value="${id}">`
}

async function invite({ form, loggedIn }: PersonPageRequest, accountId: number): Promise<'invited'> {
  const scope = scopeIn(form.get('sees') ?? '')
  await invitePerson(loggedIn.person, accountId, { email: form.get('email') ?? '', scope, isEditor: form.get('edits') === 'yes' })
  return 'invited'
}

async function region({ form, loggedIn }: PersonPageRequest, accountId: number): Promise<'region'> {
  await chooseRegion(loggedIn.person, accountId, form.get('region') ?? '', form.get('was') ?? '')
  return 'region'
}

async function remove({ form, loggedIn }: PersonPageRequest, accountId: number): Promise<'removed'> {
  await removeFromAccount(loggedIn.person, accountId, idIn(form.get('person') ?? ''), form.get('was') ?? '')
  return 'removed'
}

async function hand({ form, loggedIn, visitor }: PersonPageRequest, accountId: number): Promise<'handed'> {
  await handOver(visitor, loggedIn, accountId, idIn(form.get('person') ?? ''), form.get('current') ?? '')
  return 'handed'
}
