/** The keyword table of the search page, and the history of one keyword. */

import { type Html, html } from '../../lib/html.ts'
import { type DayPlace, type KeywordHistory, keywordHistory } from '../../model/dashboard/keyword-history.ts'
import type { KeywordLine } from '../../model/dashboard/search.ts'
import { openSite } from '../../model/people/visible-sites.ts'
import { placeBetween } from '../charts/axes.ts'
import { bandOf, bands } from '../charts/bands.ts'
import { type Chart, chartHtml } from '../charts/frame.ts'
import { type ChartSeries, drawRanks } from '../charts/line.ts'
import { sparkline } from '../charts/sparkline.ts'
import { changeHtml, periodPicker, type SortHead, sorted, sortHeads, sortingOf } from '../components/components.ts'
import { csvPath } from '../components/csv.ts'
import { framed } from '../components/layout.ts'
import { placesChange, type Words } from '../components/number-format.ts'
import { type ChosenPeriod, periodOf, periodQuery } from '../components/period.ts'
import { card } from '../components/site-frame.ts'
import type { Cell, Column, PageTable } from '../components/tables.ts'
import { hrefWith, idFrom, type PageAnswer, type ReaderPageRequest } from '../page-request.ts'

/** Not found stands behind every place. */
const behindAll = 101
const mostRows = 300

// biome-ignore format: a table reads by its columns
const heads: readonly (SortHead & { keyOf: (line: KeywordLine) => string | number | null })[] = [
  { key: 'keyword', label: 'Keyword',       keyOf: line => line.phrase },
  { key: 'engine',  label: 'Engine',        keyOf: line => line.engine },
  { key: 'locale',  label: 'Locale',        keyOf: line => line.locale, mark: 'hide-s' },
  { key: 'now',     label: 'Now',           keyOf: line => placeOrBehind(line.now), isNumber: true },
  { key: 'change',  label: 'Change',        keyOf: line => gainOf(line), isNumber: true, first: 'down' },
  { key: 'best',    label: 'Best',          keyOf: line => line.best, isNumber: true, mark: 'hide-s' },
  { key: 'movers',  label: 'Trend',         keyOf: line => { const gain = gainOf(line); return gain === null ? null : Math.abs(gain) }, first: 'down' },
  { key: 'measured', label: 'Last measured', keyOf: line => line.measuredOn, first: 'down', mark: 'hide-m' },
]

export function keywordsCard(request: ReaderPageRequest, siteId: number, all: readonly KeywordLine[]): Html {
  const sorting = sortingOf(request, heads, { key: 'keyword', order: 'up' })
  const keyOf = heads.find((head) => head.key === sorting.key)?.keyOf ?? ((line: KeywordLine) => line.phrase)
  const lines = sorted(all.filter(inBand(request.query.get('band'))), keyOf, sorting.order)
  const shown = request.query.get('rows') === 'all' ? lines : lines.slice(0, mostRows)
  const period = periodQuery(request).slice(1)
  const links = { path: `/sites/${siteId}/keywords/`, period: period === '' ? '' : `${period}&` }
  return card(
    html`
      <div class="card-head" id="keywords">
        <h2>Keywords</h2>
        <a class="no-print" href="${csvPath(request, 'keywords')}" download>Download as CSV</a>
      </div>
      <div class="filters no-print">
        <label class="needs-js" for="narrow">
          Search these keywords
          <input id="narrow" type="search" data-filter="#keyword-table" data-count="#shown" autocomplete="off">
        </label>
        ${bandChoice(request)}
        <a href="${hrefWith(request, { sort: 'movers', order: 'down' })}#keywords">Movers first</a>
        <span id="shown" class="quiet" role="status"></span>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label="Keywords">
        <table id="keyword-table" data-sortable>
          <caption class="sr">Keywords with their positions</caption>
          <thead>${sortHeads(request, heads, sorting)}</thead>
          <tbody>
            ${shown.map((line) => lineHtml(request, links, line))}
          </tbody>
        </table>
      </div>
      ${
        lines.length === 0
          ? html`
        <p class="quiet">
          ${all.length === 0 ? 'No keyword was measured here. Whoever delivers the data for this site can add keywords.' : 'No keyword stands in this band.'}
        </p>
      `
          : null
      }
      ${
        shown.length < lines.length
          ? html`
        <p class="pages">
          <a href="${hrefWith(request, { rows: 'all' })}#keywords">Show all ${request.words.count(lines.length, 'keyword')}</a>
        </p>
      `
          : null
      }
    `,
    'w12',
    true,
  )
}

function bandChoice(request: ReaderPageRequest): Html {
  const chosen = request.query.get('band')
  const links = bands.map(
    (band) =>
      html`
        <a href="${hrefWith(request, { band: band.name })}#keywords"${band.name === chosen ? html` aria-current="true"` : null}>
          ${band.label}
        </a>
      `,
  )
  return html`
    <nav class="segments" aria-label="Band">
      <a href="${hrefWith(request, { band: null })}#keywords"${chosen === null ? html` aria-current="true"` : null}>All</a>
      ${links}
    </nav>
  `
}

function inBand(name: string | null): (line: KeywordLine) => boolean {
  const band = bands.findIndex((one) => one.name === name)
  return (line) => band < 0 || (line.now !== null && bandOf(line.now) === band)
}

