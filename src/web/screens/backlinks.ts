/** The links to a site found in a period: on a card, page by page, and completely as a CSV file. */

import { type Html, html } from '../../lib/html.ts'
import { eachBacklink, type NewBacklink, readLinks } from '../../model/dashboard/backlinks.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import type { ShownSite } from '../../model/people/visible-sites.ts'
import { leftOffPaper, outsideLink, pageLinks, sliceOf } from '../components/components.ts'
import { csvPath, tableInPieces, tableLinks } from '../components/csv.ts'
import { card } from '../components/site-frame.ts'
import type { Cell, Column, PageTable } from '../components/tables.ts'
import type { PageAnswer, ReaderPageRequest } from '../page-request.ts'
import type { SearchContent } from './search/content.ts'
import { noLinksSentence } from './search-charts.ts'

const linksAtOnce = 8

export async function backlinksCard(
  request: ReaderPageRequest,
  site: ShownSite,
  content: SearchContent,
  isOnPaper: boolean,
): Promise<Html> {
  const { ids } = content.figures.backlinks
  const slice = sliceOf(request, 'links', ids, linksAtOnce)
  const links = await readLinks(request.reader, site, slice.items)
  return card(
    html`
      <div class="card-head" id="backlinks">
        <h2>Backlinks found in this period</h2>
        ${ids.length === 0 ? null : html`<span class="no-print">${tableLinks(csvPath(request, 'backlinks'))}</span>`}
      </div>
      ${ids.length === 0 ? html`<p class="quiet">${noLinksSentence(request, content)}</p>` : linksHtml(request, links)}
      ${pageLinks(request, 'links', slice, 'backlinks')}
      ${leftOffPaper(request.words, links.length, ids.length, 'links', 'the CSV file')}
    `,
    ids.length === 0 || isOnPaper ? 'w12' : 'w8',
    true,
  )
}

function linksHtml({ words }: ReaderPageRequest, links: readonly NewBacklink[]): Html {
  const rows = links.map(
    (link) => html`
      <tr>
        <th scope="row" title="${link.source_url}">${outsideLink(link.source_url, link.source_url.replace(/^https?:\/\//, ''))}</th>
        <td title="${link.anchor_text}" data-l="Anchor text"><span dir="auto">${link.anchor_text}</span></td>
        <td class="n" data-l="Strength">${link.link_strength}</td>
        <td class="n" data-l="Authority">${link.domain_authority}</td>
        <td class="n" data-l="Found on">${words.day(link.found_on)}</td>
      </tr>
    `,
  )
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Backlinks">
      <table class="stacks links">
        <caption class="sr">Backlinks found in this period</caption>
        <thead>
          <tr>
            <th scope="col">Page</th>
            <th scope="col">Anchor text</th>
            <th scope="col" class="n">Strength</th>
            <th scope="col" class="n">Authority</th>
            <th scope="col" class="n">Found on</th>
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  `
}

export function backlinksCsv(request: ReaderPageRequest, { site, period }: { site: ShownSite; period: DaySpan }): PageAnswer {
  return tableInPieces(request, `${site.domain}-backlinks`, eachBacklink(request.reader, site, period), backlinksTable)
}

function backlinksTable(links: readonly NewBacklink[]): PageTable {
  const columns: Column[] = [
    { label: 'Domain', kind: 'text' },
    { label: 'Page', kind: 'text' },
    { label: 'Anchor text', kind: 'text' },
    { label: 'Strength', kind: 'whole' },
    { label: 'Domain authority', kind: 'whole' },
    { label: 'Found on', kind: 'day' },
  ]
  const rows = links.map((link): Cell[] => [
    link.domain,
    link.source_url,
    link.anchor_text,
    link.link_strength,
    link.domain_authority,
    link.found_on,
  ])
  return { caption: 'New backlinks', columns, rows }
}
