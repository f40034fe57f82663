/** Small pieces that pages are made of: figures with their change, the period picker, segmented choices, sortable heads, safe links. */

import { type Html, html } from '../../lib/html.ts'
import { hrefWith, type PageRequest } from '../page-request.ts'
import type { Change } from './number-format.ts'
import { type ChosenPeriod, presets } from './period.ts'

export interface Figure {
  readonly label: string
  /** Null: nothing was measured. */
  readonly value: string | null
  readonly change?: Change | null
  /** The rows behind the figure. */
  readonly href?: string
  readonly note?: string
  readonly isWords?: boolean
}

export function figuresHtml(figures: readonly Figure[]): Html {
  return html`<section class="card" aria-label="At a glance"><dl class="figures">${figures.map(figureHtml)}</dl></section>`
}

function figureHtml({ label, value, change, href, note, isWords }: Figure): Html {
  const shown = value === null ? html`<span class="quiet">–</span>` : href ? html`<a href="${href}">${value}</a>` : value
  return html`
    <div>
      <dt>${label}</dt>
      <dd${isWords ? html` class="words"` : null}>${shown}</dd>
      ${change ? html`<dd class="change ${change.direction}">${change.words}</dd>` : null}
      ${note || value === null ? html`<dd class="change same">${note ?? 'not measured'}</dd>` : null}
    </div>
  `
}

/** For tables: the sign, with the words for those who cannot see the arrow. */
export function changeHtml(change: Change | null, when: 'always' | 'only if any' = 'always'): Html | null {
  if (when === 'only if any' && change?.direction === 'same') return null
  return change && html`<span class="change ${change.direction}">${change.short}<span class="sr"> (${change.words})</span></span>`
}

export function periodPicker(request: PageRequest, period: ChosenPeriod): Html {
  const { words } = request
  const links = presets.map((days) =>
    choice(hrefWith(request, { days: String(days), from: null, to: null, page: null }), `${days} days`, period.preset === days),
  )
  const compared = `${words.span(period.from, period.to)}, compared with ${words.span(period.before.from, period.before.to)}`
  return html`
    <div class="bar-row">
      <nav class="segments" aria-label="Period">${links}${customPeriod(request, period)}</nav>
      <span class="quiet">${compared}</span>
      ${actions()}
    </div>
    ${period.complaint ? html`<p class="notice wrong" role="alert">${period.complaint}</p>` : null}
  `
}

function customPeriod(request: PageRequest, period: ChosenPeriod): Html {
  const kept = [...request.query].filter(([name]) => !['days', 'from', 'to', 'page'].includes(name))
  return html`
    <details class="custom">
      <summary${period.preset === null ? html` aria-current="true"` : null}>Custom</summary>
      <form action="${request.path}">
        ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
        <label>From<input type="date" name="from" value="${period.from}" required></label>
        <label>To<input type="date" name="to" value="${period.to}" required></label>
        <button class="button">Show</button>
      </form>
    </details>
  `
}

function actions(): Html {
  return html`<button type="button" class="button soft push needs-js no-print" data-print>Print or save as PDF</button>`
}

export function choice(href: string, label: string, isChosen: boolean): Html {
  return html`<a href="${href}"${isChosen ? html` aria-current="true"` : null}>${label}</a>`
}

/** Nothing to choose where there is only one. */
export function segments(
  request: PageRequest,
  label: string,
  name: string,
  options: readonly string[],
  chosen: string | null,
): Html | null {
  if (options.length < 2) return null
  const links = options.map((option) => choice(hrefWith(request, { [name]: option, page: null }), option, option === chosen))
  return html`
    <div class="labelled">
      <span id="choose-${name}">${label}</span>
      <nav class="segments" aria-labelledby="choose-${name}">
        ${choice(hrefWith(request, { [name]: null, page: null }), 'All', chosen === null)}
        ${links}
      </nav>
    </div>
  `
}

export interface SortHead {
  readonly key: string
  readonly label: string
  readonly isNumber?: boolean
  readonly first?: 'up' | 'down'
  readonly mark?: string
}

export interface Sorting {
  readonly key: string
  readonly order: 'up' | 'down'
}

export function sortingOf(request: PageRequest, heads: readonly SortHead[], fallback: Sorting): Sorting {
  const head = heads.find(({ key }) => key === request.query.get('sort'))
  if (!head) return fallback
  const order = request.query.get('order')
  return { key: head.key, order: order === 'up' || order === 'down' ? order : (head.first ?? 'up') }
}

export function sortHeads(request: PageRequest, heads: readonly SortHead[], sorting: Sorting): Html {
  return html`<tr>${heads.map((head) => sortHead(request, head, sorting))}</tr>`
}

const direction = { up: 'ascending', down: 'descending' } as const

function sortHead(request: PageRequest, { key, label, isNumber, first = 'up', mark }: SortHead, sorting: Sorting): Html {
  const isSorted = sorting.key === key
  const order = isSorted ? (sorting.order === 'up' ? 'down' : 'up') : first
  const classes = [isNumber ? 'n' : '', mark ?? ''].filter(Boolean).join(' ')
  return html`
    <th scope="col"${classes ? html` class="${classes}"` : null}
      data-first="${direction[first]}"${isSorted ? html` aria-sort="${direction[sorting.order]}"` : null}>
      <a href="${hrefWith(request, { sort: key, order, page: null })}">${label}</a>
    </th>
  `
}

/** Nothing measured comes last, whichever way the rest is turned. */
export function sorted<T>(items: readonly T[], keyOf: (item: T) => string | number | null, order: 'up' | 'down'): T[] {
  const sign = order === 'up' ? 1 : -1
  return items.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return a < b ? -sign : a > b ? sign : 0
  })
}

/** Words from data become a link only where they are an address on the web. */
export function outsideLink(url: string, label: string): Html {
  const protocol = URL.parse(url)?.protocol
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb ? html`<a href="${url}" rel="noopener noreferrer nofollow" target="_blank">${label}</a>` : html`${label}`
}
