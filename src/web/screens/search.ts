/** A site's search page: a summary sentence and a few figures, followed by charts and tables. */

import { notFound } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { idIn } from '../../lib/text-kinds.ts'
import { daysLater } from '../../lib/time/days.ts'
import { listAnnotations } from '../../model/dashboard/annotations.ts'
import type { SourceChoice } from '../../model/dashboard/ranking-series.ts'
import { mostRivals, searchFigures } from '../../model/dashboard/search.ts'
import { siteFigures } from '../../model/dashboard/site.ts'
import { mayEdit, openSite, type ShownSite } from '../../model/people/visible-sites.ts'
import { isPlain } from '../../resources/tracked.ts'
import { chartHtml } from '../charts/frame.ts'
import { figureList, figuresHtml, segments } from '../components/components.ts'
import { csvPath, piecesOf, tableAnswer, tableInPieces, tableLinks } from '../components/csv.ts'
import { sourceName } from '../components/names.ts'
import { periodOf } from '../components/period.ts'
import { card, emptyCard, otherHalf, sitePage } from '../components/site-frame.ts'
import { stackedTable } from '../components/tables.ts'
import { hrefWith, type PageAnswer, type ReaderPageRequest } from '../page-request.ts'
import { annotationForms } from './annotations.ts'
import { siteAveragesCard } from './average-positions.ts'
import { backlinksCard, backlinksCsv } from './backlinks.ts'
import { chosenKeywords } from './keyword-rows.ts'
import { keywordsCard, sourceLabel } from './keywords.ts'
import { aheadCard, changesCards, lowReviewsCard } from './search/changes.ts'
import { visibilityHtml } from './search/visibility.ts'
import { bandsChart, indexedChart, indexedIn, loadTimeChart, newBacklinksChart, positionsChart, strengthChart } from './search-charts.ts'
import { searchFigureList, searchLead } from './search-lead.ts'
import { searchOnPaper } from './search-print.ts'
import { competitorsTable, keywordsTable, type SearchContent, searchTables } from './search-tables.ts'

export async function showSearch(request: ReaderPageRequest): Promise<PageAnswer> {
  const { site, content } = await readSearch(request)
  const { period } = content
  const main = hasNothing(content)
    ? emptyCard(html`${period.isOver ? nothingByThen(request, period.to) : nothingMeasured}${await otherHalf(request, site, 'reputation')}`)
    : await mainOf(request, site, content)
  return sitePage(request, { site, period, tab: 'search', lead: searchLead(request, content), main, choices: choicesOf(request, content) })
}

/** Nothing but competitors, or nothing at all. */
export function hasNothing({ search, figures }: SearchContent): boolean {
  const hasKeywords = search.measuredOn !== null || search.keywords.length > 0 || search.averages.length > 0
  return !hasKeywords && figures.now.measuredOn === null && figures.lastBacklinkOn === null
}

const nothingMeasured = html`
  <h2>Nothing has been measured yet</h2>
  <p>
    As soon as positions of keywords, links or figures of this site are delivered, they are shown here.
    The person who set up this account knows when that begins.
  </p>
`

/** There may be measurements after the period. */
function nothingByThen(request: ReaderPageRequest, day: string): Html {
  const today = hrefWith(request, { from: null, to: null, days: null, period: null, page: null })
  return html`
    <h2>Nothing had been measured by ${request.words.day(day)}</h2>
    <p class="no-print"><a href="${today}">Show the last ${daysShown} days</a></p>
  `
}

function choicesOf(request: ReaderPageRequest, { search }: SearchContent): Html {
  const of = (field: keyof SourceChoice) => unique(search.sources.map((source) => source[field]))
  // Those without a device are no choice of their own, but make one device a choice.
  const told = (label: string, field: 'device' | 'location') => {
    const names = of(field).filter((name) => name !== '')
    return segments(request, label, field, names.slice(0, mostNames), String, of(field).length > names.length ? 1 : 2)
  }
  return html`
    ${segments(request, 'Engine', 'engine', of('engine'), sourceName)}
    ${segments(request, 'Locale', 'locale', of('locale'))}
    ${told('Device', 'device')}
    ${told('Location', 'location')}
    ${search.sources.every(isPlain) ? null : segments(request, 'Lines', 'series', ['all'], () => 'Each device and location', 1)}
  `
}

