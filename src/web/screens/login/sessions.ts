/** The sessions of a person, each with a button to end it. */

import { type Html, html } from '../../../lib/html.ts'
import { closeOwnSessions, listOwnSessions, type OwnSession } from '../../../model/people/me/own-sessions.ts'
import { framed, tokenField } from '../../components/layout.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'

export async function showSessions(request: PersonPageRequest): Promise<PageAnswer> {
  const sessions = await listOwnSessions(request.loggedIn)
  const main = html`
    <h1>Where you are logged in</h1>
    <p class="lead">${toldOf(request, sessions.length)}</p>
    <section class="card list" aria-label="Sessions">
      <table class="stacks">
        <caption class="sr">Your sessions</caption>
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Network</th>
            <th scope="col">Logged in</th>
            <th scope="col">Last used</th>
            <th scope="col">Remembered</th>
            <th scope="col"><span class="sr">End it</span></th>
          </tr>
        </thead>
        <tbody>${sessions.map((session) => rowHtml(request, session))}</tbody>
      </table>
    </section>
    ${sessions.length > 1 ? endForm(request, 'others', 'Log out everywhere else') : null}
  `
  return { body: framed(request, { title: 'Where you are logged in', main }) }
}

function toldOf({ words }: PersonPageRequest, amount: number): string {
  if (amount === 1) return 'You are logged in here and nowhere else.'
  return `${words.count(amount, 'session')}. If one of them is not yours, end it and change your password.`
}

export async function submitSessions(request: PersonPageRequest): Promise<PageAnswer> {
  const id = request.form.get('session') ?? ''
  if (id === 'others') await closeOwnSessions(request.loggedIn, 'others')
  else if (/^[0-9a-f]{16}$/.test(id)) await closeOwnSessions(request.loggedIn, { id })
  return redirect('/sessions')
}

function rowHtml(request: PersonPageRequest, { id, isThis, isRemembered, createdAt, lastSeenAt, network, browser }: OwnSession): Html {
  const { words } = request
  return html`
    <tr>
      <th scope="row">${browser ?? 'An unknown browser'}</th>
      <td data-l="Network">${network ?? html`<span class="quiet">not known</span>`}</td>
      <td data-l="Logged in">${words.moment(createdAt)}</td>
      <td data-l="Last used">${words.moment(lastSeenAt)}</td>
      <td data-l="Remembered">${isRemembered ? 'for two weeks' : 'no'}</td>
      <td class="n">${isThis ? 'this one' : endForm(request, id, 'Log out')}</td>
    </tr>
  `
}

function endForm(request: PersonPageRequest, id: string, label: string): Html {
  return html`
    <form method="post" action="/sessions">
      ${tokenField(request)}
      <button class="button soft" name="session" value="${id}">${label}</button>
    </form>
  `
}
