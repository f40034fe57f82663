/** The businesses of a customer: added, renamed, deactivated and brought back. */

import { draftOf } from '../../../../fields/read.ts'
import { Failure, invalid, notFound, refuse } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import type { CustomerFile } from '../../../../model/dashboard/desk/customer.ts'
import {
  createBusiness,
  deactivateBusiness,
  deleteBusiness,
  findBusiness,
  reactivateBusiness,
  renameBusiness,
} from '../../../../model/partners/businesses.ts'
import { type Business, changedBusiness, newBusiness } from '../../../../resources/business.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import { breakable } from '../../../components/tables.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'

type ListedBusiness = CustomerFile['businesses'][number]

export function businessesHtml(request: PersonPageRequest, customer: CustomerFile): Html {
  const { id, businesses } = customer
  const chosen = idIn(request.form.get('changed') ?? request.query.get('business') ?? '')
  return html`
    <h2 id="businesses">Businesses</h2>
    ${businesses.length === 0 ? html`<p class="quiet">There is none yet.</p>` : null}
    <ul class="recipients">${businesses.map((business) => html`<li>${business.id === chosen ? changeForm(request, customer, business) : businessLine(id, business)}</li>`)}</ul>
    ${addForm(request, id)}
  `
}

function businessLine(accountId: number, { id, name, aasm_state }: ListedBusiness): Html {
  return html`
    ${breakable(name)}
    ${aasm_state === 'deactivated' ? html` <span class="badge">deactivated</span>` : null}${' '}
    <a class="no-print" href="/desk/customers/${accountId}?business=${id}#businesses">Change<span class="sr"> ${name}</span></a>
  `
}

const nameSentences = {
  blank: 'A business needs a name.',
  not_one_line: 'A name is one line.',
  too_long: 'A name has at most 255 characters.',
}

/** The name that was typed is kept beside a fault, unless somebody else has changed it meanwhile. */
function changeForm(request: PersonPageRequest, { id: accountId, sites }: CustomerFile, { id, name, aasm_state }: ListedBusiness): Html {
  const isClosed = aasm_state === 'deactivated'
  const isEmpty = sites.every(({ business_id }) => business_id !== id)
  return html`
    <form method="post" action="/desk/customers/${accountId}" class="row-form no-print">
      ${tokenField(request)}
      <input type="hidden" name="changed" value="${id}">
      <input type="hidden" name="was" value="${name}">
      ${fieldHtml(request, { name: 'business_name', label: 'Name of the business', isRequired: true, sentences: nameSentences }, name)}
      <button class="button" name="do" value="rename">Save</button>
      <button class="button soft" name="do" value="${isClosed ? 'reactivate' : 'deactivate'}">${isClosed ? 'Bring back' : 'Deactivate'}</button>
      ${isEmpty ? html`<button class="button soft" name="do" value="unmake">Remove</button>` : null}
      <a href="/desk/customers/${accountId}#businesses">Leave it</a>
    </form>
    <p class="quiet">${isClosed ? 'Once it is back, its people see its sites again.' : 'While it is deactivated, only its owner and you open its sites.'}${isEmpty ? null : ' It can be removed once it has no sites.'}</p>
  `
}

function addForm(request: PersonPageRequest, accountId: number): Html {
  return html`
    <form method="post" action="/desk/customers/${accountId}" class="row-form no-print">
      ${tokenField(request)}
      ${fieldHtml(request, { name: 'business', label: 'Add a business', isRequired: true, sentences: nameSentences })}
      <button class="button" name="do" value="business">Add</button>
    </form>
  `
}

export async function addHere({ form }: PersonPageRequest, staff: StaffCaller, account_id: number): Promise<PageAnswer> {
  const draft = draftOf(newBusiness, { name: form.get('business') ?? '', account_id })
  await createBusiness(staff, draft).catch(saidOf('business'))
  return redirect(`/desk/customers/${account_id}?done=business`)
}

/** Renamed, deactivated or brought back. */
export async function changeHere({ form }: PersonPageRequest, staff: StaffCaller, accountId: number): Promise<PageAnswer> {
  const { id } = await ownBusiness(staff, accountId, idIn(form.get('changed') ?? ''))
  if (form.get('do') === 'deactivate') await deactivateBusiness(staff, id)
  else if (form.get('do') === 'reactivate') await reactivateBusiness(staff, id)
  else {
    const draft = draftOf(changedBusiness, { name: form.get('business_name') ?? '' })
    await renameBusiness(staff, id, draft, form.get('was') ?? '').catch(saidOf('business_name'))
  }
  return redirect(`/desk/customers/${accountId}?done=changed`)
}

export async function removeBusiness({ form }: PersonPageRequest, staff: StaffCaller, accountId: number): Promise<PageAnswer> {
  const { id } = await ownBusiness(staff, accountId, idIn(form.get('changed') ?? ''))
  await deleteBusiness(staff, id).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error
    return refuse(
      'conflict',
      'This business has sites, or somebody may see it: remove its sites first, and take it away at the page of whoever sees it.',
    )
  })
  return redirect(`/desk/customers/${accountId}?done=unmade`)
}

/** What is wrong with the name is said beside the field that holds it. */
function saidOf(field: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
    return invalid((error.details.faults ?? []).map((fault) => ({ ...fault, field })))
  }
}

export async function ownBusiness(staff: StaffCaller, accountId: number, id: number): Promise<Business> {
  const business = await findBusiness(staff, id)
  return business.account_id === accountId ? business : notFound('business')
}
