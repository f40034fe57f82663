/** The switch for partners with a client from 2012, in words: what each of its three settings does, and when they are set apart. */

import { type Html, html } from '../../../../lib/html.ts'
import type { OldClient } from '../../../../model/partners/old-clients.ts'
import { tokenField } from '../../../components/layout.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

export function oldClientHtml(request: PersonPageRequest, client: OldClient): Html {
  const { words } = request
  const { hasLegacyNames, mayComeAlone, isUnlimited, takenPerHour } = client
  const on = [hasLegacyNames, mayComeAlone, isUnlimited].filter(Boolean).length
  const state =
    on === 3
      ? 'On: all three are as such a client needs them.'
      : on === 0
        ? 'Off: none of the three is as such a client needs it.'
        : 'The three are set apart from each other:'
  return html`
    <div class="ways">
    <h2>This partner has a client of 2012</h2>
    <p>Programs that were written for the interface in 2012 may need three things that newer ones do better without. <strong>${state}</strong></p>
    <ul>
      <li><strong>Names: ${hasLegacyNames ? 'old' : 'new'}.</strong> In XML, what is named after data is called ${hasLegacyNames ? html`<code>&lt;3&gt;</code>, as in 2012, which is not XML` : html`<code>&lt;_x0033_ name="3"&gt;</code>, which every parser reads`}.</li>
      <li><strong>Key without password: ${mayComeAlone ? 'opens reports' : 'refused'}.</strong> ${mayComeAlone ? 'A key that comes alone reads reports and changes nothing.' : 'Every request needs the key and its password.'}</li>
      <li><strong>“Taken” answers: ${isUnlimited ? 'without limit' : `at most ${words.whole(takenPerHour)} an hour`}.</strong> ${isUnlimited ? 'A program may try as many logins and addresses as it likes until one is free.' : 'A program that tries names until one is free is refused for the rest of the hour, so that nobody can search for people.'}</li>
    </ul>
    <form method="post" action="/desk/developers" class="bar-row">
      ${tokenField(request)}
      <input type="hidden" name="do" value="switch">
      <input type="hidden" name="was" value="${client.version}">
      ${on === 3 ? null : html`<button class="button soft" name="wanted" value="yes">Turn all three on</button>`}
      ${on === 0 ? null : html`<button class="button soft" name="wanted" value="no">Turn all three off</button>`}
    </form>
    ${on === 0 ? null : html`<p class="quiet">Turned off, a program that sends its key without the password is refused from its next request on.</p>`}
    </div>
  `
}