/** A longer choice could not be used; the address of the page takes any. */
const mostNames = 12

/** Which series the figures count, where these are not simply all there is. */
function standingNote({ search: { standing } }: SearchContent): Html | null {
  if (standing.length === 0) return null
  const names = standing.slice(0, mostStanding).map((source) => sourceLabel(source, true))
  const rest = standing.length > names.length ? ` and ${standing.length - names.length} more` : ''
  return html`<p class="note">Of each keyword, engine and locale the figures take one series, here also ${names.join(', ')}${rest}.</p>`
}

const mostStanding = 3

async function mainOf(request: ReaderPageRequest, site: ShownSite, content: SearchContent): Promise<Html> {
  const { words } = request
  // What was never measured takes no cell.
  const figures = searchFigureList(request, content).filter(({ value, note }) => value !== null || note !== undefined)
  const notes = notesOf(request, site, content)
  const hasLinks = content.figures.backlinks.ids.length > 0
  // An empty chart is left out; the figures below say what was not measured.
  const hasDays = (figure: 'download_time' | keyof typeof indexedIn) => content.figures.days.some((day) => day[figure] !== null)
  const isIndexed = (Object.keys(indexedIn) as (keyof typeof indexedIn)[]).some(hasDays)
  const parts = {
    figures: figures.length > 0 ? html`${figuresHtml(figures, visibilityHtml(request, content))}${standingNote(content)}` : null,
    charts: html`
      ${isRanked(content) ? positionCharts(request, content, notes) : nothingInPeriod(request, content, notes)}
      ${siteAveragesCard(request, content.search.averages, content.period)}
    `,
    changes: html`
      ${changesCards(request, site.id, content)}
      ${await lowReviewsCard(request, site, content)}
      ${aheadCard(request, content)}
    `,
    keywords: keywordsCard(request, site.id, content.search.keywords),
    competitors: competitorsCard(request, content),
    linkCharts: html`
      ${hasLinks ? card(chartHtml(words, newBacklinksChart(request, content), 6), 'w6') : null}
      ${hasLinks ? card(chartHtml(words, strengthChart(request, content), 6), 'w6') : null}
    `,
    links: await backlinksCard(request, site, content),
    siteCharts: html`
      ${hasDays('download_time') ? card(chartHtml(words, loadTimeChart(request, content), 6), 'w6') : null}
      ${isIndexed ? card(chartHtml(words, indexedChart(request, content), 6), 'w6') : null}
      ${siteItself(request, content)}
    `,
  }
  if (request.query.get('print') === 'all') {
    const more = html`${parts.linkCharts}${parts.siteCharts}`
    return searchOnPaper(request, content, { ...parts, more, tables: html`${parts.keywords}${parts.links}` })
  }
  return html`${parts.figures}${parts.charts}${parts.changes}${parts.keywords}${parts.competitors}${parts.linkCharts}${parts.links}${parts.siteCharts}`
}

function isRanked({ search }: SearchContent): boolean {
  return search.own.days().length > 0
}

/** The forms for annotations, for the owner of the account. */
function notesOf(request: ReaderPageRequest, site: ShownSite, { pins, period }: SearchContent): Html | null {
  return mayEdit(request.reader, site) ? annotationForms(request, site.id, pins, period.to) : null
}

function positionCharts(request: ReaderPageRequest, content: SearchContent, notes: Html | null): Html {
  return html`
    ${card(html`${chartHtml(request.words, positionsChart(request, content), 8)}${notes}`, 'w8')}
    ${card(chartHtml(request.words, bandsChart(request, content), 4), 'w4')}
  `
}

const daysShown = 90

/** Shown instead of two empty charts: when there was data last, and a link to that period. */
function nothingInPeriod(request: ReaderPageRequest, { search }: SearchContent, notes: Html | null): Html {
  const { measuredOn } = search
  const then = measuredOn && { from: daysLater(measuredOn, 1 - daysShown), to: measuredOn, days: null, period: null, page: null }
  const told = then
    ? html`Positions were last measured on ${request.words.day(then.to)}. <a class="no-print" href="${hrefWith(request, then)}">Show the ${daysShown} days until then</a>`
    : 'Positions of keywords have not been measured.'
  return card(html`<h2>No positions in this period</h2><p>${told}</p>${notes}`, 'w12')
}

