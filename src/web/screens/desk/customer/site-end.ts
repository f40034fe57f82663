/** Removes a site of a customer, after what goes with it was shown. */

import { type Html, html } from '../../../../lib/html.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { findGoingWithSite, type GoingWithSite, removeSeenSite } from '../../../../model/dashboard/desk/site-going.ts'
import type { Site } from '../../../../resources/site.ts'
import { tokenField } from '../../../components/layout.ts'
import { domainName } from '../../../components/names.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { hrefWith, type PersonPageRequest } from '../../../page-request.ts'

/** A link, and where it leads: what goes, and the button. */
export async function siteEndHtml(request: PersonPageRequest, staff: StaffCaller, site: Site): Promise<Html> {
  if (!request.query.has('remove') && request.form.get('do') !== 'remove-site')
    return html`<p class="w12 no-print"><a class="button soft" href="${hrefWith(request, { remove: 'site', done: null })}">Remove this site…</a> <span class="quiet">Shows first what goes, and asks once more.</span></p>`
  const going = await findGoingWithSite(staff, site.id)
  return card(
    html`
      <h2>Remove ${breakable(domainName(site.domain))}?</h2>
      <p>What goes, for good:</p>
      <ul class="recipients">${goingTexts(request, going).map((text) => html`<li>${text}</li>`)}</ul>
      <form method="post" action="${request.path}" class="bar-row">
        ${tokenField(request)}
        <input type="hidden" name="seen" value="${going.state}">
        <button class="button" name="do" value="remove-site">Remove this site</button>
        <a class="button soft" href="${hrefWith(request, { remove: null, done: null })}">Keep it</a>
      </form>
    `,
    'w12',
  )
}

function goingTexts({ words }: PersonPageRequest, { keywords, competitors, notes, links, people }: GoingWithSite): string[] {
  return [
    `${words.count(keywords, 'keyword')} and ${words.count(competitors, 'competitor')}, with everything that was measured`,
    ...(notes > 0 ? [words.count(notes, 'note')] : []),
    ...(links > 0 ? [`${words.count(links, 'link')} to it`] : []),
    ...(people > 0 ? [`what ${words.count(people, 'person sees', 'people see')} of it by itself`] : []),
    'its place in reports by mail; a report about this site alone ends',
  ]
}

/** Returns where to go on. */
export async function removeHere({ form }: PersonPageRequest, staff: StaffCaller, site: Site): Promise<string> {
  await removeSeenSite(staff, site.id, form.get('seen') ?? '')
  return `/desk/customers/${site.account_id}?done=unsited`
}
