/** One person of a customer: what they see here, chosen by ticking, and their first login. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { sendsMail } from '../../../../lib/network/smtp.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { type CustomerFile, type CustomerPerson, openCustomer } from '../../../../model/dashboard/desk/customer.ts'
import { inviteAgain } from '../../../../model/people/customers/clients.ts'
import { changeRights, readRights } from '../../../../model/people/customers/rights.ts'
import { appointOwner } from '../../../../model/people/keepers/kept-people.ts'
import { createLoginLink, welcomeSeconds } from '../../../../model/people/login-links.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { domainName } from '../../../components/names.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { endedToldCookie, toldCookie } from '../../../cookies.ts'
import { sentenceOf } from '../../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { loginHtml, submitLoginAct } from './person-login.ts'
import { nameOf, scopeIn, scopeName, seesText } from './sees.ts'

const done: Readonly<Record<string, string>> = {
  changed: 'The change is saved.',
  invited: 'The invitation is on its way again.',
  owner: 'They own it now.',
}

export async function showPerson(request: PersonPageRequest): Promise<PageAnswer> {
  const { staff, customer, person } = await opened(request)
  const said = ownEntry(done, request.query.get('done'))
  const main = html`
    <p class="crumb"><a href="/desk/customers/${customer.id}">${customer.name}</a></p>
    <h1>${breakable(nameOf(person))}</h1>
    <p class="lead">Logs in as ${breakable(person.login)}, and sees ${seesText(customer, person)}.</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${said && request.wrong === null ? html`<p class="notice" role="status">${said}</p>` : null}
    ${linkNotice(request, person)}
    <div class="grid">
      ${card(await rightsForm(request, staff, customer, person), 'w12')}
      ${mayOwn(person) ? card(ownerHtml(request, customer, person), 'w12') : null}
      ${person.state === 'passive' ? card(firstLogin(request), 'w12') : null}
      ${person.isOfAnother ? null : card(loginHtml(request, person), 'w12')}
    </div>
  `
  const cookies = request.told === null ? [] : [endedToldCookie()]
  return { body: framed(request, { title: nameOf(person), main, printed: customer.name }), cookies }
}

export async function submitPerson(request: PersonPageRequest): Promise<PageAnswer> {
  const { staff, customer, person } = await opened(request)
  try {
    return await act(request, staff, customer, person)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed', 'too_many_requests'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

async function act(request: PersonPageRequest, staff: StaffCaller, customer: CustomerFile, person: CustomerPerson): Promise<PageAnswer> {
  const { form, path, loggedIn } = request
  const { id } = customer
  switch (form.get('do')) {
    case 'link':
      return redirect(...(await giveLink(staff, id, person.id)))
    case 'own':
      await appointOwner(loggedIn.person, id, idIn(form.get('owner') ?? '') || null, person.id)
      return redirect(`${path}?done=owner`)
    case 'suspend':
    case 'unsuspend':
      await submitLoginAct(request, staff, customer, person)
      return redirect(`${path}?done=changed`)
    case 'end':
      await submitLoginAct(request, staff, customer, person)
      return redirect(`/desk/customers/${id}?done=ended#people`)
    case 'again':
      await inviteAgain(staff, person.id)
      return redirect(`${path}?done=invited`)
    default: {
      const wanted = form.getAll('sees').flatMap((text) => scopeIn(text) ?? [])
      await changeRights(staff, id, person.id, { scopes: wanted, isEditor: form.get('edits') === 'yes', was: form.get('was') ?? '' })
      return redirect(`${path}?done=changed`)
    }
  }
}

/** Where no mail is sent, the link is told once, to whoever made it. */
export async function giveLink(staff: StaffCaller, accountId: number, userId: number): Promise<[string, ReturnType<typeof toldCookie>[]]> {
  const { url } = await createLoginLink(staff, userId, welcomeSeconds)
  return [`/desk/customers/${accountId}/people/${userId}`, [toldCookie(`${userId}|${url}`)]]
}

function linkNotice({ told, words, app }: PersonPageRequest, { id }: CustomerPerson): Html | null {
  const [whose, url] = told?.split('|') ?? []
  if (whose !== String(id) || url === undefined) return null
  const until = words.day(new Date(Date.parse(app.clock.now()) + welcomeSeconds * 1000).toISOString().slice(0, 10))
  return html`<p class="notice" role="status">Give them this link, by which they choose a password. It works once, until ${until}, and is shown only now: <code>${url}</code></p>`
}