export async function searchCsv(request: ReaderPageRequest): Promise<PageAnswer> {
  const name = request.query.get('table') ?? ''
  if (name === 'backlinks') return backlinksCsv(request, await openedSite(request))
  const make = Object.entries(searchTables).find(([known]) => known === name)?.[1]
  if (make === undefined && name !== 'keywords') notFound('page')
  const { site, content } = await readSearch(request)
  const file = `${site.domain}-${name}`
  return make
    ? tableAnswer(request, file, make(content))
    : tableInPieces(request, file, piecesOf(chosenKeywords(request, content.search.keywords)), keywordsTable)
}

async function openedSite(request: ReaderPageRequest) {
  const site = await openSite(request.reader, idIn(request.params['site_id']))
  return { site, period: periodOf(request, site.time_zone) }
}

/** The data of the page, from which mails are made too. */
export async function readSearch(request: ReaderPageRequest) {
  const { reader } = request
  const { site, period } = await openedSite(request)
  const isSplit = request.query.get('series') === 'all'
  const search = await searchFigures(reader, site, { period, ...choiceIn(request), isSplit, zone: site.time_zone })
  const figures = await siteFigures(reader, site, period)
  const rivals = request.query.get('rivals')
  // Lines of competitors are shown by default only if all of them cover the same keywords.
  const withRivals = search.shared !== null && (rivals === 'on' || (rivals !== 'off' && search.shared.pairs === search.pairs))
  const content: SearchContent = {
    period,
    domain: site.domain,
    search,
    figures,
    withRivals,
    pins: await listAnnotations(reader, site, period),
  }
  return { site, content }
}

/** The engine, locale, device and location that a page is asked for. */
export function choiceIn({ query }: ReaderPageRequest): SourceChoice {
  const asked = (name: string) => query.get(name) || null
  return { engine: asked('engine'), locale: asked('locale'), device: asked('device'), location: asked('location') }
}

function competitorsCard(request: ReaderPageRequest, content: SearchContent): Html | null {
  const { rivals } = content.search
  if (rivals.length === 0) return null
  const ahead = rivals.filter((rival) => (rival.visibility ?? 0) > (rival.ownVisibility ?? 0)).length
  const compared = rivals.filter((rival) => rival.compared > 0).length
  const told =
    compared === 0
      ? 'No keyword is measured both for this site and for a competitor.'
      : `${request.words.whole(ahead)} of ${request.words.count(compared, 'competitor')} ${ahead === 1 ? 'is' : 'are'} more visible than this site, each on the keywords measured for both.`
  return card(
    html`
      <div class="card-head" id="competitors">
        <h2>Against competitors</h2>
        <span class="no-print">${tableLinks(csvPath(request, 'competitors'))}</span>
      </div>
      <p class="quiet">${told}${rivals.length === mostRivals ? ` Only the first ${mostRivals} competitors are compared here.` : ''}</p>
      ${stackedTable(request.words, competitorsTable(content))}
    `,
    'w12',
  )
}

function siteItself({ words }: ReaderPageRequest, { figures, search }: SearchContent): Html {
  const { now } = figures
  const age = now.domain_age === null ? null : `${words.decimal(now.domain_age / 365.25)} years`
  const authority = now.hasNoAuthority ? 'none' : now.domain_authority === null ? null : words.whole(now.domain_authority)
  const measured = [
    now.measuredOn ? `Figures last measured ${words.day(now.measuredOn)}.` : 'Figures of the site have not been measured.',
    search.measuredOn ? `Positions last measured ${words.day(search.measuredOn)}.` : 'Positions have not been measured.',
  ]
  const list = [
    { label: 'Domain age', value: age },
    { label: 'Domain authority', value: authority },
    { label: 'Linking domains', value: now.domain_count === null ? null : words.whole(now.domain_count) },
  ]
  // One sentence instead of three empty figures.
  const isKnown = list.some(({ value }) => value !== null)
  return card(html`<h2>The site itself</h2>${isKnown ? figureList(list) : null}<p class="note">${measured.join(' ')}</p>`, 'w12')
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
