/** The second factor: asked at the login, and set up, renewed or given up on a page of the person's own. */

import { renderSVG } from 'uqr'
import { Failure } from '../../../lib/failures.ts'
import { type Html, html, raw } from '../../../lib/html.ts'
import { completeLogin } from '../../../model/people/logins.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  type NewFactor,
  readNewFactor,
  readSecondFactor,
  renewRecoveryCodes,
  type SecondFactor,
} from '../../../model/people/second-factor/second-factors.ts'
import { problems } from '../../../resources/problem.ts'
import { brandName, door, tokenField } from '../../components/layout.ts'
import { passwordField } from '../../components/password-field.ts'
import { endedPendingCookie, pendingCookie, sessionCookie } from '../../cookies.ts'
import { sentenceOf } from '../../error-page.ts'
import { localPath, type PageAnswer, type PageRequest, type PersonPageRequest, redirect } from '../../page-request.ts'

/** After a password or link that was right. */
export function askForCode(token: string, next: string): PageAnswer {
  return redirect(`/login/code?${new URLSearchParams({ next })}`, [pendingCookie(token)])
}

export function showCode(request: PageRequest): PageAnswer {
  if (request.loggedIn) return redirect(localPath(request.query.get('next')))
  return request.pendingLogin === null ? redirect('/login') : { body: codePage(request, null) }
}

export async function submitCode(request: PageRequest): Promise<PageAnswer> {
  const { form, visitor, pendingLogin } = request
  try {
    const entered = pendingLogin === null ? null : await completeLogin(visitor, pendingLogin, form.get('code') ?? '')
    if (entered === null) return redirect('/login', [endedPendingCookie()])
    const { token, isRemembered, openedBy } = entered
    const next = openedBy === 'link' ? '/password' : localPath(form.get('next'))
    return redirect(next, [sessionCookie(token, isRemembered), endedPendingCookie()])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const status = error.code === 'unauthorized' ? 403 : problems[error.code].status
    return { status, headers: error.details.headers ?? {}, body: codePage(request, sentenceOf(error)) }
  }
}

function codePage(request: PageRequest, wrong: string | null): Html {
  return door(
    request,
    'Your second factor',
    html`
      <p>Type the code that your app shows for ${brandName(request)}, or one of your recovery codes.</p>
      <form method="post" action="/login/code">
        ${tokenField(request)}
        <input type="hidden" name="next" value="${localPath(request.query.get('next') ?? request.form.get('next'))}">
        ${codeField(wrong)}
        <button class="button">Log in</button>
      </form>
      <p class="after">Lost both? Ask the person who gave you your login: whoever runs the service can take the second factor away.</p>
    `,
  )
}

function codeField(wrong: string | null): Html {
  return html`
    <div class="field">
      <label for="code">Code</label>
      <input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required
        autofocus${wrong ? html` aria-invalid="true" aria-describedby="wrong"` : null}>
      ${wrong ? html`<p class="wrong" id="wrong" role="alert">${wrong}</p>` : null}
    </div>
  `
}

export async function showSecondFactor(request: PersonPageRequest): Promise<PageAnswer> {
  const { app, loggedIn } = request
  const factor = await readSecondFactor(app.store.db, loggedIn.person.userId)
  return { body: door(request, 'Second factor', factor === null ? offHtml(request) : onHtml(request, factor)) }
}

/** What is shown once is in the answer itself; everything else is shown by the page. */
export async function submitSecondFactor(request: PersonPageRequest): Promise<PageAnswer> {
  const { form, visitor, loggedIn } = request
  const action = form.get('do') ?? ''
  const password = form.get(`password-${action}`) ?? ''
  try {
    switch (action) {
      case 'begin':
        return { body: setUpPage(request, await beginSecondFactor(visitor, loggedIn, password, brandName(request)), null) }
      case 'confirm':
        return { body: codesPage(request, await confirmSecondFactor(visitor, loggedIn, form.get('code') ?? '')) }
      case 'codes':
        return { body: codesPage(request, await renewRecoveryCodes(visitor, loggedIn, password)) }
      case 'off':
        await endSecondFactor(visitor, loggedIn, password)
    }
    return redirect('/second-factor')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return refused(request, error)
  }
}