function lineHtml({ words }: ReaderPageRequest, links: { path: string; period: string }, line: KeywordLine): Html {
  const named = `engine=${encodeURIComponent(line.engine)}&locale=${encodeURIComponent(line.locale)}`
  return html`
    <tr>
      <th scope="row">
        <a class="rowlink" href="${links.path}${line.keywordId}?${links.period}${named}" data-opens>${line.phrase}</a>
      </th>
      <td>${line.engine}</td>
      <td class="hide-s">${line.locale}</td>
      <td class="n" data-v="${placeOrBehind(line.now)}">${placeText(words, line.now)}</td>
      <td class="n" data-v="${gainOf(line)}">${changeHtml(changeOf(words, line))}</td>
      <td class="n hide-s" data-v="${line.best}">
        ${line.best === null ? null : html`${line.best}<small>${words.shortDay(line.bestOn as string)}</small>`}
      </td>
      <td data-v="${Math.abs(gainOf(line) ?? 0)}">${sparkline(line.slots)}</td>
      <td class="hide-m" data-v="${line.measuredOn}">${line.measuredOn ? words.day(line.measuredOn) : null}</td>
    </tr>
  `
}

function placeOrBehind(place: number | null): number | null {
  return place === 0 ? behindAll : place
}

function gainOf({ now, before }: KeywordLine): number | null {
  return now === null || before === null ? null : (placeOrBehind(before) as number) - (placeOrBehind(now) as number)
}

function changeOf(words: Words, { now, before }: KeywordLine) {
  if (now === 0 && before) return { direction: 'worse', short: 'lost', words: 'no longer found in the first 100 results' } as const
  if (before === 0 && now) return { direction: 'better', short: 'new', words: 'found again' } as const
  return placesChange(words, now, before)
}

function placeText(words: Words, place: number | null): string {
  if (place === null) return 'not measured'
  return place === 0 ? 'not found' : words.whole(place)
}

export async function showKeyword(request: ReaderPageRequest): Promise<PageAnswer> {
  const { reader } = request
  const period = periodOf(request)
  const site = await openSite(reader, idFrom(request.params['site_id']))
  const named = {
    keywordId: idFrom(request.params['keyword_id']),
    engine: request.query.get('engine') ?? '',
    locale: request.query.get('locale') ?? '',
  }
  const history = await keywordHistory(reader, site, named, period)
  const main = html`
    <p class="crumb">
      <a href="/sites/${site.id}/search${periodQuery(request)}">${site.domain}</a>
    </p>
    <h1>${history.phrase}</h1>
    <p class="quiet">${history.engine} · ${history.locale}</p>
    ${periodPicker(request, period)}
    <div class="grid">
      ${card(chartHtml(request.words, historyChart(request.words, site.domain, history, period)), 'w12')}
    </div>
  `
  return {
    body: framed(request, { title: `${history.phrase} · ${site.domain}`, main, printed: request.words.span(period.from, period.to) }),
  }
}

function historyChart(words: Words, domain: string, history: KeywordHistory, period: ChosenPeriod): Chart {
  const rivals = history.rivals.slice(0, 3)
  const series = [
    seriesOf(domain, 'own', history.own),
    ...rivals.map((rival, index) => seriesOf(rival.domain, `rival-${index + 1}`, rival.places)),
  ]
  const last = history.own.at(-1)
  const lost = history.own.filter(({ rank }) => rank === 0).length
  return {
    id: `history-${domain.length}-${history.own.length}`,
    title: `Position of “${history.phrase}” on ${history.engine}, ${history.locale}`,
    summary: last
      ? `${last.rank === 0 ? 'Not found in the first 100 results' : `Position ${words.whole(last.rank)}`} on ${words.day(last.day)}.`
      : 'Not measured in this period.',
    notes: lost > 0 ? [`Not found in the first 100 results on ${words.count(lost, 'day')}; the line is broken there.`] : [],
    keys: series.map(({ label, mark }) => ({ label, mark, shape: 'line' as const })),
    table: historyTable(domain, history, period),
    draw: (size) => drawRanks(words, period, series, size),
  }
}

function seriesOf(label: string, mark: string, places: readonly DayPlace[]): ChartSeries {
  return { label, mark, points: places.flatMap(({ day, rank }) => (rank === 0 ? [] : [{ day, value: rank }])) }
}

function historyTable(domain: string, history: KeywordHistory, period: ChosenPeriod): PageTable {
  const lines = [{ domain, places: history.own }, ...history.rivals.slice(0, 3)]
  const byDay = lines.map(({ places }) => new Map(places.map(({ day, rank }) => [day, rank === 0 ? 'not found' : String(rank)])))
  const days = [...new Set(byDay.flatMap((one) => [...one.keys()]))].toSorted()
  const columns: Column[] = [
    { label: 'Day', kind: 'day' },
    ...lines.map((line): Column => ({ label: line.domain, kind: 'text', empty: 'not measured' })),
  ]
  const rows = days.map((day): Cell[] => [day, ...byDay.map((one) => one.get(day) ?? null)])
  return { caption: 'Positions by day', columns, rows, at: days.map((day) => placeBetween(period.from, period.to, day)) }
}