async function opened({ loggedIn, params }: PersonPageRequest) {
  const staff = staffCallerOf(loggedIn.person)
  const customer = await openCustomer(staff, idIn(params['account_id']))
  const person = customer.people.find(({ id }) => id === idIn(params['user_id']))
  if (person === undefined) throw new Failure('not_found')
  return { staff, customer, person }
}

/** What was ticked is kept beside a fault; what somebody else changed meanwhile is shown as it is now. */
async function rightsForm(request: PersonPageRequest, staff: StaffCaller, customer: CustomerFile, person: CustomerPerson): Promise<Html> {
  const { form, wrong, path } = request
  const rights = await readRights(staff, customer.id, person.id).catch(nullIfAbsent)
  if (rights === null) return html`<h2>What they see</h2><p>They belong to a customer whom you do not look after.</p>`
  const isKept = wrong !== null && form.get('was') === rights.state
  const held = rights.scopes.map(scopeName)
  const ticked = new Set(isKept ? form.getAll('sees') : held)
  const edits = isKept ? form.get('edits') === 'yes' : rights.isEditor
  const shown = new Set([
    `Account:${customer.id}`,
    ...customer.businesses.map(({ id }) => `Business:${id}`),
    ...customer.sites.map(({ id }) => `Site:${id}`),
  ])
  const box = (value: string, label: string) =>
    html`<label class="check"><input type="checkbox" name="sees" value="${value}"${ticked.has(value) ? html` checked` : null}> ${breakable(label)}</label>`
  return html`
    <h2>What they see</h2>
    ${person.isOwner ? html`<p>They own ${customer.name} and see everything of it, whatever is ticked here.</p>` : null}
    <form method="post" action="${path}" class="rights">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${rights.state}">
      ${held.filter((name) => !shown.has(name)).map((name) => html`<input type="hidden" name="sees" value="${name}">`)}
      ${box(`Account:${customer.id}`, `everything of ${customer.name}, also what is added later`)}
      <fieldset>
        <legend>All sites of a business</legend>
        <div class="boxes">${customer.businesses.map(({ id, name }) => box(`Business:${id}`, name))}</div>
      </fieldset>
      <fieldset>
        <legend>Single sites</legend>
        <div class="boxes">${customer.sites.map(({ id, domain }) => box(`Site:${id}`, domainName(domain)))}</div>
      </fieldset>
      <label class="check"><input type="checkbox" name="edits" value="yes"${edits ? html` checked` : null}> may also share what they see, and write notes and mails about it</label>
      <button class="button">Save</button>
    </form>
    <p class="quiet">With nothing ticked they can still log in, and see nothing of ${customer.name}.</p>
  `
}

/** The owner is a user of the customer. */
function mayOwn({ isOwner, isOfAnother, state }: CustomerPerson): boolean {
  return !isOwner && !isOfAnother && state !== 'suspended'
}

function ownerHtml(request: PersonPageRequest, { name, owner_id, people }: CustomerFile, person: CustomerPerson): Html {
  const owner = people.find(({ isOwner }) => isOwner)
  const before = owner && html` ${breakable(nameOf(owner))} owns it now, and goes on seeing everything, and may share and invite.`
  return html`
    <h2>Make them the owner</h2>
    <p>Who owns ${breakable(name)} sees everything of it, and invites and removes people.${before}</p>
    <form method="post" action="${request.path}">
      ${tokenField(request)}
      <input type="hidden" name="owner" value="${owner_id}">
      <button class="button soft" name="do" value="own">Make ${breakable(nameOf(person))} the owner</button>
    </form>
  `
}

function nullIfAbsent(error: unknown): null {
  if (error instanceof Failure && error.code === 'not_found') return null
  throw error
}

function firstLogin(request: PersonPageRequest): Html {
  const isMailed = sendsMail(request.app.settings)
  return html`
    <h2>First login</h2>
    <p>They have not logged in yet.</p>
    <form method="post" action="${request.path}">
      ${tokenField(request)}
      ${
        isMailed
          ? html`<button class="button soft" name="do" value="again">Mail the invitation again</button>`
          : html`<button class="button soft" name="do" value="link">Make a link to give to them</button>`
      }
    </form>
  `
}
