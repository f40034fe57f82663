/** A site's search page: a summary sentence and a few figures, followed by charts and tables. */

import { notFound } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { idIn } from '../../lib/text-kinds.ts'
import { daysLater } from '../../lib/time/days.ts'
import { listAnnotations } from '../../model/dashboard/annotations.ts'
import type { SourceChoice } from '../../model/dashboard/ranking-series.ts'
import { searchFigures } from '../../model/dashboard/search.ts'
import { siteFigures } from '../../model/dashboard/site.ts'
import { mayEdit, openSite, type ShownSite } from '../../model/people/visible-sites.ts'
import { isPlain } from '../../resources/tracked.ts'
import { chartHtml } from '../charts/frame.ts'
import { segments } from '../components/components.ts'
import { piecesOf, tableAnswer, tableInPieces } from '../components/csv.ts'
import { sourceName } from '../components/names.ts'
import { periodOf } from '../components/period.ts'
import { card, emptyCard, otherHalf, sitePage } from '../components/site-frame.ts'
import { hrefWith, type PageAnswer, type ReaderPageRequest } from '../page-request.ts'
import { annotationForms } from './annotations.ts'
import { siteAveragesCard } from './average-positions.ts'
import { backlinksCard, backlinksCsv } from './backlinks.ts'
import { chosenKeywords } from './keyword-rows.ts'
import { keywordsCard, sourceLabel } from './keywords.ts'
import { aheadCard, changesCards, lowReviewsCard } from './search/changes.ts'
import { competitorsCard } from './search/competitors.ts'
import type { SearchContent } from './search/content.ts'
import { heroHtml } from './search/hero.ts'
import { siteItself } from './search/site-itself.ts'
import { bandsChart, indexedChart, indexedIn, loadTimeChart, newBacklinksChart, positionsChart, strengthChart } from './search-charts.ts'
import { searchLead } from './search-lead.ts'
import { searchOnPaper } from './search-print.ts'
import { keywordsTable, searchTables } from './search-tables.ts'

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
  const isOnPaper = request.query.get('print') === 'all'
  const notes = mayEdit(request.reader, site) ? annotationForms(request, site.id, content.pins, content.period.to) : null
  const changes = html`
    ${changesCards(request, site.id, content)}
    ${await lowReviewsCard(request, site, content)}
    ${aheadCard(request, content)}
  `
  const keywords = keywordsCard(request, site.id, content.search.keywords)
  const links = await backlinksCard(request, site, content, isOnPaper)
  const charts = chartCards(request, content)
  if (isOnPaper) {
    return searchOnPaper(request, content, {
      figures: html`${heroHtml(request, content, null)}${standingNote(content)}`,
      charts: html`${isRanked(content) ? positionCharts(request, content) : nothingInPeriod(request, content)}${siteAveragesCard(request, content.search.averages, content.period)}`,
      changes,
      competitors: competitorsCard(request, content, isOnPaper),
      more: html`${charts.newLinks('w6')}${charts.strength('w6')}${charts.site('w6')}${siteItself(request, content)}`,
      tables: html`${keywords}${links}`,
    })
  }
  return html`
    ${heroHtml(request, content, notes)}
    ${standingNote(content)}
    ${isRanked(content) ? siteAveragesCard(request, content.search.averages, content.period) : nothingInPeriod(request, content)}
    ${changes}
    ${keywords}
    ${competitorsCard(request, content, isOnPaper)}
    ${links}
    ${charts.newLinks('w4')}
    ${charts.strength('w4')}
    ${charts.site('w4')}
    ${siteItself(request, content)}
  `
}

/** The smaller charts, by the width of their cards; an empty one is left out. */
function chartCards(request: ReaderPageRequest, content: SearchContent) {
  const { figures } = content
  const hasLinks = figures.backlinks.ids.length > 0
  const hasDays = (figure: 'download_time' | keyof typeof indexedIn) => figures.days.some((day) => day[figure] !== null)
  const isIndexed = (Object.keys(indexedIn) as (keyof typeof indexedIn)[]).some(hasDays)
  const cardOf = (make: typeof loadTimeChart, width: 'w4' | 'w6') =>
    card(chartHtml(request.words, make(request, content), width === 'w4' ? 4 : 6), width)
  return {
    newLinks: (width: 'w4' | 'w6') => (hasLinks ? cardOf(newBacklinksChart, width) : null),
    strength: (width: 'w4' | 'w6') => (hasLinks ? cardOf(strengthChart, width) : null),
    site: (width: 'w4' | 'w6') =>
      html`${hasDays('download_time') ? cardOf(loadTimeChart, width) : null}${isIndexed ? cardOf(indexedChart, width) : null}`,
  }
}

function isRanked({ search }: SearchContent): boolean {
  return search.own.days().length > 0
}

function positionCharts(request: ReaderPageRequest, content: SearchContent): Html {
  return html`
    ${card(chartHtml(request.words, positionsChart(request, content), 8), 'w8')}
    ${card(chartHtml(request.words, bandsChart(request, content), 4), 'w4')}
  `
}

const daysShown = 90

/** Shown instead of two empty charts: when there was data last, and a link to that period. */
function nothingInPeriod(request: ReaderPageRequest, { search }: SearchContent): Html {
  const { measuredOn } = search
  const then = measuredOn && { from: daysLater(measuredOn, 1 - daysShown), to: measuredOn, days: null, period: null, page: null }
  const told = then
    ? html`Positions were last measured on ${request.words.day(then.to)}. <a class="no-print" href="${hrefWith(request, then)}">Show the ${daysShown} days until then</a>`
    : 'Positions of keywords have not been measured.'
  return card(html`<h2>No positions in this period</h2><p>${told}</p>`, 'w12')
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

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
