/** Login links: opening one shows a button, and pressing it logs the person in; and the page that requests one by mail. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { lookAtLoginLink, redeemLoginLink, whyLoginLinkEnded } from '../../../model/people/login-links.ts'
import { brandName, door, tokenField } from '../../components/layout.ts'
import { sessionCookie } from '../../cookies.ts'
import { requestLoginLink } from '../../link-requests.ts'
import { inBrandOf, type PageAnswer, type PageRequest, redirect } from '../../page-request.ts'
import { askForCode } from './second-factor.ts'

export async function showLoginLink(request: PageRequest): Promise<PageAnswer> {
  const token = request.params['token'] ?? ''
  const whose = await lookAtLoginLink(request.visitor, token)
  if (whose === null) return deadLink(request)
  const form = html`
    <p>Press the button to log in. The link works once.</p>
    <form method="post" action="/login-link/${token}">
      ${tokenField(request)}
      <button class="button">Log in</button>
    </form>
  `
  return { body: door(await inBrandOf(request, whose), 'Welcome', form) }
}

export async function submitLoginLink(request: PageRequest): Promise<PageAnswer> {
  try {
    const { token, awaitsCode } = await redeemLoginLink(request.visitor, request.params['token'] ?? '')
    return awaitsCode ? askForCode(token, '/password') : redirect('/password', [sessionCookie(token, false)])
  } catch (error) {
    if (error instanceof Failure && error.code === 'unauthorized') return deadLink(request)
    throw error
  }
}

export function showForgot(request: PageRequest): PageAnswer {
  return { body: sendsMail(request.app.settings) ? forgotPage(request) : askSomeone(request) }
}

/** The same text at the same time, whether or not there is such a person. */
export async function submitForgot(request: PageRequest): Promise<PageAnswer> {
  if (!sendsMail(request.app.settings)) return { body: askSomeone(request) }
  await requestLoginLink(request, request.form.get('name') ?? '')
  const said = html`
    <p role="status">If there is someone by that name here, a link is on its way to their mailbox. It works once, within 15 minutes.</p>
    <p class="after"><a href="/login">Back to the login</a></p>
  `
  return { body: door(request, 'Look into your mailbox', said) }
}

const ends = {
  used: 'It has been used already.',
  expired: 'Its time is over.',
  gone: 'It was used, a newer password has ended it, or whoever looks after your login has.',
}

async function deadLink(request: PageRequest): Promise<PageAnswer> {
  const why = ends[await whyLoginLinkEnded(request.visitor, request.params['token'] ?? '')]
  const main = html`<p>${why}</p><p class="after"><a href="/forgot">Get a new one</a></p>`
  return { status: 410, body: door(request, 'This link no longer works', main) }
}

function forgotPage(request: PageRequest): Html {
  return door(
    request,
    'Forgot your password?',
    html`
      <p>Tell us your login or email, and we mail you a link to set a new one.</p>
      <form method="post" action="/forgot">
        ${tokenField(request)}
        <div class="field">
          <label for="name">Login or email</label>
          <input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required>
        </div>
        <button class="button">Mail me a link</button>
      </form>
      <p class="after"><a href="/login">Back to the login</a></p>
    `,
  )
}

function askSomeone(request: PageRequest): Html {
  return door(
    request,
    'Forgot your password?',
    html`
      <p>${brandName(request)} sends no mail from here. Please ask the person who gave you your login: they can have a link made that lets you in once.</p>
      <p class="after"><a href="/login">Back to the login</a></p>
    `,
  )
}
