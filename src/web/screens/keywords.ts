/** The keywords of the search page: one row per phrase with its engines side by side; searched, filtered, sorted and paged by the query. */

import { type Html, html } from '../../lib/html.ts'
import { type KeywordLine, mostLines, noSource } from '../../model/dashboard/own-lines.ts'
import type { Source } from '../../model/dashboard/ranking-series.ts'
import { afterEveryRank, rankToSort } from '../../model/dashboard/summary/moves.ts'
import { trackedName } from '../../resources/tracked.ts'
import { bands } from '../charts/bands.ts'
import { sparkline } from '../charts/sparkline.ts'
import {
  changeHtml,
  choice,
  keptFields,
  leftOffPaper,
  pageLinks,
  type SortHead,
  showAllOnPhone,
  sliceOf,
  sortHeads,
  sortingOf,
} from '../components/components.ts'
import { csvPath, tableLinks } from '../components/csv.ts'
import { sourceName } from '../components/names.ts'
import { type Change, placesChange, type Words } from '../components/number-format.ts'
import { periodQuery } from '../components/period.ts'
import { card } from '../components/site-frame.ts'
import { hrefWith, type ReaderPageRequest } from '../page-request.ts'
import { bestOf, byMovement, chosenRows, type GridRow, keywordHeads, knownFacts, tagsOf, trendOf } from './keyword-rows.ts'

const rowsAtOnce = 15

/** A wider table could not be read. */
const mostColumns = 12

export function keywordsCard(request: ReaderPageRequest, siteId: number, all: readonly KeywordLine[]): Html {
  const { rows, total } = chosenRows(request, all)
  const slice = sliceOf(request, 'page', rows, rowsAtOnce)
  const amount = request.words.count(total, 'keyword')
  const lastDay = lastDayOf(slice.items)
  return card(
    html`
      <div class="card-head" id="keywords">
        <h2>Keywords</h2>
        ${all.length === 0 ? null : html`<span class="no-print">${tableLinks(csvPath(request, 'keywords'))}</span>`}
      </div>
      ${all.length === 0 ? null : filters(request, tagsOf(all))}
      <div id="keyword-list" data-swap>
        <p class="quiet small" role="status">
          ${rows.length === 0 ? nothingFits(all.length) : isNarrowed(request) ? `${request.words.whole(rows.length)} of ${amount}` : amount}${lastDay === null ? '' : `, measured ${request.words.day(lastDay)} where no other day is named`}
        </p>
        ${rows.length === 0 ? null : grid(request, siteId, slice.items, knownFacts(all))}
        ${showAllOnPhone(request, slice.items.length, '#keywords')}
        ${pageLinks(request, 'page', slice, 'keywords')}
        ${leftOffPaper(request.words, slice.items.length, rows.length, 'keywords')}
        ${slice.items.some(({ facts }) => facts.isSummed) ? html`<p class="note">On days without a total, clicks and impressions are sums over devices and places.</p>` : null}
        ${all.length === mostLines ? html`<p class="note">Only the first ${request.words.whole(mostLines)} places of keywords on engines are listed; the figures above count all.</p>` : null}
      </div>
    `,
    'w12',
    true,
  )
}

function isNarrowed({ query }: ReaderPageRequest): boolean {
  return ['q', 'band', 'tag'].some((name) => query.get(name))
}

function nothingFits(amount: number): string {
  return amount === 0 ? 'No keyword was measured in this time.' : 'No keyword fits.'
}

function filters(request: ReaderPageRequest, tags: readonly string[]): Html {
  const chosen = request.query.get('band')
  const links = bands.map((band) =>
    choice(`${hrefWith(request, { band: band.name, page: null })}#keywords`, band.label, band.name === chosen),
  )
  return html`
    <form class="filters no-print" action="${request.path}#keywords" data-live="#keyword-list">
      ${keptFields(request, ['q', 'page', 'rows', ...(tags.length > 0 ? ['tag'] : [])])}
      <label for="narrow">
        Search these keywords
        <input id="narrow" type="search" name="q" value="${request.query.get('q')}" autocomplete="off">
      </label>
      ${tags.length === 0 ? null : tagChoice(tags, request.query.get('tag'))}
      <button class="button soft">Search</button>
      <nav class="segments" aria-label="Band">
        ${choice(`${hrefWith(request, { band: null, page: null })}#keywords`, 'All', chosen === null)}
        ${links}
      </nav>
    </form>
  `
}

function tagChoice(tags: readonly string[], chosen: string | null): Html {
  return html`
    <label for="by-tag">
      Tag
      <select id="by-tag" name="tag">
        <option value="">Any</option>
        ${tags.map((tag) => html`<option value="${tag}"${tag === chosen ? html` selected` : null}>${tag}</option>`)}
      </select>
    </label>
  `
}

/** Only the sources at which some keyword was measured. */
function sourcesOf(rows: readonly GridRow[]): Source[] {
  const sources = new Map(rows.flatMap((row) => row.lines.map(({ source }) => [source.code, source] as const)))
  sources.delete(noSource.code)
  return [...sources.values()].toSorted((a, b) => (sourceLabel(a, true) < sourceLabel(b, true) ? -1 : 1))
}

export function sourceLabel({ locale, ...tracked }: Source, withLocale: boolean): string {
  const name = trackedName({ ...tracked, engine: sourceName(tracked.engine) })
  return withLocale ? `${name} ${locale}` : name
}

function lastDayOf(rows: readonly GridRow[]): string | null {
  const days = rows.flatMap((row) => row.lines.map((line) => line.measuredOn ?? ''))
  return days.toSorted().at(-1) || null
}

function grid(request: ReaderPageRequest, siteId: number, rows: readonly GridRow[], facts: ReturnType<typeof knownFacts>): Html {
  const lastDay = lastDayOf(rows)
  const measured = sourcesOf(rows)
  const sources = measured.slice(0, mostColumns)
  const withLocale = new Set(sources.map(({ locale }) => locale)).size > 1
  const labels = sources.map((source) => sourceLabel(source, withLocale))
  // A column of days says something only where the day differs from that in the head.
  const isOfDays = rows.some((row) => lastDayOf([row]) !== lastDay)
  const known = keywordHeads(sources).filter(({ key }) => key !== 'measured' || isOfDays)
  const [first, now, ...others] = [...known, ...facts] as [SortHead, SortHead, ...SortHead[]]
  const heads =
    sources.length > 1 ? [first, ...labels.map((label) => ({ key: '', label, isNumber: true })), now, ...others] : [first, now, ...others]
  const sorting = sortingOf(request, heads, byMovement)
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Keywords">
      <table id="keyword-table" class="stacks grid-table${request.query.get('rows') === 'all' ? null : ' top-ten'}">
        <caption class="sr">Keywords with their positions on each engine</caption>
        <thead>${sortHeads(request, heads, sorting, '#keywords')}</thead>
        <tbody>${rows.map((row) => rowHtml(request, siteId, row, { sources, labels, facts, lastDay, isOfDays }))}</tbody>
      </table>
    </div>
    ${measured.length > mostColumns ? html`<p class="note">Only ${mostColumns} of ${measured.length} engines have a column; choose an engine above to see its positions.</p>` : null}
  `
}

