/** The first page: every site a person may show, those that need someone first. */

import { type Html, html } from '../../lib/html.ts'
import { type HomeLine, homeFigures } from '../../model/dashboard/home.ts'
import { findSites, isOpenTo } from '../../model/people/visible-sites.ts'
import { sparkline } from '../charts/sparkline.ts'
import { changeHtml, periodPicker, type SortHead, sorted, sortHeads, sortingOf } from '../components/components.ts'
import { csvAnswer } from '../components/csv.ts'
import { framed } from '../components/layout.ts'
import { amountChange, positionChange, ratingChange } from '../components/number-format.ts'
import { type ChosenPeriod, periodOf, periodQuery } from '../components/period.ts'
import { breakable, type Cell, type Column, type PageTable } from '../components/tables.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../page-request.ts'

export async function showHome(request: PersonPageRequest): Promise<PageAnswer> {
  const period = periodOf(request)
  const lines = await homeFigures(request.loggedIn.person, period)
  const [only, ...others] = lines
  const notice = request.query.get('password') === 'changed' ? html`<p class="notice" role="status">Your password is changed.</p>` : null
  if (!only) return { body: framed(request, { title: 'No sites yet', main: html`${notice}${nothingYet(request)}` }) }
  if (others.length === 0 && isOpenTo(request.loggedIn.person, only.site))
    return redirect(`/sites/${only.site.id}/search${periodQuery(request)}`)
  const found = matching(lines, request.query.get('q') ?? '')
  const first = found[0]
  if (request.query.get('q') && found.length === 1 && first && isOpenTo(request.loggedIn.person, first.site))
    return redirect(`/sites/${first.site.id}/search${periodQuery(request)}`)
  return {
    body: framed(request, {
      title: 'All sites',
      main: html`${notice}${homePage(request, period, lines, found)}`,
      printed: request.words.span(period.from, period.to),
    }),
  }
}

export async function sitesCsv(request: PersonPageRequest): Promise<PageAnswer> {
  const lines = matching(await homeFigures(request.loggedIn.person, periodOf(request)), request.query.get('q') ?? '')
  return csvAnswer('sites', tableOf(inOrder(request, lines).lines))
}

export async function sitesJson(request: PersonPageRequest): Promise<PageAnswer> {
  const sites = await findSites(request.loggedIn.person, request.query.get('q') ?? '', 8)
  const found = sites.map(({ id, domain, business_name }) => ({ domain, business: business_name, href: `/sites/${id}/search` }))
  return { type: 'application/json; charset=utf-8', body: JSON.stringify({ sites: found }) }
}

/** How much a site calls for someone: ground lost, and bad news in its reviews. */
function attention(line: HomeLine): number {
  if (line.site.business_state === 'deactivated') return -1
  const lost = line.average !== null && line.averageBefore !== null ? Math.max(0, line.average / line.averageBefore - 1) : 0
  const worse = line.rating !== null && line.ratingBefore !== null ? Math.max(0, line.ratingBefore - line.rating) : 0
  return lost + worse * 2
}

function needsSomeone(line: HomeLine): boolean {
  return attention(line) > 0.03
}

// biome-ignore format: a table reads by its columns
const heads: readonly (SortHead & { keyOf: (line: HomeLine) => string | number | null })[] = [
  { key: 'site',     label: 'Site',             keyOf: line => line.site.domain },
  { key: 'position', label: 'Average position', keyOf: line => line.average, isNumber: true },
  { key: 'change',   label: 'Change',           keyOf: line => line.average === null || line.averageBefore === null ? null : line.averageBefore - line.average, isNumber: true },
  { key: 'top10',    label: 'In the top 10',    keyOf: line => line.top10, isNumber: true, first: 'down' },
  { key: 'trend',    label: 'Trend',            keyOf: line => -attention(line), mark: 'hide-m' },
  { key: 'rating',   label: 'Rating',           keyOf: line => line.rating, isNumber: true },
  { key: 'reviews',  label: 'New reviews',      keyOf: line => line.newReviews, isNumber: true, first: 'down' },
  { key: 'measured', label: 'Last measured',    keyOf: line => line.measuredOn, first: 'down', mark: 'hide-m' },
]

function inOrder(request: PersonPageRequest, lines: readonly HomeLine[]) {
  const sorting = sortingOf(request, heads, { key: '', order: 'down' })
  const keyOf = heads.find((head) => head.key === sorting.key)?.keyOf ?? attention
  return { sorting, lines: sorted(lines, keyOf, sorting.order) }
}

function matching(lines: readonly HomeLine[], q: string): HomeLine[] {
  const needles = q.toLowerCase().split(/\s+/).filter(Boolean)
  return lines.filter(({ site }) => needles.every((needle) => `${site.domain} ${site.business_name}`.toLowerCase().includes(needle)))
}

