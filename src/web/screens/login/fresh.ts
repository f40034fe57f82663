/** Asks in place for the password or a code, where a page wants a fresh login; what was typed is kept. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { isFreshLogin, proveAgain } from '../../../model/people/fresh-login.ts'
import { problems } from '../../../resources/problem.ts'
import { door, tokenField } from '../../components/layout.ts'
import { sentenceOf } from '../../error-page.ts'
import { localPath, type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'

/** Null if the login is fresh, also because this form has just proved it. */
export async function askForFreshLogin(request: PersonPageRequest, method: 'GET' | 'POST'): Promise<PageAnswer | null> {
  if (isFreshLogin(request.loggedIn)) return null
  if (method === 'GET') return { body: freshPage(request, '/fresh', null) }
  return request.form.has('fresh_password') ? prove(request, request.path) : { body: freshPage(request, request.path, null) }
}

/** After a page that was only looked at. */
export async function submitFresh(request: PersonPageRequest): Promise<PageAnswer> {
  return (await prove(request, '/fresh')) ?? redirect(localPath(request.form.get('next')))
}

/** Null if it is proved. */
async function prove(request: PersonPageRequest, action: string): Promise<PageAnswer | null> {
  const { form, visitor, loggedIn } = request
  try {
    await proveAgain(visitor, loggedIn, { password: form.get('fresh_password') ?? '', code: form.get('fresh_code') ?? '' })
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isWrong = error.code === 'validation_failed'
    const sentence = isWrong ? 'This is not right. Please try again.' : sentenceOf(error)
    return {
      status: isWrong ? 403 : problems[error.code].status,
      headers: error.details.headers ?? {},
      body: freshPage(request, action, sentence),
    }
  }
}

const own: readonly string[] = ['form_token', 'next', 'fresh_password', 'fresh_code']

function freshPage(request: PersonPageRequest, action: string, wrong: string | null): Html {
  const { form, path, query, loggedIn } = request
  const here = query.size === 0 ? path : `${path}?${query}`
  const told = wrong === null ? null : html` aria-invalid="true" aria-describedby="wrong"`
  return door(
    request,
    'Is it you?',
    html`
      <p>This page is about who may do what, so it asks once more who you are.</p>
      <form method="post" action="${action}">
        ${tokenField(request)}
        ${[...form].filter(([name]) => !own.includes(name)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
        ${action === '/fresh' ? html`<input type="hidden" name="next" value="${localPath(form.get('next') ?? here)}">` : null}
        <input type="text" name="username" value="${loggedIn.login}" autocomplete="username" hidden>
        <div class="field">
          <label for="fresh_password">Password</label>
          <input id="fresh_password" name="fresh_password" type="password" autocomplete="current-password" autofocus${told}>
        </div>
        <div class="field">
          <label for="fresh_code">Or a code of your second factor, if you have one</label>
          <input id="fresh_code" name="fresh_code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40"${told}>
        </div>
        ${wrong === null ? null : html`<p class="wrong" id="wrong" role="alert">${wrong}</p>`}
        <button class="button">Go on</button>
      </form>
      <p class="after"><a href="${loggedIn.session.openedBy === 'link' ? '/password' : '/desk'}">${loggedIn.session.openedBy === 'link' ? 'Set a password first' : 'Back to the customers'}</a></p>
    `,
  )
}
