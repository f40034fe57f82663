/** One keyword: its ranks day by day on each engine, or on one engine compared with the competitors. */

import { html } from '../../lib/html.ts'
import { idIn } from '../../lib/text-kinds.ts'
import type { KeywordFacts } from '../../model/dashboard/keyword-facts.ts'
import { type DayRank, type KeywordHistory, keywordHistory } from '../../model/dashboard/keyword-history.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import type { Source } from '../../model/dashboard/ranking-series.ts'
import { mostRivalLines } from '../../model/dashboard/search.ts'
import { openSite } from '../../model/people/visible-sites.ts'
import { placeBetween } from '../charts/axes.ts'
import { type Chart, chartHtml } from '../charts/frame.ts'
import { type ChartSeries, drawAmounts, drawRanks, type Missing } from '../charts/line.ts'
import { choice, outsideLink } from '../components/components.ts'
import { framed } from '../components/layout.ts'
import { domainName } from '../components/names.ts'
import type { Words } from '../components/number-format.ts'
import { periodOf, periodQuery } from '../components/period.ts'
import { describe, periodPicker } from '../components/period-picker.ts'
import { card, gapNote } from '../components/site-frame.ts'
import type { Cell, Column, PageTable } from '../components/tables.ts'
import { hrefWith, type PageAnswer, type ReaderPageRequest } from '../page-request.ts'
import { keywordAveragesCard, periodsCard } from './average-positions.ts'
import { sourceLabel } from './keywords.ts'
import { choiceIn } from './search.ts'

/** A wider table could not be read; the choice of an engine shows the others. */
const mostColumns = 12

/** More columns could not be read. */
const mostDevices = 6

interface NamedRanks {
  readonly label: string
  readonly ranks: readonly DayRank[]
}

export async function showKeyword(request: ReaderPageRequest): Promise<PageAnswer> {
  const { reader } = request
  const site = await openSite(reader, idIn(request.params['site_id']))
  const period = periodOf(request, site.time_zone)
  const keywordId = idIn(request.params['keyword_id'])
  const history = await keywordHistory(reader, site, { keywordId, ...choiceIn(request), period, zone: site.time_zone })
  const [domain, span] = [domainName(site.domain), request.words.span(period.from, period.to)]
  const main = html`
    <p class="crumb"><a href="/sites/${site.id}/search${periodQuery(request)}#keywords">${domain}</a></p>
    <h1 dir="auto">${history.phrase}</h1>
    ${factsHtml(request.words, history.facts)}
    ${periodPicker(request, period, html`<span class="quiet small">${describe(request, period)}</span>`)}
    ${sourceChoices(request, history)}
    <div class="grid">${card(chartHtml(request.words, historyChart(request.words, domain, keywordId, history, period), 12), 'w12')}${keywordAveragesCard(request.words, history.averages, period)}${clicksCard(request, history, period)}${periodsCard(request.words, history.periods)}</div>
  `
  return { body: framed(request, { title: `${history.phrase} · ${domain}`, main, printed: `${domain} · ${history.phrase} · ${span}` }) }
}

/** Shows only what is known. */
function factsHtml(words: Words, { searchVolume, tags, page }: KeywordFacts) {
  const told = [
    searchVolume === null ? null : html`<span>${words.count(searchVolume, 'search', 'searches')} a month</span>`,
    tags.length === 0 ? null : html`<span dir="auto">${tags.length === 1 ? 'Tag' : 'Tags'}: ${tags.join(', ')}</span>`,
    page === null ? null : html`<span>Page that ranks: ${outsideLink(page, page)}</span>`,
  ].filter((one) => one !== null)
  return told.length === 0 ? null : html`<p class="quiet facts">${told.map((one, i) => html`${i > 0 ? ' · ' : null}${one}`)}</p>`
}

function clicksCard({ words }: ReaderPageRequest, { facts }: KeywordHistory, period: ChosenPeriod) {
  if (facts.clicks === null || facts.impressions === null) return null
  const points = facts.clickDays.map(({ day, clicks }) => ({ day, value: clicks }))
  const devices = [...new Set(facts.clickDays.flatMap(({ devices }) => Object.keys(devices)))].toSorted().slice(0, mostDevices)
  const chart: Chart = {
    id: 'clicks',
    title: 'Clicks from search',
    summary: `${words.count(facts.clicks, 'click')} of ${words.count(facts.impressions, 'impression')} in this period.${facts.isSummed ? ' On days without a total, it is the sum over devices and places.' : ''}`,
    table: {
      caption: 'Clicks and impressions by day',
      columns: [
        { label: 'Day', kind: 'day' },
        { label: 'Clicks', kind: 'whole' },
        { label: 'Impressions', kind: 'whole' },
        ...devices.map((device): Column => ({ label: `Clicks on ${device}`, kind: 'whole' })),
      ],
      rows: facts.clickDays.map((one) => [one.day, one.clicks, one.impressions, ...devices.map((device) => one.devices[device] ?? null)]),
      at: facts.clickDays.map(({ day }) => placeBetween(period.from, period.to, day)),
    },
    draw: (size) => drawAmounts(words, period, [{ label: 'Clicks', mark: 'own', points }], size, words.whole),
  }
  return card(chartHtml(words, chart, 12), 'w12')
}

