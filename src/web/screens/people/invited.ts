/** The page that an invitation to an account opens. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import {
  acceptPersonInvitation,
  type DeadInvitation,
  type LivePersonInvitation,
  lookAtPersonInvitation,
  wayIn,
} from '../../../model/people/keepers/invited.ts'
import { brandName, door, tokenField } from '../../components/layout.ts'
import { passwordField, passwordSentence } from '../../components/password-field.ts'
import { sessionCookie } from '../../cookies.ts'
import { sentenceOf } from '../../error-page.ts'
import { inBrandOf, type PageAnswer, type PageRequest, redirect } from '../../page-request.ts'

export async function showInvitation(request: PageRequest): Promise<PageAnswer> {
  return answer(request, {})
}

export async function submitInvitation(request: PageRequest): Promise<PageAnswer> {
  const [name = '', fresh = '', again = ''] = ['name', 'fresh', 'again'].map((field) => request.form.get(field) ?? '')
  if (fresh !== again) return answer(request, { again: 'This is not the same as the password above.' })
  try {
    const token = await acceptPersonInvitation(request.visitor, request.loggedIn, tokenOf(request), { name, fresh })
    return redirect('/', token === null ? [] : [sessionCookie(token, false)])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return answer(request, wrongOf(error))
  }
}

type Wrongs = Readonly<Partial<Record<'name' | 'fresh' | 'again' | 'form', string>>>

function wrongOf(error: Failure): Wrongs {
  switch (error.details.faults?.[0]?.field) {
    case 'name':
      return { name: sentenceOf(error) }
    case 'password':
      return { fresh: passwordSentence(error) }
    default:
      return { form: sentenceOf(error) }
  }
}

async function answer(request: PageRequest, wrongs: Wrongs): Promise<PageAnswer> {
  const found = await lookAtPersonInvitation(request.visitor, tokenOf(request))
  if (typeof found !== 'object') return { status: 410, body: deadPage(request, found) }
  const dressed = await inBrandOf(request, { partnerId: found.partnerId, accountId: found.invitation.account_id })
  const body = door(dressed, `Join ${brandName(dressed)}`, joining(dressed, found, wrongs))
  return Object.keys(wrongs).length === 0 ? { body } : { status: 422, body }
}

function joining(request: PageRequest, found: LivePersonInvitation, wrongs: Wrongs): Html {
  const { accountName, maker, invitation, reports } = found
  return html`
    <p>${maker} invites you to see dashboards of ${accountName}.</p>
    ${reports === 0 ? null : html`<p>Its reports then come to ${invitation.email} by mail, until you stop them.</p>`}
    ${wrongs.form ? html`<p class="notice wrong" role="alert">${wrongs.form}</p>` : null}
    ${wayHtml(request, found, wrongs)}
  `
}

function wayHtml(request: PageRequest, found: LivePersonInvitation, wrongs: Wrongs): Html {
  const { standing, maker, invitation } = found
  const way = wayIn(found, request.loggedIn)
  if (way === 'elsewhere' || standing.is === 'elsewhere')
    return html`<p>${invitation.email} cannot be used for it: please ask ${maker} to invite another address of yours.</p>`
  if (way === 'log in')
    return html`<p>${invitation.email} has a login with a second factor here. Log in, and this page asks you whether to add it.</p><p><a class="button" href="${loginPath(request)}">Log in</a></p>`
  if (way === 'here')
    return html`
      <form method="post" action="${request.path}">
        ${tokenField(request)}
        <button class="button">Add it to my login</button>
      </form>
    `
  const login = standing.is === 'known' ? standing.login : null
  return html`
    ${
      login === null
        ? html`<p>You log in as <strong>${invitation.email}</strong>.</p>`
        : html`<p>Your login <strong>${login}</strong> gets a new password, and is logged out wherever it is logged in. To keep its password, <a href="${loginPath(request)}">log in</a> first.</p>`
    }
    <form method="post" action="${request.path}">
      ${tokenField(request)}
      <input type="text" name="username" value="${login ?? invitation.email}" autocomplete="username" hidden>
      ${login === null ? nameField(request, wrongs.name) : null}
      ${passwordField('fresh', 'Password', 'new-password', wrongs.fresh, 'At least 8 characters. A few words in a row are easy to remember and hard to guess.')}
      ${passwordField('again', 'Password again', 'new-password', wrongs.again)}
      <button class="button">Begin</button>
    </form>
  `
}

function nameField({ form }: PageRequest, wrong: string | undefined): Html {
  return html`
    <div class="field">
      <label for="name">Your name</label>
      <input id="name" name="name" maxlength="255" autocomplete="name" value="${form.get('name')}"
        ${wrong ? html` aria-describedby="name-wrong" aria-invalid="true"` : null}>
      ${wrong ? html`<p class="wrong" id="name-wrong" role="alert">${wrong}</p>` : null}
    </div>
  `
}

const reasons: Readonly<Record<DeadInvitation, string>> = {
  used: 'It has been used already: whoever used it logs in as always.',
  withdrawn: 'It was withdrawn. Please ask whoever invited you.',
  replaced: 'A newer mail has replaced it: please open the link of the last one.',
  expired: 'It is older than seven days. Please ask for a new one.',
  'without its maker': 'Whoever sent it may no longer invite you to this. Please ask for a new one.',
  unknown: 'Its address is not complete, or it was made long ago. Please open the link of the mail again, or ask for a new one.',
}

function deadPage(request: PageRequest, reason: DeadInvitation): Html {
  return door(
    request,
    'This invitation no longer works',
    html`<p>${reasons[reason]}</p><p class="after"><a href="/login">To the login</a></p>`,
  )
}

function loginPath({ path }: PageRequest): string {
  return `/login?${new URLSearchParams({ next: path })}`
}

function tokenOf(request: PageRequest): string {
  return request.params['token'] ?? ''
}
