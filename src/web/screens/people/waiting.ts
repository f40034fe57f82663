/** The invitations of an account that wait, each with its buttons; on the page of its people, and at the desk. */

import { type Html, html } from '../../../lib/html.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import { invitePersonAgain, type PersonInvitation, withdrawPersonInvitation } from '../../../model/people/keepers/people-invitations.ts'
import { breakable } from '../../components/tables.ts'
import type { PersonPageRequest } from '../../page-request.ts'
import { type Places, scopesText } from '../desk/customer/sees.ts'

/** Where the forms go, and what they carry. */
interface Sending {
  readonly path: string
  readonly hidden: Html
}

export function waitingHtml(
  request: PersonPageRequest,
  account: Places,
  invitations: readonly PersonInvitation[],
  sending: Sending,
): Html | null {
  if (invitations.length === 0) return null
  return html`<h3>Invited</h3><ul class="recipients">${invitations.map((one) => lineHtml(request, account, one, sending))}</ul>`
}

function lineHtml({ words }: PersonPageRequest, account: Places, invitation: PersonInvitation, { path, hidden }: Sending): Html {
  const { id, email, expires_at, is_editor, ...scope } = invitation
  return html`
    <li>
      ${breakable(email)}: ${scopesText(account, [scope])}${is_editor === 1 ? '; may also share' : null}, <span class="quiet">until ${words.day(expires_at.slice(0, 10))}</span>
      <form method="post" action="${path}" class="bar-row no-print">
        ${hidden}
        <input type="hidden" name="invitation" value="${id}">
        <button class="button soft" name="do" value="again">Mail it again<span class="sr"> to ${email}</span></button>
        <button class="button soft" name="do" value="withdraw">Withdraw<span class="sr"> the invitation of ${email}</span></button>
      </form>
    </li>
  `
}

export async function mailAgain({ form, loggedIn }: PersonPageRequest, accountId: number): Promise<'invited'> {
  await invitePersonAgain(loggedIn.person, accountId, idIn(form.get('invitation') ?? ''))
  return 'invited'
}

export async function withdrawInvitation({ form, loggedIn }: PersonPageRequest, accountId: number): Promise<'withdrawn'> {
  await withdrawPersonInvitation(loggedIn.person, accountId, idIn(form.get('invitation') ?? ''))
  return 'withdrawn'
}
