/** The page that the link in the mail to a new address opens: pressing its button makes the address that of the login. */

import { Failure } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { confirmEmail, lookAtEmailChange } from '../../../model/people/me/email-changes.ts'
import { door, tokenField } from '../../components/layout.ts'
import { inBrandOf, type PageAnswer, type PageRequest } from '../../page-request.ts'

export async function showEmail(request: PageRequest): Promise<PageAnswer> {
  const waiting = await lookAtEmailChange(request.visitor, tokenOf(request))
  if (waiting === null) return deadLink(request)
  const { change, user } = waiting
  const form = html`
    <p>Mail will come to <strong>${change.email}</strong> instead of ${user.email}${user.login === user.email ? html`, and you log in with it` : null}.</p>
    <form method="post" action="/email/${tokenOf(request)}">
      ${tokenField(request)}
      <button class="button">Use this address</button>
    </form>
  `
  return { body: door(await inBrandOf(request, whoseOf(user)), 'Is this your address?', form) }
}

export async function submitEmail(request: PageRequest): Promise<PageAnswer> {
  const waiting = await lookAtEmailChange(request.visitor, tokenOf(request))
  if (waiting === null) return deadLink(request)
  const branded = await inBrandOf(request, whoseOf(waiting.user))
  try {
    await confirmEmail(request.visitor, tokenOf(request))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'unauthorized') return deadLink(request)
    if (error.code !== 'validation_failed') throw error
    return { status: 422, body: takenPage(branded) }
  }
  const said = html`
    <p role="status">Mail comes to <strong>${waiting.change.email}</strong> from now on.</p>
    <p class="after"><a href="/me">About you</a></p>
  `
  return { body: door(branded, 'Your address is changed', said) }
}

/** Told to nobody but who reads the mail of the address. */
function takenPage(request: PageRequest): Html {
  const said = html`<p role="alert">Another login has this address. Nothing was changed.</p><p class="after"><a href="/me">Choose another address</a></p>`
  return door(request, 'This address is taken', said)
}

function deadLink(request: PageRequest): PageAnswer {
  const said = html`<p>It has been used, another address was asked for since, or it is older than a day.</p><p class="after"><a href="/me">Ask for a new one</a></p>`
  return { status: 410, body: door(request, 'This link no longer works', said) }
}

function whoseOf({ partner_id, account_id }: { readonly partner_id: number; readonly account_id: number }) {
  return { partnerId: partner_id, accountId: account_id }
}

function tokenOf(request: PageRequest): string {
  return request.params['token'] ?? ''
}
