/** The table of sites on the home page, and the same as a CSV file. */

import { type Html, html } from '../../lib/html.ts'
import { urgencyOf } from '../../model/dashboard/attention/attention.ts'
import type { HomeLine } from '../../model/dashboard/home.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import { isOpenTo } from '../../model/people/visible-sites.ts'
import { sparkline } from '../charts/sparkline.ts'
import { changeHtml, ofAll, type SortHead, type Sorting, sortHeads } from '../components/components.ts'
import { domainName } from '../components/names.ts'
import { amountChange, pointsChange, positionChange, ratingChange, type Words } from '../components/number-format.ts'
import { periodQuery } from '../components/period.ts'
import { breakable, type Cell, type Column, type PageTable } from '../components/tables.ts'
import type { PersonPageRequest } from '../page-request.ts'
import { attentionHtml } from './attention.ts'
import { isUnlikeMean } from './course-words.ts'
import { reasonText } from './reasons.ts'

// biome-ignore format: a table reads by its columns
export const homeHeads: readonly (SortHead & { keyOf: (line: HomeLine) => string | number | null })[] = [
  { key: 'site',       label: 'Site',             keyOf: (line) => line.site.domain },
  { key: 'visibility', label: 'Visibility',       keyOf: (line) => line.standings.now.visibility, isNumber: true, first: 'down' },
  { key: 'top10',      label: 'In the top 10',    keyOf: (line) => nowIfMeasured(line)?.keywordsTop10 ?? null, isNumber: true, first: 'down' },
  { key: 'position',   label: 'Average position', keyOf: (line) => line.standings.now.average, isNumber: true },
  { key: 'trend',      label: 'Visibility trend',  keyOf: (line) => urgencyOf(line.reasons), first: 'down', mark: 'hide-m' },
  { key: 'rating',     label: 'Rating',           keyOf: (line) => line.rating, isNumber: true },
  { key: 'reviews',    label: 'New reviews',      keyOf: (line) => line.newReviews, isNumber: true, first: 'down' },
  { key: 'measured',   label: 'Positions measured', keyOf: (line) => line.measuredOn, first: 'down', mark: 'hide-m' },
]

/** The page that has something to show: a site may be known by its reviews alone. */
export function halfOf({ measuredOn, newReviews }: HomeLine): 'search' | 'reputation' {
  return measuredOn === null && newReviews !== null ? 'reputation' : 'search'
}

function nowIfMeasured({ standings: { now } }: HomeLine) {
  return now.pairs === 0 ? null : now
}

export function homeTableHtml(
  request: PersonPageRequest,
  period: ChosenPeriod,
  lines: readonly HomeLine[],
  sorting: Sorting,
  name: string,
): Html {
  return html`
    <section class="card list long" aria-label="${name}">
      <table id="${name.toLowerCase()}" class="stacks${request.query.get('rows') === 'all' ? null : ' top-ten'}">
        <caption class="sr">${name} with their figures</caption>
        <thead>${sortHeads(request, homeHeads, sorting)}</thead>
        <tbody>${lines.map((line) => lineHtml(request, period, line, isOfSeveral(lines)))}</tbody>
      </table>
    </section>
  `
}

/** The account is named where there are several. */
function isOfSeveral(lines: readonly HomeLine[]): boolean {
  return new Set(lines.map(({ site }) => site.account_id)).size > 1
}