async function refused(request: PersonPageRequest, error: Failure): Promise<PageAnswer> {
  const field = error.details.faults?.[0]?.field
  const factor = field === 'code' ? await readNewFactor(request.visitor, request.loggedIn, brandName(request)) : null
  if (factor !== null) return { status: 422, body: setUpPage(request, factor, 'This is not the code that the app shows now.') }
  return { wrong: field === 'current_password' ? 'This is not your current password.' : sentenceOf(error), body: '' }
}

function offHtml(request: PersonPageRequest): Html {
  return html`
    ${request.loggedIn.lacksSecondFactor ? html`<p class="notice" role="status">Everybody who works here needs a second factor. Please set yours up to go on.</p>` : null}
    <p>With a second factor nobody gets in with your password alone: at each login you also type a code that an app on your phone shows.</p>
    ${actionForm(request, 'begin', 'Set it up')}
    <p class="after"><a href="/">${request.loggedIn.lacksSecondFactor ? null : 'Not now'}</a></p>
  `
}

function onHtml(request: PersonPageRequest, { since, recoveryCodes }: SecondFactor): Html {
  return html`
    <p role="status">Your second factor is on since ${request.words.moment(since)}. You have ${request.words.count(recoveryCodes, 'recovery code')} left.</p>
    <h2>New recovery codes</h2>
    <p>Each works once in place of a code of the app. New ones replace those that are left.</p>
    ${actionForm(request, 'codes', 'Make new recovery codes')}
    <h2>Give it up</h2>
    ${actionForm(request, 'off', 'Turn the second factor off')}
    <p class="after"><a href="/">Back</a></p>
  `
}

/** Whoever came by a login link is not asked for a password that they have forgotten. */
function actionForm(request: PersonPageRequest, action: 'begin' | 'codes' | 'off', label: string): Html {
  const isByLink = request.loggedIn.session.openedBy === 'link'
  const wrong = request.form.get('do') === action ? (request.wrong ?? undefined) : undefined
  return html`
    <form method="post" action="/second-factor">
      ${tokenField(request)}
      ${isByLink ? null : passwordField(`password-${action}`, 'Current password', 'current-password', wrong)}
      <button class="button${action === 'off' ? ' soft' : ''}" name="do" value="${action}">${label}</button>
    </form>
  `
}

function setUpPage(request: PersonPageRequest, { key, uri }: NewFactor, wrong: string | null): Html {
  return door(
    request,
    'Set up your second factor',
    html`
      <p>Scan this with an app for one-time codes, then type the code that it shows.</p>
      <div class="qr" role="img" aria-label="QR code of the key below">${raw(renderSVG(uri, { ecc: 'M', border: 2, pixelSize: 4 }))}</div>
      <p class="note">Or type this key into the app: <code class="key">${(key.match(/.{1,4}/g) ?? []).join(' ')}</code></p>
      <form method="post" action="/second-factor">
        ${tokenField(request)}
        ${codeField(wrong)}
        <button class="button" name="do" value="confirm">Turn it on</button>
      </form>
      <p class="note">Other devices on which you are logged in will be logged out.</p>
      <p class="after"><a href="/second-factor">Not now</a></p>
    `,
  )
}

function codesPage(request: PersonPageRequest, codes: readonly string[]): Html {
  return door(
    request,
    'Your recovery codes',
    html`
      <p role="status">Your second factor is on. Keep these codes where your phone is not: each lets you in once without the app. They are shown only now.</p>
      <ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
      <p class="after"><a class="button" href="/">I have kept them</a></p>
    `,
  )
}
