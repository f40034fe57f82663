/** The card that leads the search page: each figure is a tab, and below stands the chart of the one that is chosen. */

import { type Html, html } from '../../../lib/html.ts'
import { type Chart, chartHtml } from '../../charts/frame.ts'
import { changeHtml, type Figure } from '../../components/components.ts'
import { hrefWith, type ReaderPageRequest } from '../../page-request.ts'
import { siteAveragesChart } from '../average-positions.ts'
import { bandsChart, positionsChart } from '../search-charts.ts'
import { searchFigureList } from '../search-lead.ts'
import type { SearchContent } from './content.ts'
import { linkCountChart, notFoundChart, visibilityChart } from './hero-charts.ts'
import { summedChart } from './summed.ts'

type Making = (request: ReaderPageRequest, content: SearchContent) => Chart | null

/** The chart of each figure, by its name in the address; null where nothing was measured in the period. */
const charts: Readonly<Record<string, Making>> = {
  visibility: visibilityChart,
  top10: ifRanked(bandsChart),
  position: (request, content) =>
    ifRanked(positionsChart)(request, content) ?? siteAveragesChart(request, content.search.averages, content.period),
  missing: notFoundChart,
  backlinks: linkCountChart,
}

function ifRanked(make: Making): Making {
  return (request, content) => (content.search.own.days().length > 0 ? make(request, content) : null)
}

/** Null where nothing was ever measured that it could show. */
export function heroHtml(request: ReaderPageRequest, content: SearchContent, tools: Html | null): Html | null {
  // What was never measured takes no tab.
  const figures = searchFigureList(request, content).filter(({ value, note }) => value !== null || note !== undefined)
  if (figures.length === 0) return null
  const drawn = new Map(figures.map(({ tab = '' }) => [tab, chartOf(request, content, tab)]))
  const withChart = figures.filter(({ tab = '' }) => drawn.get(tab))
  const chosen = withChart.find(({ tab }) => tab === request.query.get('chart')) ?? withChart[0]
  // On paper each chart has a card of its own.
  const chart = request.query.get('print') === 'all' ? null : drawn.get(chosen?.tab ?? '')
  return html`
    <section class="card glance" id="glance" data-swap aria-label="At a glance">
      <dl class="figures tabbed">${figures.map((figure) => tabHtml(request, figure, withChart.includes(figure), figure === chosen))}</dl>
      ${chart ? chartHtml(request.words, chart, 12, tools) : tools}
    </section>
  `
}

/** What is added up has a chart of the same kind, whatever it is called. */
function chartOf(request: ReaderPageRequest, content: SearchContent, tab: string): Chart | null {
  const make = Object.hasOwn(charts, tab) ? charts[tab] : undefined
  return make ? make(request, content) : summedChart(request, content, tab)
}

function tabHtml(
  request: ReaderPageRequest,
  { tab = '', label, value, change = null, note, explained }: Figure,
  hasChart: boolean,
  isChosen: boolean,
): Html {
  const href = `${hrefWith(request, { chart: tab })}#glance`
  const named = hasChart ? html`<a href="${href}"${isChosen ? html` aria-current="true"` : null}>${label}</a>` : label
  return html`
    <div${isChosen ? html` class="chosen"` : null}>
      <dt>${named}</dt>
      <dd>${value ?? html`<span class="quiet">–</span>`}${changeHtml(change)}</dd>
      ${note || value === null ? html`<dd class="change quiet">${note ?? 'not measured'}</dd>` : null}
      ${explained ? html`<dd class="change">${explained}</dd>` : null}
    </div>
  `
}