function sourceChoices(request: ReaderPageRequest, { sources, source }: KeywordHistory) {
  if (sources.length < 2) return null
  const links = sources.map((one) => choice(hrefWith(request, placeOf(one)), sourceLabel(one, true), one.code === source?.code))
  return html`
    <div class="bar-row">
      <nav class="segments" aria-label="Engine">
        ${choice(hrefWith(request, { engine: null, locale: null, device: null, location: null }), 'All', source === null)}
        ${links}
      </nav>
    </div>
  `
}

/** The query that chooses a source; without device and location, those that have none are meant. */
function placeOf({ engine, locale, device, location }: Source): Record<string, string | null> {
  return { engine, locale, device: device || null, location: location || null }
}

/** At one source the site and its competitors, otherwise the site at each of its sources. */
function linesOf(domain: string, history: KeywordHistory): NamedRanks[] {
  if (history.source === null)
    return history.own.slice(0, mostColumns).map(({ source, ranks }) => ({ label: sourceLabel(source, true), ranks }))
  const rivals = history.rivals.slice(0, mostRivalLines).map((rival) => ({ label: domainName(rival.domain), ranks: rival.ranks }))
  return [{ label: domain, ranks: history.own[0]?.ranks ?? [] }, ...rivals]
}

function historyChart(words: Words, domain: string, keywordId: number, history: KeywordHistory, period: ChosenPeriod): Chart {
  const lines = linesOf(domain, history)
  const series = lines.slice(0, 4).map(
    ({ label, ranks }, index): ChartSeries => ({
      label,
      mark: index === 0 ? 'own' : `rival-${index}`,
      points: ranks.map(({ day, rank }) => ({ day, value: rank === 0 ? null : rank })),
    }),
  )
  const missing = missingDays(history)
  const id = `history-${keywordId}`
  return {
    id,
    title: history.source
      ? `Position of “${history.phrase}” on ${sourceLabel(history.source, true)}`
      : `Position of “${history.phrase}” on each engine`,
    summary: lines.length === 0 ? 'Not measured in this period.' : summaryOf(words, history),
    notes: [...missingNote(words, history), ...gapNotes(words, history)],
    keys: [
      ...series.map(({ label, mark }) => ({ label, mark, shape: 'line' as const })),
      ...(missing.length > 0 ? [{ label: 'Not found', mark: 'band-7', shape: 'area' as const }] : []),
    ],
    table: historyTable(lines, period),
    draw: (size) => drawRanks(words, period, series, missing, size, id),
  }
}

/** The current rank of the site at each source, and since when it has not been found. */
function summaryOf(words: Words, { own }: KeywordHistory): string {
  const told = own.map(({ source, ranks }) => {
    const last = ranks.at(-1) as DayRank
    const found = ranks.findLastIndex(({ rank }) => rank > 0)
    const since = ranks[found + 1]?.day ?? last.day
    const where = own.length > 1 ? ` on ${sourceLabel(source, true)}` : ''
    return last.rank === 0 ? `Not found${where} since ${words.day(since)}.` : `${words.whole(last.rank)}${where} on ${words.day(last.day)}.`
  })
  return told.join(' ')
}

/** The days of each source by itself: a day without a find on one engine may be one with a find on another. */
function missingNote(words: Words, { own }: KeywordHistory): string[] {
  const told = own.flatMap(({ source, ranks }) => {
    const days = ranks.filter(({ rank }) => rank === 0).length
    return days === 0 ? [] : [`${words.count(days, 'day')}${own.length > 1 ? ` on ${sourceLabel(source, true)}` : ''}`]
  })
  return told.length === 0 ? [] : [`Striped: not found, or only after the first thousand results, on ${told.join(', ')}.`]
}

/** What all sources lack is told once. */
function gapNotes(words: Words, { own }: KeywordHistory): string[] {
  const notes = own.map(({ source, ranks }) =>
    gapNote(
      words,
      ranks.map(({ day, rank }) => ({ day, value: rank })),
      ` on ${sourceLabel(source, true)}`,
    ),
  )
  const all = [...new Set(own.flatMap(({ ranks }) => ranks.map(({ day }) => day)))].toSorted().map((day) => ({ day, value: 0 }))
  const shared = gapNote(words, all)
  const isSame = own.length > 0 && own.every(({ ranks }) => ranks.length === all.length)
  return isSame ? shared : [...shared, ...notes.flat()]
}

/** Each day with the share of the sources on which the site was not found. */
function missingDays({ own }: KeywordHistory): Missing[] {
  const byDay = Map.groupBy(
    own.flatMap(({ ranks }) => ranks),
    ({ day }) => day,
  )
  return [...byDay]
    .map(([day, ranks]) => ({ day, share: ranks.filter(({ rank }) => rank === 0).length / ranks.length }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

function historyTable(lines: readonly NamedRanks[], period: ChosenPeriod): PageTable {
  const byDay = lines.map(({ ranks }) => new Map(ranks.map(({ day, rank }): [string, Cell] => [day, rank === 0 ? 'not found' : rank])))
  const days = [...new Set(byDay.flatMap((one) => [...one.keys()]))].toSorted()
  const columns: Column[] = [
    { label: 'Day', kind: 'day' },
    ...lines.map(({ label }): Column => ({ label, kind: 'whole', empty: 'not measured', isPlace: true })),
  ]
  const rows = days.map((day): Cell[] => [day, ...byDay.map((one) => one.get(day) ?? null)])
  return { caption: 'Positions by day', columns, rows, at: days.map((day) => placeBetween(period.from, period.to, day)) }
}
