/** What a customer is called, how its days are counted, and its tags. */

import { complete, draftOf } from '../../../../fields/read.ts'
import { type Html, html } from '../../../../lib/html.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { setExternalId } from '../../../../model/core/external-ids.ts'
import { refuseMeanwhile } from '../../../../model/core/transaction.ts'
import type { CustomerFile } from '../../../../model/dashboard/desk/customer.ts'
import { renameAccount } from '../../../../model/partners/accounts.ts'
import { changeCustomer, customerState, findCustomer } from '../../../../model/partners/customers.ts'
import { changedCustomer, newAccount } from '../../../../resources/account.ts'
import { newExternalId } from '../../../../resources/external-id.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import { regionChoices } from '../../../components/regions.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'

const sentences = {
  name: { blank: 'A customer needs a name.', not_one_line: 'A name is one line.', too_long: 'A name has at most 255 characters.' },
  number: { taken: 'Another customer has this number.', too_long: 'A number has at most 255 characters.' },
  time_zone: { invalid: 'There is no time zone of this name. It is a name such as Europe/Berlin, or UTC.' },
  tags: { not_one_line: 'Tags are one line.' },
}

export function aboutHtml(request: PersonPageRequest, { id, name, number, time_zone, region, tags }: CustomerFile): Html {
  const shown = { name, time_zone: time_zone ?? 'UTC', region, tags }
  return html`
    <h2>About this customer</h2>
    <form method="post" action="/desk/customers/${id}" class="fields no-print">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${customerState(shown)}">
      <input type="hidden" name="was_number" value="${number}">
      ${fieldHtml(request, { name: 'name', label: 'Name', isRequired: true, sentences: sentences.name }, name)}
      ${fieldHtml(request, { name: 'external_id', label: 'Your number of the customer', hint: 'By which you know them in your own books.', sentences: sentences.number }, number)}
      ${fieldHtml(request, { name: 'time_zone', label: 'Time zone', hint: 'A name such as Europe/Berlin.', sentences: sentences.time_zone }, shown.time_zone)}
      ${fieldHtml(request, { name: 'region', label: 'Dates and numbers', hint: 'For people who have chosen nothing themselves.', options: regionChoices(request, 'as their browser asks for') }, region ?? '')}
      ${fieldHtml(request, { name: 'tags', label: 'Tags', hint: 'Separated by commas.', sentences: sentences.tags }, tags ?? '')}
      <p><button class="button" name="do" value="about">Save</button></p>
    </form>
  `
}

export async function saveAbout({ form }: PersonPageRequest, staff: StaffCaller, id: number): Promise<PageAnswer> {
  const given = (name: string) => form.get(name) ?? ''
  const named = draftOf(newAccount, { name: given('name') })
  const wanted = draftOf(changedCustomer, { time_zone: given('time_zone'), region: given('region'), tags: given('tags') })
  const number = draftOf(newExternalId, { external_id: given('external_id') })
  // What is wrong with one field leaves all of them as they are.
  complete(newAccount, named)
  complete(changedCustomer, wanted)
  if (customerState(await findCustomer(staff, id)) !== given('was')) refuseMeanwhile()
  await setExternalId(staff, 'account', id, number, given('was_number'))
  await changeCustomer(staff, id, wanted, given('was'))
  await renameAccount(staff, id, named)
  return redirect(`/desk/customers/${id}?done=changed`)
}
