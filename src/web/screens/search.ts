/** A site's search page: how it stands, in one sentence and a few figures, and then the charts and tables that explain it. */

import { notFound } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { type KeywordLine, searchFigures } from '../../model/dashboard/search.ts'
import { type NewBacklink, siteFigures } from '../../model/dashboard/site.ts'
import { openSite } from '../../model/people/visible-sites.ts'
import { chartHtml } from '../charts/frame.ts'
import { type Figure, figuresHtml, outsideLink, segments } from '../components/components.ts'
import { csvAnswer, csvPath } from '../components/csv.ts'
import { amountChange, positionChange } from '../components/number-format.ts'
import { periodOf } from '../components/period.ts'
import { card, sitePage } from '../components/site-frame.ts'
import { tableHtml } from '../components/tables.ts'
import { hrefWith, idFrom, type PageAnswer, type ReaderPageRequest } from '../page-request.ts'
import { keywordsCard } from './keywords.ts'
import { bandsChart, indexedChart, loadTimeChart, newBacklinksChart, positionsChart, strengthChart } from './search-charts.ts'
import { competitorsTable, type SearchContent, searchTables } from './search-tables.ts'

const mostBacklinks = 20

export async function showSearch(request: ReaderPageRequest): Promise<PageAnswer> {
  const { site, content } = await readContent(request)
  const { period, search } = content
  const [engines, locales] = [unique(search.sources.map((source) => source.engine)), unique(search.sources.map((source) => source.locale))]
  const choices = [
    segments(request, 'Engine', 'engine', engines, request.query.get('engine')),
    segments(request, 'Locale', 'locale', locales, request.query.get('locale')),
  ]
  const main = html`
    ${figuresHtml(figuresOf(request, content))}
    ${choices.some(Boolean) ? html`<div class="bar-row">${choices}</div>` : null}
    ${card(chartHtml(request.words, positionsChart(request, content)), 'w8')}
    ${card(chartHtml(request.words, bandsChart(request, content)), 'w4')}
    ${keywordsCard(request, site.id, search.keywords)}
    ${competitorsCard(request, content)}
    ${card(chartHtml(request.words, newBacklinksChart(request, content)), 'w6')}
    ${card(chartHtml(request.words, strengthChart(request, content)), 'w6')}
    ${backlinksCard(request, content.figures.backlinks)}
    ${card(chartHtml(request.words, loadTimeChart(request, content)), 'w6')}
    ${card(chartHtml(request.words, indexedChart(request, content)), 'w6')}
    ${siteItself(request, content)}
  `
  return sitePage(request, { site, period, tab: 'search', lead: leadOf(request, content), main })
}

export async function searchCsv(request: ReaderPageRequest): Promise<PageAnswer> {
  const name = request.query.get('table') ?? ''
  const make = Object.entries(searchTables).find(([known]) => known === name)?.[1] ?? notFound('page')
  const { site, content } = await readContent(request)
  return csvAnswer(`${site.domain}-${name}`, make(content))
}

async function readContent(request: ReaderPageRequest) {
  const { reader } = request
  const period = periodOf(request)
  const site = await openSite(reader, idFrom(request.params['site_id']))
  const search = await searchFigures(reader, site, { period, engine: request.query.get('engine'), locale: request.query.get('locale') })
  const figures = await siteFigures(reader, site, period)
  return { site, content: { period, domain: site.domain, search, figures } satisfies SearchContent }
}

function figuresOf(request: ReaderPageRequest, { search, figures }: SearchContent): Figure[] {
  const { words } = request
  const { keywords, own } = search
  const within = (most: number) => (place: number | null) => place !== null && place > 0 && place <= most
  const counted = (test: (place: number | null) => boolean, more: 'better' | 'worse') => {
    const [now, before] = [countOf(keywords, 'now', test), countOf(keywords, 'before', test)]
    return { value: now === null ? null : words.whole(now), change: amountChange(words, now, before, more) }
  }
  const average = own.average()
  const links = figures.now.backlink_count
  return [
    {
      label: 'Average position',
      value: average === null ? null : words.decimal(average),
      change: positionChange(words, average, own.averageBefore()),
      href: '#positions',
    },
    { label: 'In the top 3', ...counted(within(3), 'better'), href: '#bands' },
    { label: 'In the top 10', ...counted(within(10), 'better'), href: '#bands' },
    { label: 'Not found', ...counted((place) => place === 0, 'worse'), href: `${hrefWith(request, { band: 'none' })}#keywords` },
    {
      label: 'Backlinks',
      value: links === null ? null : words.whole(links),
      change: amountChange(words, links, figures.before.backlink_count),
      href: '#backlinks',
    },
  ]
}

/** Null where nothing was measured at all: that is not none. */
function countOf(keywords: readonly KeywordLine[], when: 'now' | 'before', test: (place: number | null) => boolean): number | null {
  const measured = keywords.filter((line) => line[when] !== null)
  return measured.length === 0 ? null : measured.filter((line) => test(line[when])).length
}

