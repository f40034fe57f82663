/** Staff look at the dashboards as a person of a customer sees them, from the person's row at the customer's page. */

import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { CustomerFile, CustomerPerson } from '../../../../model/dashboard/desk/customer.ts'
import { beginView, endView } from '../../../../model/people/staff/views.ts'
import { tokenField } from '../../../components/layout.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { nameOf } from './sees.ts'

export function viewForm(request: PersonPageRequest, { id }: CustomerFile, person: CustomerPerson): Html | null {
  if (person.state === 'suspended') return null
  return html`
    <form method="post" action="/desk/customers/${id}/people/${person.id}/view">
      ${tokenField(request)}
      <button class="button soft" aria-label="Open as they see it: ${nameOf(person)}">Open as they see it</button>
    </form>
  `
}

export async function submitView({ loggedIn, params }: PersonPageRequest): Promise<PageAnswer> {
  await beginView(loggedIn, idIn(params['account_id']), idIn(params['user_id']))
  return redirect('/')
}

/** Back to the customer at whose page the view began. */
export async function submitLeave({ loggedIn }: PersonPageRequest): Promise<PageAnswer> {
  const accountId = await endView(loggedIn)
  return redirect(accountId === null ? '/desk' : `/desk/customers/${accountId}`)
}
