/** The page that an invitation to the staff opens: it asks for a password, which is new in any case. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { acceptInvitation, type Joining, lookAtInvitation } from '../../../model/people/staff/joining.ts'
import { brandName, door, tokenField } from '../../components/layout.ts'
import { passwordField, passwordSentence } from '../../components/password-field.ts'
import { sessionCookie } from '../../cookies.ts'
import { sentenceOf } from '../../error-page.ts'
import { inBrandOf, type PageAnswer, type PageRequest, redirect } from '../../page-request.ts'

export async function showJoin(request: PageRequest): Promise<PageAnswer> {
  return answer(request, {})
}

export async function submitJoin(request: PageRequest): Promise<PageAnswer> {
  const [name = '', fresh = '', again = ''] = ['name', 'fresh', 'again'].map((field) => request.form.get(field) ?? '')
  if (fresh !== again) return answer(request, { again: 'This is not the same as the password above.' })
  try {
    return redirect('/', [sessionCookie(await acceptInvitation(request.visitor, tokenOf(request), { name, fresh }), false)])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.code === 'unauthorized' ? { status: 410, body: deadLink(request) } : answer(request, wrongOf(error))
  }
}

type Wrongs = Readonly<Partial<Record<'name' | 'fresh' | 'again', string>>>

function wrongOf(error: Failure): Wrongs {
  return error.details.faults?.[0]?.field === 'name' ? { name: sentenceOf(error) } : { fresh: passwordSentence(error) }
}

async function answer(request: PageRequest, wrongs: Wrongs): Promise<PageAnswer> {
  const joining = await lookAtInvitation(request.visitor, tokenOf(request))
  if (joining === null) return { status: 410, body: deadLink(request) }
  const body = joinPage(await inBrandOf(request, joining), joining, wrongs)
  return Object.keys(wrongs).length === 0 ? { body } : { status: 422, body }
}

function joinPage(request: PageRequest, { email, login }: Joining, wrongs: Wrongs): Html {
  return door(
    request,
    `Join ${brandName(request)}`,
    html`
      <p>${login === null ? html`You log in as <strong>${email}</strong>.` : html`Your login <strong>${login}</strong> gets a new password, and is logged out wherever it is logged in.`}</p>
      <form method="post" action="/join/${tokenOf(request)}">
        ${tokenField(request)}
        <input type="text" name="username" value="${login ?? email}" autocomplete="username" hidden>
        <div class="field">
          <label for="name">Your name</label>
          <input id="name" name="name" maxlength="255" autocomplete="name" value="${request.form.get('name')}"
            ${wrongs.name ? html` aria-describedby="name-wrong" aria-invalid="true"` : null}>
          ${wrongs.name ? html`<p class="wrong" id="name-wrong" role="alert">${wrongs.name}</p>` : null}
        </div>
        ${passwordField('fresh', 'Password', 'new-password', wrongs.fresh, 'At least 8 characters. A few words in a row are easy to remember and hard to guess.')}
        ${passwordField('again', 'Password again', 'new-password', wrongs.again)}
        <button class="button">Begin</button>
      </form>
    `,
  )
}

function deadLink(request: PageRequest): Html {
  return door(
    request,
    'This invitation no longer works',
    html`<p>It has been used, it was withdrawn, or it is older than seven days. Please ask for a new one.</p><p class="after"><a href="/login">To the login</a></p>`,
  )
}

function tokenOf(request: PageRequest): string {
  return request.params['token'] ?? ''
}
