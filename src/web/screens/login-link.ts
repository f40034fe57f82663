/** One-time links: looking at one shows a button, pressing it lets the person in; and the page that has one mailed. */

import { Failure } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { askForLoginLink, isLoginLinkAlive, redeemLoginLink } from '../../model/people/login-links.ts'
import { brandName, door, tokenField } from '../components/layout.ts'
import { sessionCookie } from '../cookies.ts'
import { mailLoginLink, sendsMail } from '../mail.ts'
import { type Answer, redirect, type Visit } from '../page-request.ts'

export async function showLoginLink(visit: Visit): Promise<Answer> {
  const token = visit.params['token'] ?? ''
  if (!(await isLoginLinkAlive(visit.visitor, token))) return { status: 410, body: deadLink(visit) }
  const form = html`<p>Press the button to log in. The link works once.</p><form method="post" action="/login-link/${token}">${tokenField(visit)}<button class="button">Log in</button></form>`
  return { body: door(visit, 'Welcome', form) }
}

export async function submitLoginLink(visit: Visit): Promise<Answer> {
  try {
    const token = await redeemLoginLink(visit.visitor, visit.params['token'] ?? '')
    return redirect('/password', [sessionCookie(token, false)])
  } catch (error) {
    if (error instanceof Failure && error.code === 'unauthorized') return { status: 410, body: deadLink(visit) }
    throw error
  }
}

export function showForgot(visit: Visit): Answer {
  return { body: sendsMail(visit.ground.settings) ? forgotPage(visit) : askSomeone(visit) }
}

/** The same words at the same time, whether or not there is such a person. */
export function submitForgot(visit: Visit): Answer {
  if (!sendsMail(visit.ground.settings)) return { body: askSomeone(visit) }
  void mailTo(visit, visit.form.get('name') ?? '')
  const said = html`<p role="status">If there is someone by that name here, a link is on its way to their mailbox. It works once, within 15 minutes.</p><p class="after"><a href="/login">Back to the login</a></p>`
  return { body: door(visit, 'Look into your mailbox', said) }
}

async function mailTo(visit: Visit, name: string): Promise<void> {
  const link = await askForLoginLink(visit.visitor, name).catch(() => null)
  if (link) await mailLoginLink(visit, { to: link.email, token: link.token })
}

function deadLink(visit: Visit): Html {
  return door(
    visit,
    'This link no longer works',
    html`<p>It has been used, or it is older than 15 minutes.</p><p class="after"><a href="/forgot">Get a new one</a></p>`,
  )
}

function forgotPage(visit: Visit): Html {
  return door(
    visit,
    'Forgot your password?',
    html`<p>Tell us your login or email, and we mail you a link to set a new one.</p>
<form method="post" action="/forgot">${tokenField(visit)}<div class="field"><label for="name">Login or email</label><input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required></div><button class="button">Mail me a link</button></form>
<p class="after"><a href="/login">Back to the login</a></p>`,
  )
}

function askSomeone(visit: Visit): Html {
  return door(
    visit,
    'Forgot your password?',
    html`<p>${brandName(visit)} sends no mail from here. Please ask the person who gave you your login: they can have a link made that lets you in once.</p><p class="after"><a href="/login">Back to the login</a></p>`,
  )
}
