/** The login of a person of a customer: suspended, let in again, and ended. */

import { refuse } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import type { CustomerFile, CustomerPerson } from '../../../../model/dashboard/desk/customer.ts'
import { changeLogin, loginState } from '../../../../model/people/customers/client-logins.ts'
import { tokenField } from '../../../components/layout.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

export function loginHtml(request: PersonPageRequest, person: CustomerPerson): Html {
  return html`
    <h2>Login</h2>
    <form method="post" action="${request.path}" class="rights">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${loginState(person)}">
      ${
        person.state === 'suspended'
          ? choiceHtml('unsuspend', 'Let them in again', 'They see again what they saw before.')
          : choiceHtml(
              'suspend',
              'Suspend',
              'They are logged out, and cannot log in until somebody lets them in again. What they see stays as it is.',
            )
      }
      <label class="check"><input type="checkbox" name="sure" value="yes"> for good: they cannot log in any more, and get no reports</label>
      <p><button class="button soft" name="do" value="end">Delete this login</button></p>
    </form>
  `
}

function choiceHtml(name: string, label: string, says: string): Html {
  return html`<p><button class="button soft" name="do" value="${name}">${label}</button> <span class="quiet">${says}</span></p>`
}

/** What the pressed button says. */
export async function submitLoginAct(
  { form }: PersonPageRequest,
  staff: StaffCaller,
  { id: accountId }: CustomerFile,
  { id: userId }: CustomerPerson,
): Promise<void> {
  const pressed = form.get('do')
  const act = pressed === 'suspend' || pressed === 'unsuspend' ? pressed : 'end'
  if (act === 'end' && form.get('sure') !== 'yes') refuse('conflict', 'A login is deleted for good: please tick that as well.')
  await changeLogin(staff, { accountId, userId }, act, form.get('was') ?? '')
}
