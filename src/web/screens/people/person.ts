/** The people in a table, and the card of one of them, in which those who keep the account take access away or hand the account over. */

import { type Html, html } from '../../../lib/html.ts'
import { type ListedPerson, openRemoval, type PeopleFile } from '../../../model/dashboard/people.ts'
import { tokenField } from '../../components/layout.ts'
import { passwordField } from '../../components/password-field.ts'
import { breakable } from '../../components/tables.ts'
import type { PersonPageRequest } from '../../page-request.ts'
import { nameOf, seesText } from '../desk/customer/sees.ts'

export function peopleTable(request: PersonPageRequest, file: PeopleFile): Html {
  return html`
    <h2>Who sees what</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="People">
      <table class="stacks">
        <caption class="sr">People and what each of them sees</caption>
        <thead><tr><th scope="col">Person</th><th scope="col">Sees</th><th scope="col" class="n">Last login</th></tr></thead>
        <tbody>${file.people.map((one) => personRow(request, file, one))}</tbody>
      </table>
    </div>
  `
}

function personRow({ words, loggedIn }: PersonPageRequest, file: PeopleFile, one: ListedPerson): Html {
  const { id, state, email, last_login_at: seen } = one
  const isKept = file.keeps !== 'nothing'
  const name = breakable(nameOf(one))
  return html`
    <tr>
      <th scope="row">
        ${isKept ? html`<a class="rowlink" href="/people?${new URLSearchParams({ account: String(file.id), person: String(id) }).toString()}">${name}</a>` : name}
        ${id === loggedIn.person.userId ? html` <span class="badge">you</span>` : null}
        ${state === 'suspended' ? html` <span class="badge">suspended</span>` : null}
        ${isKept ? html`<small>${breakable(email)}</small>` : null}
      </th>
      <td class="wrap" data-l="Sees">${seesText(file, one)}</td>
      <td class="n" data-l="Last login">${seen === null ? html`<span class="quiet">never</span>` : words.shortDay(seen.slice(0, 10))}</td>
    </tr>
  `
}

export async function personCard(request: PersonPageRequest, file: PeopleFile, one: ListedPerson): Promise<Html> {
  const removal = await openRemoval(request.loggedIn.person, file.id, one.id)
  const hidden = html`${tokenField(request)}<input type="hidden" name="account" value="${file.id}"><input type="hidden" name="person" value="${one.id}">`
  const mayOwn = file.keeps === 'everything' && !one.isOwner && !one.isOfAnother && one.state !== 'suspended'
  return html`
    <h2>${breakable(nameOf(one))}</h2>
    <p>Sees ${seesText(file, one)}.</p>
    ${
      removal === null
        ? null
        : html`
            <form method="post" action="/people">
              ${hidden}
              <input type="hidden" name="was" value="${removal.state}">
              <button class="button soft" name="do" value="remove">Take all of this away</button>
            </form>
            <p class="quiet">The login stays, and sees nothing of ${file.name} any more.</p>
          `
    }
    ${mayOwn ? ownerForm(request, file, hidden) : null}
    ${removal === null && !mayOwn ? html`<p class="quiet">${whyNothing(file, one)}</p>` : null}
    <p><a href="/people?account=${file.id}">Close</a></p>
  `
}

function whyNothing({ keeps }: PeopleFile, { isOwner, scopes }: ListedPerson): string {
  if (isOwner) return 'Only who owns an account hands it over.'
  return scopes.length === 0 || keeps === 'everything' ? 'There is nothing to take away.' : 'Only the owner takes this away.'
}

function ownerForm({ loggedIn, faults }: PersonPageRequest, { name }: PeopleFile, hidden: Html): Html {
  const isByLink = loggedIn.session.openedBy === 'link'
  const wrong = faults.some(({ field }) => field === 'current_password') ? 'This is not your password.' : undefined
  return html`
    <h3>Make them the owner</h3>
    <p>They then own ${name} in your place: they see everything, and invite and remove people. You go on seeing everything, and may share and invite.</p>
    <form method="post" action="/people" class="row-form">
      ${hidden}
      <input type="text" name="username" value="${loggedIn.login}" autocomplete="username" hidden>
      ${isByLink ? null : passwordField('current', 'Your password', 'current-password', wrong)}
      <button class="button soft" name="do" value="hand">Hand ${name} over</button>
    </form>
  `
}
