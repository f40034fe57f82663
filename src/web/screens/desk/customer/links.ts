/** The links to sites of a customer that still work, each of which can be revoked. */

import { notFound } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import type { CustomerFile } from '../../../../model/dashboard/desk/customer.ts'
import { findSite } from '../../../../model/partners/sites.ts'
import { revokeShareLink } from '../../../../model/people/share-links.ts'
import { tokenField } from '../../../components/layout.ts'
import { domainName } from '../../../components/names.ts'
import { breakable } from '../../../components/tables.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'

export function linksHtml(request: PersonPageRequest, { id: accountId, links, sites }: CustomerFile): Html {
  const { words } = request
  if (links.length === 0) return html`<h2>Links</h2><p class="quiet">No link to a site works now.</p>`
  const domainOf = (id: number) => domainName(sites.find((site) => site.id === id)?.domain ?? '')
  return html`
    <h2>Links</h2>
    <ul class="recipients">
      ${links.map(
        ({ id, site_id, label, expires_at, last_used_at: used }) => html`
          <li>
            <a href="/sites/${site_id}/share">${breakable(domainOf(site_id))}</a> for ${label || 'anyone'}, until ${words.day(expires_at.slice(0, 10))};
            ${used === null ? 'never used' : `last used ${words.day(used.slice(0, 10))}`}
            <form method="post" action="/desk/customers/${accountId}" class="no-print">
              ${tokenField(request)}
              <input type="hidden" name="site" value="${site_id}">
              <input type="hidden" name="link" value="${id}">
              <button class="button soft" name="do" value="revoke">Revoke<span class="sr"> the link for ${label || 'anyone'}</span></button>
            </form>
          </li>
        `,
      )}
    </ul>
  `
}

export async function revoke({ form, loggedIn }: PersonPageRequest, staff: StaffCaller, accountId: number): Promise<PageAnswer> {
  const site = await findSite(staff, idIn(form.get('site') ?? ''))
  if (site.account_id !== accountId) notFound('site')
  await revokeShareLink(loggedIn.person, site.id, idIn(form.get('link') ?? ''))
  return redirect(`/desk/customers/${accountId}?done=revoked`)
}
