/** The page that answers with a new key: the only one that ever shows it, with its password. */

import { html } from '../../../../lib/html.ts'
import type { FreshKey } from '../../../../model/partners/keys/keys.ts'
import { framed } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import type { PageAnswer, PersonPageRequest } from '../../../page-request.ts'
import { keyTitle, scopeNames } from './key-words.ts'
import { linesHtml } from './ways.ts'

export function freshKeyPage(request: PersonPageRequest, { key, password, record }: FreshKey): PageAnswer {
  const main = html`
    <h1>The new key</h1>
    <p class="notice" role="status">Copy the key and its password now: nobody can see them again, not here and not elsewhere.</p>
    <div class="grid">
      ${card(
        html`
          <div class="ways">
          <h2>${keyTitle(record)}</h2>
          <h3>Key</h3>
          <pre class="copied" tabindex="0" role="group" aria-label="Key">${key}</pre>
          <h3>Password</h3>
          <pre class="copied" tabindex="0" role="group" aria-label="Password">${password}</pre>
          </div>
        `,
        'w12',
      )}
      ${card(html`<div class="ways"><h2>Try it</h2>${linesHtml(request.app.settings.baseUrl, `${key}:${password}`, scopeNames(record), null)}</div>`, 'w12')}
    </div>
    <p><a href="/desk/developers?key=${record.id}">To the keys</a></p>
  `
  return { body: framed(request, { title: 'The new key', main }) }
}
