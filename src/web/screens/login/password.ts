/** The password page: changed with the old password, or set after a login by link. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { changePassword } from '../../../model/people/user-passwords.ts'
import { door, tokenField } from '../../components/layout.ts'
import { passwordField, passwordSentence } from '../../components/password-field.ts'
import { sessionCookie } from '../../cookies.ts'
import { sentenceOf } from '../../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'

export function showPassword(request: PersonPageRequest): PageAnswer {
  return { body: passwordPage(request, {}) }
}

export async function submitPassword(request: PersonPageRequest): Promise<PageAnswer> {
  const [current, fresh, again] = ['current', 'fresh', 'again'].map((name) => request.form.get(name) ?? '') as [string, string, string]
  if (fresh !== again) return { status: 422, body: passwordPage(request, { again: 'This is not the same as the new password.' }) }
  try {
    const token = await changePassword(request.visitor, request.loggedIn, { current, fresh })
    return redirect('/?password=changed', [sessionCookie(token, request.loggedIn.session.isRemembered)])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { status: 422, headers: error.details.headers ?? {}, body: passwordPage(request, wrongsOf(error)) }
  }
}

type Wrongs = Readonly<Partial<Record<'current' | 'fresh' | 'again', string>>>

function wrongsOf(failure: Failure): Wrongs {
  const fault = failure.details.faults?.[0]
  if (fault?.field === 'current_password') return { current: 'This is not your current password.' }
  return fault ? { fresh: passwordSentence(failure) } : { current: sentenceOf(failure) }
}

function passwordPage(request: PersonPageRequest, wrongs: Wrongs): Html {
  const isByLink = request.loggedIn.session.openedBy === 'link'
  return door(
    request,
    isByLink ? 'Set your password' : 'Change your password',
    html`
      <form method="post" action="/password">
        ${tokenField(request)}
        <input type="text" name="username" value="${request.loggedIn.login}" autocomplete="username" hidden>
        ${isByLink ? null : passwordField('current', 'Current password', 'current-password', wrongs.current)}
        ${passwordField('fresh', 'New password', 'new-password', wrongs.fresh, 'At least 8 characters. A few words in a row are easy to remember and hard to guess.')}
        ${passwordField('again', 'New password again', 'new-password', wrongs.again)}
        <button class="button">Save the password</button>
      </form>
      <p class="note">Other devices on which you are logged in will be logged out.</p>
      <p class="after"><a href="/">${isByLink ? 'Not now' : 'Back'}</a></p>
    `,
  )
}
