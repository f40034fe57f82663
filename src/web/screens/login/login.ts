/** The login page; every failure gives the same sentence, which reveals nothing about the account. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { ownEntry } from '../../../lib/own-entry.ts'
import { logIn } from '../../../model/people/logins.ts'
import { closeSession } from '../../../model/people/sessions.ts'
import { problems } from '../../../resources/problem.ts'
import { door, tokenField } from '../../components/layout.ts'
import { endedSessionCookie, sessionCookie, themeCookie } from '../../cookies.ts'
import { sentenceOf } from '../../error-page.ts'
import { localPath, type PageAnswer, type PageRequest, type PersonPageRequest, redirect } from '../../page-request.ts'
import { askForCode } from './second-factor.ts'

export function showLogin(request: PageRequest): PageAnswer {
  if (request.loggedIn) return redirect(localPath(request.query.get('next')))
  return { body: request.isPrivate ? loginPage(request, '', null) : needsHttps(request) }
}

export async function submitLogin(request: PageRequest): Promise<PageAnswer> {
  const { form } = request
  const [name, password, isRemembered] = [form.get('name') ?? '', form.get('password') ?? '', form.get('remember') === 'yes']
  try {
    const next = localPath(form.get('next'))
    const { token, awaitsCode } = await logIn(request.visitor, { name, password, isRemembered })
    return awaitsCode ? askForCode(token, next) : redirect(next, [sessionCookie(token, isRemembered)])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const status = error.code === 'unauthorized' ? 403 : problems[error.code].status
    return { status, headers: error.details.headers ?? {}, body: loginPage(request, name, sentenceOf(error)) }
  }
}

export async function submitLogout(request: PersonPageRequest): Promise<PageAnswer> {
  await closeSession(request.app, request.loggedIn.session)
  return redirect('/login', [endedSessionCookie()])
}

export function submitTheme({ form }: PageRequest): PageAnswer {
  const asked = form.get('theme')
  return redirect(localPath(form.get('next')), [themeCookie(asked === 'dark' || asked === '' ? asked : 'light')])
}

function loginPage(request: PageRequest, name: string, wrong: string | null): Html {
  return door(
    request,
    'Log in',
    html`
      ${ownEntry(notices, request.query.get('session'))}
      <form method="post" action="/login">
        ${tokenField(request)}
        <input type="hidden" name="next" value="${localPath(request.query.get('next') ?? request.form.get('next'))}">
        <div class="field">
          <label for="name">Login or email</label>
          <input id="name" name="name" value="${name}" autocomplete="username" 
            autocapitalize="none" spellcheck="false" required${wrong ? html` aria-invalid="true" aria-describedby="wrong"` : html` autofocus`}>
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" 
            autocomplete="current-password" required${wrong ? html` aria-invalid="true" aria-describedby="wrong" autofocus` : null}>
          ${wrong ? html`<p class="wrong" id="wrong" role="alert">${wrong}</p>` : null}
        </div>
        <label class="check"><input type="checkbox" name="remember" value="yes"> Remember me for two weeks</label>
        <button class="button">Log in</button>
      </form>
      <p class="after"><a href="/forgot">Forgot your password?</a></p>
    `,
  )
}

const notices: Readonly<Record<string, Html>> = {
  deleted: html`<p class="notice" role="status">Your login is deleted.</p>`,
  idle: html`
  <p class="notice" role="status">
    You have been logged out, because you opened no page for 30 minutes. Where you choose to be remembered, you stay logged in for two weeks.
  </p>
`,
  ended: html`
  <p class="notice" role="status">
    You have been logged out. A login lasts 12 hours, or two weeks where you chose to be remembered; a new password or second factor ends it at once,
    and so do you on another device, and whoever looks after your login.
  </p>
`,
}

function needsHttps(request: PageRequest): Html {
  return door(
    request,
    'Log in',
    html`
      <p>This page was opened over a connection that others can listen to, so nobody can log in here.</p>
      <p>Please open the address with <strong>https://</strong> in front. If that does not work, ask whoever runs this service to set up HTTPS.</p>
    `,
  )
}