function lineHtml(request: PersonPageRequest, period: ChosenPeriod, line: HomeLine, withAccount: boolean): Html {
  const { words } = request
  const { site } = line
  if (!isOpenTo(request.reader, site))
    return html`
      <tr>
        ${nameCell(request, period, line, withAccount, html`<span class="rowlink">${breakable(domainName(site.domain))}</span>`)}
        <td colspan="7" class="quiet">Only the owner of the account can open it.</td>
      </tr>
    `
  const href = (tab: string) => `/sites/${site.id}/${tab}${periodQuery(request)}`
  const { now, compared } = line.standings
  return html`
    <tr>
      ${nameCell(request, period, line, withAccount, html`<a class="rowlink" href="${href(halfOf(line))}">${breakable(domainName(site.domain))}</a>`)}
      <td class="n" data-l="Visibility">
        ${now.visibility === null ? quiet('not measured') : words.decimal(now.visibility)}
        ${changeHtml(pointsChange(words, compared?.now.visibility ?? null, compared?.before.visibility ?? null), 'only if any')}
        ${meanHtml(words, line)}
      </td>
      <td class="n" data-l="In the top 10">
        ${now.pairs === 0 ? null : ofAll(words, now.keywordsTop10, now.keywords)}
        ${changeHtml(amountChange(words, compared?.now.keywordsTop10 ?? null, compared?.before.keywordsTop10 ?? null), 'only if any')}
      </td>
      <td class="n" data-l="Average">
        ${now.pairs === 0 ? null : now.average === null ? quiet('none found') : words.decimal(now.average)}
        ${changeHtml(positionChange(words, compared?.averages?.now ?? null, compared?.averages?.before ?? null), 'only if any')}
      </td>
      <td class="hide-m">${sparkline(line.slots, 'visibility')}</td>
      <td class="n" data-l="Rating">
        ${line.rating === null ? quiet('no reviews') : html`<a href="${href('reputation')}">${words.decimal(line.rating)}</a>`}
        ${changeHtml(ratingChange(words, line.rating, line.ratingBefore), 'only if any')}
      </td>
      <td class="n" data-l="New reviews">${line.newReviews === null ? null : words.whole(line.newReviews)}</td>
      <td class="hide-m">${line.measuredOn ? words.day(line.measuredOn) : quiet('never')}</td>
    </tr>
  `
}

function nameCell(request: PersonPageRequest, period: ChosenPeriod, line: HomeLine, withAccount: boolean, name: Html): Html {
  const { site } = line
  return html`
    <th scope="row">
      ${name}
      ${site.business_state === 'deactivated' ? html` <span class="badge">deactivated</span>` : null}
      <small>${site.business_name}${withAccount ? ` · ${site.account_name}` : null}</small>
      ${attentionHtml(request, line, period)}
    </th>
  `
}

/** Where the end of the period does not speak for the whole. */
function meanHtml(words: Words, { standings: { now }, mean }: HomeLine): Html | null {
  return isUnlikeMean(now.visibility, mean) ? html`<small>${words.decimal(mean)} on average</small>` : null
}

function quiet(text: string): Html {
  return html`<span class="quiet">${text}</span>`
}

const columns: readonly Column[] = [
  { label: 'Site', kind: 'text' },
  { label: 'Business', kind: 'text' },
  { label: 'Visibility', kind: 'decimal' },
  { label: 'Visibility change', kind: 'decimal' },
  { label: 'Keywords', kind: 'whole' },
  { label: 'Keywords in the top 10', kind: 'whole' },
  { label: 'Keywords in the top 10 change', kind: 'whole' },
  { label: 'Average position', kind: 'decimal' },
  { label: 'Found, over all engines', kind: 'whole' },
  { label: 'Measured, over all engines', kind: 'whole' },
  { label: 'Rating', kind: 'decimal' },
  { label: 'Rating before', kind: 'decimal' },
  { label: 'New reviews', kind: 'whole' },
  { label: 'Positions measured', kind: 'day' },
  { label: 'Needs attention because', kind: 'text' },
  { label: 'Visibility on average', kind: 'decimal' },
  { label: 'places_gained', kind: 'decimal' },
]

export function homeTable(words: Words, lines: readonly HomeLine[]): PageTable {
  const difference = (now: number | null | undefined, before: number | null | undefined) =>
    now === null || now === undefined || before === null || before === undefined ? null : now - before
  const rows = lines.map((line): Cell[] => {
    const { now, compared } = line.standings
    return [
      line.site.domain,
      line.site.business_name,
      now.visibility,
      difference(compared?.now.visibility, compared?.before.visibility),
      now.pairs === 0 ? null : now.keywords,
      now.pairs === 0 ? null : now.keywordsTop10,
      difference(compared?.now.keywordsTop10, compared?.before.keywordsTop10),
      now.average,
      now.pairs === 0 ? null : now.found,
      now.pairs === 0 ? null : now.pairs,
      line.rating,
      line.ratingBefore,
      line.newReviews,
      line.measuredOn,
      line.reasons.map((reason) => reasonText(words, reason)).join('; '),
      line.mean,
      difference(compared?.averages?.before, compared?.averages?.now),
    ]
  })
  return { caption: 'Sites', columns, rows }
}