interface GridColumns {
  readonly sources: readonly Source[]
  readonly labels: readonly string[]
  readonly facts: ReturnType<typeof knownFacts>
  /** Said in the head of the table, and by a row only where it differs. */
  readonly lastDay: string | null
  readonly isOfDays: boolean
}

function rowHtml(
  request: ReaderPageRequest,
  siteId: number,
  row: GridRow,
  { sources, labels, facts, lastDay, isOfDays }: GridColumns,
): Html {
  const { words } = request
  const path = `/sites/${siteId}/keywords/${row.keywordId}${periodQuery(request)}`
  const best = row.lines.toSorted((a, b) => (a.best ?? afterEveryRank) - (b.best ?? afterEveryRank))[0]
  const measured = lastDayOf([row])
  const cells =
    sources.length > 1
      ? sources.map((source, index) =>
          cellHtml(
            words,
            row.lines.find((line) => line.source.code === source.code),
            labels[index] as string,
            true,
          ),
        )
      : []
  const leading = row.lines.toSorted((a, b) => rankToSort(a.now) - rankToSort(b.now))[0]
  return html`
    <tr>
      <th scope="row" title="${row.phrase}"><a class="rowlink" href="${path}" data-opens dir="auto">${row.phrase}</a>${tagList(row.facts.tags)}</th>
      ${cells}
      ${cellHtml(words, leading, sources.length > 1 ? 'Best now' : 'Now', false, sources.length > 1 ? 'hide-s' : '')}
      <td class="n${sources.length > 1 ? ' hide-s' : null}" data-l="Change">${changeHtml(rankChange(words, bestOf(row)))}</td>
      <td class="n hide-m">${best?.best ? html`${words.whole(best.best)}<small>${bestDay(words, best.bestOn as string, measured ?? '')}</small>` : null}</td>
      <td class="trend">${sparkline(trendOf(row))}</td>
      ${isOfDays ? html`<td class="hide-m">${measured === lastDay || measured === null ? null : words.day(measured)}</td>` : null}
      ${facts.map(({ factOf }) => factCell(words, factOf(row.facts)))}
    </tr>
  `
}

/** With the year if it is not that of the last measurement. */
function bestDay(words: Words, day: string, measuredOn: string): string {
  return day.slice(0, 4) === measuredOn.slice(0, 4) ? words.shortDay(day) : words.day(day)
}

/** Empty if unknown. */
function factCell(words: Words, fact: number | null): Html {
  return html`<td class="n hide-m">${fact === null ? null : words.whole(fact)}</td>`
}

function tagList(tags: readonly string[]): Html | null {
  return tags.length === 0 ? null : html`<small class="tags" dir="auto">${tags.join(', ')}</small>`
}

/** Empty if the keyword was never measured at this source. */
function cellHtml(words: Words, line: KeywordLine | undefined, label: string, withChange: boolean, mark = ''): Html {
  return html`
    <td class="n ${mark}" data-l="${label}">
      ${line ? rankHtml(words, line) : null}
      ${line && withChange ? changeHtml(rankChange(words, line), 'only if any') : null}
    </td>
  `
}

function rankHtml(words: Words, { now, measuredOn, lostSince }: KeywordLine): Html {
  if (now === null)
    return html`<span class="quiet" title="${measuredOn ? `not measured since ${words.day(measuredOn)}` : 'not measured'}">not measured</span>`
  if (now === 0) return html`<span class="quiet" title="${lostSince ? `since ${words.day(lostSince)}` : ''}">not found</span>`
  return html`<b class="rank">${words.whole(now)}</b>`
}

export function rankChange(words: Words, { now, before, lostSince }: Pick<KeywordLine, 'now' | 'before' | 'lostSince'>): Change | null {
  const since = lostSince ? ` since ${words.day(lostSince)}` : ''
  if (now === 0 && before) return { arrow: 'down', tone: 'worse', short: 'lost', words: `not found${since}` }
  if (before === 0 && now) return { arrow: 'up', tone: 'better', short: 'found', words: 'found again' }
  return now === 0 ? null : placesChange(words, now, before)
}