function homePage(request: PersonPageRequest, period: ChosenPeriod, all: readonly HomeLine[], found: readonly HomeLine[]): Html {
  const { lines, sorting } = inOrder(request, found)
  const q = request.query.get('q') ?? ''
  return html`
    <h1>All sites</h1>
    <p class="lead">${sentenceOf(request, all)}</p>
    ${periodPicker(request, period)}
    <form class="filters no-print" action="/" data-in-place>
      <label for="narrow">
        Search these sites
        <input id="narrow" type="search" name="q" value="${q}" data-filter="#sites" data-count="#shown" autocomplete="off">
      </label>
      <button class="button soft no-js">Search</button>
      <span id="shown" class="quiet" role="status">${q ? `${lines.length} of ${all.length} shown` : ''}</span>
      <a class="push" href="${hrefWith(request, {}, '/sites.csv')}" download>Download as CSV</a>
    </form>
    <section class="card list long" aria-label="Sites">
      <table id="sites" class="stacks" data-sortable>
        <caption class="sr">Sites with their figures</caption>
        <thead>${sortHeads(request, heads, sorting)}</thead>
        <tbody>
          ${lines.map((line) => lineHtml(request, line))}
        </tbody>
      </table>
      ${lines.length === 0 ? html`<p class="quiet">No site has these words in its name.</p>` : null}
    </section>
  `
}

function sentenceOf({ words }: PersonPageRequest, lines: readonly HomeLine[]): string {
  const lost = lines.filter(
    (line) => line.average !== null && line.averageBefore !== null && line.average > line.averageBefore * 1.03,
  ).length
  const worse = lines.filter((line) => line.rating !== null && line.ratingBefore !== null && line.ratingBefore - line.rating >= 0.05).length
  const news = [
    lost > 0 ? `${words.whole(lost)} lost ground` : '',
    worse > 0 ? `${words.whole(worse)} ${worse === 1 ? 'is' : 'are'} rated lower than before` : '',
  ].filter(Boolean)
  return `${words.count(lines.length, 'site')}. ${news.length === 0 ? 'None lost ground.' : `${news.join(', ')}.`}`
}

function lineHtml(request: PersonPageRequest, line: HomeLine): Html {
  const { words } = request
  const { site } = line
  const isOpen = isOpenTo(request.loggedIn.person, site)
  const [search, reputation] = ['search', 'reputation'].map((page) => `/sites/${site.id}/${page}${periodQuery(request)}`) as [
    string,
    string,
  ]
  const name = isOpen
    ? html`<a class="rowlink" href="${search}">${breakable(site.domain)}</a>`
    : html`<span class="rowlink">${breakable(site.domain)}</span>`
  const state =
    site.business_state === 'deactivated'
      ? html` <span class="badge">deactivated</span>`
      : needsSomeone(line)
        ? html` <span class="badge new">needs attention</span>`
        : null
  if (!isOpen)
    return html`
      <tr>
        <th scope="row" data-v="${site.domain}">
          ${name}
          ${state}
          <small>${site.business_name}</small>
        </th>
        <td colspan="7" class="quiet">Only the owner of the account can open it.</td>
      </tr>
    `
  const rating =
    line.rating === null
      ? quiet('no reviews')
      : html`
        <a href="${reputation}">${words.decimal(line.rating)}</a> ${changeHtml(ratingChange(words, line.rating, line.ratingBefore), 'only if any')}
      `
  return html`
    <tr>
      <th scope="row" data-v="${site.domain}">
        ${name}
        ${state}
        <small>${site.business_name}</small>
      </th>
      <td class="n" data-l="Average position" data-v="${line.average}">
        ${line.average === null ? quiet('not measured') : words.decimal(line.average)}
      </td>
      <td class="n" data-l="Change" data-v="${line.average !== null && line.averageBefore !== null ? line.averageBefore - line.average : null}">
        ${changeHtml(positionChange(words, line.average, line.averageBefore))}
      </td>
      <td class="n" data-l="In the top 10" data-v="${line.top10}">
        ${line.top10 === null ? null : words.whole(line.top10)} ${changeHtml(amountChange(words, line.top10, line.top10Before), 'only if any')}
      </td>
      <td class="hide-m" data-v="${attention(line)}">${sparkline(line.slots)}</td>
      <td class="n" data-l="Rating" data-v="${line.rating}">${rating}</td>
      <td class="n" data-l="New reviews" data-v="${line.newReviews}">
        ${line.newReviews === null ? null : words.whole(line.newReviews)}
      </td>
      <td class="hide-m" data-v="${line.measuredOn}">
        ${line.measuredOn ? words.day(line.measuredOn) : quiet('never')}
      </td>
    </tr>
  `
}

function quiet(text: string): Html {
  return html`<span class="quiet">${text}</span>`
}

const columns: readonly Column[] = [
  { label: 'Site', kind: 'text' },
  { label: 'Business', kind: 'text' },
  { label: 'Average position', kind: 'decimal' },
  { label: 'Average position before', kind: 'decimal' },
  { label: 'In the top 10', kind: 'whole' },
  { label: 'In the top 10 before', kind: 'whole' },
  { label: 'Rating', kind: 'decimal' },
  { label: 'Rating before', kind: 'decimal' },
  { label: 'New reviews', kind: 'whole' },
  { label: 'Last measured', kind: 'day' },
]

function tableOf(lines: readonly HomeLine[]): PageTable {
  const rows = lines.map(({ site, ...line }): Cell[] => [
    site.domain,
    site.business_name,
    line.average,
    line.averageBefore,
    line.top10,
    line.top10Before,
    line.rating,
    line.ratingBefore,
    line.newReviews,
    line.measuredOn,
  ])
  return { caption: 'Sites', columns, rows }
}

function nothingYet({ loggedIn }: PersonPageRequest): Html {
  return html`
    <h1>No sites yet</h1>
    <p class="lead">
      You are logged in as ${loggedIn.login}, but no site has been opened to you.
      Please ask the person who gave you your login: they can let you see an account, a business or a single site.
    </p>
  `
}
