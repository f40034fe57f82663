/** From where the data of a customer's sites comes, when it came last, and where days are missing. */

import { type Html, html } from '../../../../lib/html.ts'
import type { SiteSource } from '../../../../model/dashboard/desk/site-sources.ts'
import { domainName } from '../../../components/names.ts'
import { breakable } from '../../../components/tables.ts'
import type { PersonPageRequest } from '../../../page-request.ts'

const kindTexts: Readonly<Record<SiteSource['kind'], string>> = {
  positions: 'Positions',
  'average positions': 'Average positions',
  clicks: 'Clicks',
  reviews: 'Reviews',
  links: 'Links',
}

export function sourcesHtml(
  request: PersonPageRequest,
  sites: readonly { readonly domain: string; readonly sources: readonly SiteSource[] }[],
): Html | null {
  if (sites.length === 0) return null
  return html`
    <section class="card" aria-label="Sources">
      <h2>Where the data of each site comes from</h2>
      <p class="quiet">Of the last 60 days, as it was worked out last; reviews and links show the last that came at all.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Sources of each site">
        <table class="stacks">
          <caption class="sr">Sources of each site</caption>
          <thead><tr><th scope="col">Site</th><th scope="col">What</th><th scope="col">From where</th><th scope="col" class="n">Last day</th><th scope="col">Missing</th></tr></thead>
          <tbody>${sites.map(({ domain, sources }) => (sources.length === 0 ? noneHtml(domain) : sources.map((source) => sourceRow(request, domain, source))))}</tbody>
        </table>
      </div>
    </section>
  `
}

function noneHtml(domain: string): Html {
  return html`<tr><th scope="row">${breakable(domainName(domain))}</th><td class="wrap" data-l="What" colspan="4"><span class="quiet">nothing in this time</span></td></tr>`
}

function sourceRow({ words }: PersonPageRequest, domain: string, { kind, name, last, gaps }: SiteSource): Html {
  const missing = gaps.map(([from, to]) => (from === to ? words.shortDay(from) : `${words.shortDay(from)} to ${words.shortDay(to)}`))
  return html`
    <tr>
      <th scope="row">${breakable(domainName(domain))}</th>
      <td class="wrap" data-l="What">${kindTexts[kind]}</td>
      <td class="wrap" data-l="From where">${name === '' ? null : breakable(name)}</td>
      <td class="n" data-l="Last day">${words.shortDay(last)}</td>
      <td class="wrap" data-l="Missing">${missing.length === 0 ? html`<span class="quiet">nothing</span>` : missing.join(', ')}</td>
    </tr>
  `
}
