/** Everything that is known of the competitors of a site, beside the site itself. */

import { type Html, html } from '../../../lib/html.ts'
import { mostRivals } from '../../../model/dashboard/search.ts'
import { csvPath, tableLinks } from '../../components/csv.ts'
import { card } from '../../components/site-frame.ts'
import { stackedTable } from '../../components/tables.ts'
import type { ReaderPageRequest } from '../../page-request.ts'
import { competitorsTable } from '../search-tables.ts'
import type { SearchContent } from './content.ts'

/** Folded on the screen, where who is ahead is told above; whole on paper. */
export function competitorsCard(request: ReaderPageRequest, content: SearchContent, isOnPaper: boolean): Html | null {
  const { rivals } = content.search
  if (rivals.length === 0) return null
  const ahead = rivals.filter((rival) => (rival.visibility ?? 0) > (rival.ownVisibility ?? 0)).length
  const compared = rivals.filter((rival) => rival.compared > 0).length
  const told =
    compared === 0
      ? 'No keyword is measured both for this site and for a competitor.'
      : `${request.words.whole(ahead)} of ${request.words.count(compared, 'competitor')} ${ahead === 1 ? 'is' : 'are'} more visible than this site, each on the keywords measured for both.`
  const few = rivals.length === mostRivals ? ` Only the first ${mostRivals} competitors are compared here.` : ''
  const table = html`<p class="quiet">${told}${few}</p>${stackedTable(request.words, competitorsTable(content))}`
  if (isOnPaper) return card(html`<h2>Against competitors</h2>${table}`, 'w12')
  return html`
    <details class="card w12 folded" id="competitors"${request.query.get('competitors') === 'all' ? html` open` : null}>
      <summary><h2>Against competitors</h2><span class="quiet">backlinks, age and positions of ${request.words.count(rivals.length, 'competitor')}</span></summary>
      <p class="push">${tableLinks(csvPath(request, 'competitors'))}</p>
      ${table}
    </details>
  `
}