function leadOf({ words }: ReaderPageRequest, { period, search }: SearchContent): string {
  const { own, keywords } = search
  const average = own.average()
  if (average === null)
    return keywords.length === 0
      ? 'No keyword of this site was measured in this period.'
      : 'None of the keywords was found in the first 100 results in this period.'
  const change = positionChange(words, average, own.averageBefore())
  const compared = !change
    ? 'there is nothing to compare it with'
    : change.direction === 'same'
      ? `the same as in the ${period.days} days before`
      : `${change.words} than in the ${period.days} days before`
  const [entered, left] = [movedCount(keywords, 'now', 'before'), movedCount(keywords, 'before', 'now')]
  const moves = entered + left === 0 ? '' : ` ${words.count(entered, 'keyword')} entered the top 10, ${words.whole(left)} left it.`
  return `Average position ${words.decimal(average)}, ${compared}.${moves}`
}

function movedCount(keywords: readonly KeywordLine[], into: 'now' | 'before', outOf: 'now' | 'before'): number {
  const isTop = (place: number | null) => place !== null && place > 0 && place <= 10
  return keywords.filter((line) => isTop(line[into]) && line[outOf] !== null && !isTop(line[outOf])).length
}

function competitorsCard(request: ReaderPageRequest, content: SearchContent): Html {
  const { rivals } = content.search
  const ahead = rivals.filter((rival) => (rival.tally.average() ?? 1_000) < (content.search.own.average() ?? 1_000)).length
  const told =
    rivals.length === 0
      ? 'No competitors are tracked for this site.'
      : `${request.words.whole(ahead)} of ${request.words.count(rivals.length, 'competitor')} ${ahead === 1 ? 'has' : 'have'} a better average position.`
  return card(
    html`
      <div class="card-head" id="competitors">
        <h2>Against competitors</h2>
        <a class="no-print" href="${csvPath(request, 'competitors')}" download>Download as CSV</a>
      </div>
      <p class="quiet">${told}</p>
      ${rivals.length === 0 ? null : tableHtml(request.words, competitorsTable(content))}
    `,
    'w12',
  )
}

function backlinksCard(request: ReaderPageRequest, backlinks: readonly NewBacklink[]): Html {
  const shown = request.query.get('links') === 'all' ? backlinks : backlinks.slice(0, mostBacklinks)
  const rows = shown.map(
    (link) =>
      html`
        <tr>
          <th scope="row">${link.domain}</th>
          <td class="wrap">${outsideLink(link.source_url, link.source_url)}</td>
          <td class="wrap"><span dir="auto">${link.anchor_text}</span></td>
          <td class="n">${link.link_strength}</td>
          <td class="n hide-s">${link.domain_authority}</td>
          <td class="n hide-s">${request.words.day(link.found_on)}</td>
        </tr>
      `,
  )
  const table = html`
    <div class="scroll" tabindex="0" role="region" aria-label="Backlinks">
      <table>
        <caption class="sr">Backlinks found in this period</caption>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Page</th>
            <th scope="col">Anchor text</th>
            <th scope="col" class="n">Strength</th>
            <th scope="col" class="n hide-s">Authority</th>
            <th scope="col" class="n hide-s">Found on</th>
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  `
  return card(
    html`
      <div class="card-head" id="backlinks">
        <h2>Backlinks found in this period</h2>
        <a class="no-print" href="${csvPath(request, 'backlinks')}" download>Download as CSV</a>
      </div>
      ${shown.length === 0 ? html`<p class="quiet">No new links were found in this period.</p>` : table}
      ${
        shown.length < backlinks.length
          ? html`
        <p class="pages">
          <a href="${hrefWith(request, { links: 'all' })}#backlinks">Show all ${request.words.count(backlinks.length, 'link')}</a>
        </p>
      `
          : null
      }
    `,
    'w12',
    true,
  )
}

function siteItself({ words }: ReaderPageRequest, { figures, search }: SearchContent): Html {
  const { now } = figures
  const age = now.domain_age === null ? null : `${words.decimal(now.domain_age / 365.25)} years`
  const measured = [
    now.measuredOn ? `Figures last measured ${words.day(now.measuredOn)}.` : 'Figures of the site were never measured.',
    search.own.lastDay() ? `Positions last measured ${words.day(search.own.lastDay() as string)}.` : '',
  ]
  return card(
    html`
      <h2>The site itself</h2>
      <dl class="figures">
        ${[
          ['Domain age', age],
          ['Domain authority', now.domain_authority === null ? null : words.whole(now.domain_authority)],
          ['Linking domains', now.domain_count === null ? null : words.whole(now.domain_count)],
        ].map(([label, value]) => html`<div><dt>${label}</dt><dd>${value ?? html`<span class="quiet">not measured</span>`}</dd></div>`)}
      </dl>
      <p class="note">${measured.join(' ')}</p>
    `,
    'w12',
  )
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
