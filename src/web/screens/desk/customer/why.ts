/** "Why can she not see this?": why a person sees a site of the customer or does not, in words. */

import { Failure } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import type { CustomerFile } from '../../../../model/dashboard/desk/customer.ts'
import { explainAccess } from '../../../../model/people/access-reasons.ts'
import type { Access, AccessGrant } from '../../../../resources/access.ts'
import { domainName } from '../../../components/names.ts'
import { card } from '../../../components/site-frame.ts'
import type { PersonPageRequest } from '../../../page-request.ts'
import { nameOf } from './sees.ts'

/** Null where there is nobody to ask about, or nothing to be seen. */
export async function whyCard(request: PersonPageRequest, staff: StaffCaller, customer: CustomerFile): Promise<Html | null> {
  const { people, sites } = customer
  if (people.length === 0 || sites.length === 0) return null
  const [person, site] = [idIn(request.query.get('person') ?? ''), idIn(request.query.get('site') ?? '')]
  const option = (value: number, label: string, chosen: number) =>
    html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`
  return card(
    html`
      <h2 id="why">Why can somebody see a site, or not?</h2>
      <form class="filters" action="${request.path}#why">
        <label for="why-person">
          Person
          <select id="why-person" name="person">${people.map((one) => option(one.id, nameOf(one), person))}</select>
        </label>
        <label for="why-site">
          Site
          <select id="why-site" name="site">${sites.map(({ id, domain }) => option(id, domainName(domain), site))}</select>
        </label>
        <button class="button soft">Say why</button>
      </form>
      ${person > 0 && site > 0 ? await answerHtml(staff, customer, person, site) : null}
    `,
    'w12',
  )
}

async function answerHtml(staff: StaffCaller, customer: CustomerFile, personId: number, siteId: number): Promise<Html | null> {
  const [person, site] = [customer.people.find(({ id }) => id === personId), customer.sites.find(({ id }) => id === siteId)]
  if (person === undefined || site === undefined) return null
  try {
    const access = await explainAccess(staff, personId, 'Site', siteId)
    return html`<p class="notice" role="status">${sentenceOf(customer, nameOf(person), domainName(site.domain), access)}</p>`
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
    return html`<p class="notice" role="status">${nameOf(person)} belongs to a customer whom you do not look after.</p>`
  }
}

function sentenceOf(customer: CustomerFile, person: string, site: string, { allowed, grants, obstacles }: Access): string {
  const because = grants.map((grant) => grantText(customer, grant)).join(', and because ')
  if (allowed) return `${person} sees ${site}, because ${because}.`
  const hindered = obstacles.map(({ code }) => obstacleTexts[code]).join(', and ')
  if (grants.length === 0) return `${person} does not see ${site}: nothing that contains it has been opened to them.`
  return `${person} does not see ${site}, although ${because}: ${hindered}.`
}

function grantText({ name, businesses }: CustomerFile, { by, scope_type, scope_id }: AccessGrant): string {
  if (by === 'owner') return `they own ${name}`
  if (by === 'staff') return `they look after ${name}`
  if (scope_type === 'Account') return `all sites of ${name} are open to them`
  if (scope_type === 'Business') return `all sites of ${businesses.find(({ id }) => id === scope_id)?.name} are open to them`
  return 'this site is open to them'
}

const obstacleTexts: Record<string, string> = {
  user_suspended: 'they are suspended and cannot log in',
  other_partner: 'they belong to somebody else',
  business_deactivated: 'its business is deactivated, and only the owner and those who look after it open it then',
}
