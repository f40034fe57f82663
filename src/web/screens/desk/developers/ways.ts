/** How a program comes in: lines to copy that name the service as it is reached, and where everything else is written. */

import { type Html, html } from '../../../../lib/html.ts'
import type { KeyScope } from '../../../../model/core/caller.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

export function waysHtml({ app }: PersonPageRequest, siteId: number | null): Html {
  const { baseUrl } = app.settings
  return html`
    <div class="ways">
    <h2>How a program comes in</h2>
    ${linesHtml(baseUrl, 'KEY:PASSWORD', ['provision', 'report', 'ingest'], siteId)}
    <ul>
      <li><a href="${baseUrl}/docs">The documentation</a>, where every request can be tried</li>
      <li><a href="${baseUrl}/openapi.json">OpenAPI</a>, for programs that write programs</li>
      <li>Agents find tools for all of this at <code>${baseUrl}/mcp</code>, with the key and its password</li>
    </ul>
    </div>
  `
}

interface Line {
  readonly scope: KeyScope
  readonly says: string
  readonly asks: (siteId: number | null) => string
}

/** Nothing of it changes anything. */
const lines: readonly Line[] = [
  { scope: 'provision', says: 'Your customers', asks: () => '/api/accounts.json' },
  {
    scope: 'report',
    says: 'What was measured of a site',
    asks: (siteId) => `/api/seo_report.json${siteId === null ? '' : `?site_id=${siteId}`}`,
  },
  { scope: 'ingest', says: 'The data that came in', asks: () => '/api/intakes.json' },
  { scope: 'keys', says: 'The keys that were issued with it', asks: () => '/api/keys.json' },
  { scope: 'staff', says: 'Who works here', asks: () => '/api/staff.json' },
  { scope: 'events', says: 'What happened', asks: () => '/api/events.json' },
]

export function linesHtml(baseUrl: string, credentials: string, scopes: readonly KeyScope[], siteId: number | null): Html {
  return html`
    ${lines
      .filter(({ scope }) => scopes.includes(scope))
      .map(
        ({ says, asks }) => html`
          <h3>${says}</h3>
          <pre class="copied" tabindex="0" role="group" aria-label="${says}">curl -u '${credentials}' '${baseUrl}${asks(siteId)}'</pre>
        `,
      )}
  `
}
