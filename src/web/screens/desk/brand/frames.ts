/** The addresses whose pages may show share links in a frame. */

import { type Html, html } from '../../../../lib/html.ts'
import { coveringProof } from '../../../../model/partners/hosts/framing-hosts.ts'
import type { NamedHost } from '../../../../model/partners/hosts/named-hosts.ts'
import { tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import type { PersonPageRequest } from '../../../page-request.ts'
import { proofHtml } from './proof.ts'

/** A card with the form, and one for each address. */
export function framesCards(request: PersonPageRequest, action: string, hosts: readonly NamedHost[]): Html[] {
  const named = hosts.filter(({ for_frames }) => for_frames === 1)
  return [formHtml(request, action, named.length > 0), ...named.map((host) => frameHtml(request, action, host, hosts))].map((content) =>
    card(content, 'w12'),
  )
}

function formHtml(request: PersonPageRequest, action: string, isAnyNamed: boolean): Html {
  return html`
    <h2>Share links within your own pages</h2>
    <p>Name the pages that may show a share link in a frame: nothing else of the service is ever shown there, and a link with a password is not either.</p>
    <form method="post" action="${action}" class="row-form">
      ${tokenField(request)}
      <div class="field">
        <label for="origin">Address</label>
        <input id="origin" name="origin" value="${request.form.get('origin')}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="origin-hint">
        <p class="hint" id="origin-hint">The beginning of an address, such as https://www.acme.example.</p>
      </div>
      <button class="button" name="do" value="frame">Allow it there</button>
    </form>
    ${isAnyNamed ? html`<p class="quiet small">In your page, write the share link as the address of a frame: <code>&lt;iframe src="…/share/…" title="Report"&gt;&lt;/iframe&gt;</code>.</p>` : null}
  `
}

function frameHtml(request: PersonPageRequest, action: string, host: NamedHost, hosts: readonly NamedHost[]): Html {
  const above = coveringProof(
    host.host_name,
    hosts.filter((one) => one !== host),
    request.app.clock.now(),
  )
  const isCovered = above !== undefined && host.proved_at === null
  return html`
    <h2>https://${breakable(host.host_name)}</h2>
    ${isCovered ? html`<p>Covered by the proof of ${breakable(above.host_name)}.</p>` : proofHtml(request, action, host)}
    <form method="post" action="${action}" class="bar-row">
      ${tokenField(request)}
      <input type="hidden" name="unframed" value="${host.host_name}">
      <button class="button soft" name="do" value="unframe">Allow it no longer<span class="sr"> at ${host.host_name}</span></button>
    </form>
  `
}
