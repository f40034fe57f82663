/** The sites of a customer with their figures, and the form that adds one. */

import { draftOf } from '../../../../fields/read.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import type { CustomerFile, CustomerSite } from '../../../../model/dashboard/desk/customer.ts'
import { addSite } from '../../../../model/partners/sites.ts'
import { newSite } from '../../../../resources/site.ts'
import { changeHtml } from '../../../components/components.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import { domainName } from '../../../components/names.ts'
import { pointsChange } from '../../../components/number-format.ts'
import { breakable } from '../../../components/tables.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { reasonText } from '../../reasons.ts'
import { ownBusiness } from './businesses.ts'

export function sitesHtml(request: PersonPageRequest, customer: CustomerFile): Html {
  const { sites } = customer
  return html`
    <h2>Sites</h2>
    ${sites.length === 0 ? html`<p class="quiet">This customer has no sites yet.</p>` : sitesTable(request, customer)}
    ${addForm(request, customer)}
    <p class="no-print"><a href="/desk/data?customer=${customer.id}">What came in for these sites, and from where</a> · <a href="/desk/reviews?customer=${customer.id}">Reviews to look at</a></p>
  `
}

function sitesTable(request: PersonPageRequest, { id, sites }: CustomerFile): Html {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Sites">
      <table class="stacks">
        <caption class="sr">Sites of the customer, over the last 30 days</caption>
        <thead><tr><th scope="col">Site</th><th scope="col">To look at</th><th scope="col" class="n">Visibility</th><th scope="col" class="n">Rating</th><th scope="col" class="n">Last data</th></tr></thead>
        <tbody>${sites.map((site) => siteRow(request, id, site))}</tbody>
      </table>
    </div>
  `
}

function siteRow({ words }: PersonPageRequest, customerId: number, site: CustomerSite): Html {
  const isActive = site.aasm_state === 'active'
  const told = isActive ? site.reasons.map((reason) => reasonText(words, reason)).join(' · ') : ''
  return html`
    <tr>
      <th scope="row">
        <a class="rowlink" href="/sites/${site.id}/search">${breakable(domainName(site.domain))}</a>
        ${isActive ? null : html` <span class="badge">deactivated</span>`}
        <small>${site.business_name}</small>
        <small class="no-print"><a href="/desk/customers/${customerId}/sites/${site.id}">Keywords and competitors<span class="sr"> of ${domainName(site.domain)}</span></a> · <a href="/sites/${site.id}/share">Share<span class="sr"> ${domainName(site.domain)}</span></a></small>
      </th>
      <td class="wrap" data-l="To look at">${told || quiet('nothing')}</td>
      <td class="n" data-l="Visibility">
        ${site.visibility === null ? quiet('not measured') : words.decimal(site.visibility)}
        ${changeHtml(pointsChange(words, site.compared_now, site.compared_before), 'only if any')}
      </td>
      <td class="n" data-l="Rating">${site.rating === null ? quiet('no reviews') : words.decimal(site.rating)}</td>
      <td class="n" data-l="Last data">${site.measured_on === null ? quiet('never') : words.shortDay(site.measured_on)}</td>
    </tr>
  `
}

function quiet(text: string): Html {
  return html`<span class="quiet">${text}</span>`
}

const domainSentences = {
  blank: 'Please type a domain.',
  invalid: 'Please type a domain such as example.com.',
  taken: 'This customer has this domain already, or one that was deleted has it.',
}

function addForm(request: PersonPageRequest, { id, businesses }: CustomerFile): Html | null {
  if (businesses.length === 0) return html`<p class="quiet">A site belongs to a business: please add one first.</p>`
  const options = businesses.map((business) => [String(business.id), business.name] as const)
  return html`
    <form method="post" action="/desk/customers/${id}" class="row-form no-print">
      ${tokenField(request)}
      ${fieldHtml(request, { name: 'domain', label: 'Add a domain', isRequired: true, sentences: domainSentences })}
      ${fieldHtml(request, { name: 'business_id', label: 'Of the business', options })}
      <button class="button" name="do" value="domain">Add</button>
    </form>
  `
}

export async function addDomain({ form }: PersonPageRequest, staff: StaffCaller, accountId: number): Promise<PageAnswer> {
  const { id } = await ownBusiness(staff, accountId, idIn(form.get('business_id') ?? ''))
  await addSite(staff, draftOf(newSite, { business_id: id, domain: form.get('domain') ?? '' }))
  return redirect(`/desk/customers/${accountId}?done=site`)
}
