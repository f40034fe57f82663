/** Small components of pages: figures with their change, segmented choices, sortable heads, pagination, safe links. */

import { type Html, html } from '../../lib/html.ts'
import { hrefWith, type PageRequest } from '../page-request.ts'
import type { Change, Words } from './number-format.ts'

export interface Figure {
  readonly label: string
  /** Null if nothing was measured. */
  readonly value: string | null
  readonly change?: Change | null
  /** The address of the rows behind the figure. */
  readonly href?: string
  /** The name of its chart, where it is one of several in the same place. */
  readonly tab?: string
  readonly note?: string
  readonly isWords?: boolean
  /** An explanation of the figure, which opens on a click. */
  readonly explained?: Html
}

export function figuresHtml(figures: readonly Figure[]): Html {
  return html`<section class="card glance" aria-label="At a glance">${figureList(figures)}</section>`
}

export function figureList(figures: readonly Figure[]): Html {
  return html`<dl class="figures">${figures.map(figureHtml)}</dl>`
}

function figureHtml({ label, value, change, href, note, isWords, explained }: Figure): Html {
  const shown = value === null ? html`<span class="quiet">–</span>` : href ? html`<a href="${href}">${value}</a>` : value
  return html`
    <div>
      <dt>${label}</dt>
      <dd${isWords ? html` class="words"` : null}>${shown}</dd>
      ${change ? html`<dd class="change ${change.arrow} ${change.tone}">${change.words}</dd>` : null}
      ${note || value === null ? html`<dd class="change quiet">${note ?? 'not measured'}</dd>` : null}
      ${explained ? html`<dd class="change">${explained}</dd>` : null}
    </div>
  `
}

/** For tables: the arrow and the size, with words for screen readers. */
export function changeHtml(change: Change | null, when: 'always' | 'only if any' = 'always'): Html | null {
  if (change === null || (when === 'only if any' && change.arrow === 'same')) return null
  const spoken = html`<span class="sr"> (${change.words})</span>`
  // The space separates it from the figure when the page is read as text.
  return html` <span class="change ${change.arrow} ${change.tone}" title="${change.words}">${change.short}${spoken}</span>`
}

export function choice(href: string, label: string, isChosen: boolean): Html {
  return html`<a href="${href}"${isChosen ? html` aria-current="true"` : null}>${label}</a>`
}

/** Empty if there is only one choice. */
export function segments(
  request: PageRequest,
  label: string,
  name: string,
  options: readonly string[],
  nameOf: (option: string) => string = String,
  fewest = 2,
): Html | null {
  const chosen = request.query.get(name)
  if (options.length < fewest && chosen === null) return null
  const links = options.map((option) => choice(hrefWith(request, { [name]: option, page: null }), nameOf(option), option === chosen))
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

export function sortHeads(request: PageRequest, heads: readonly SortHead[], sorting: Sorting, anchor = ''): Html {
  return html`<tr>${heads.map((head) => sortHead(request, head, sorting, anchor))}</tr>`
}

const direction = { up: 'ascending', down: 'descending' } as const

/** A head without a key is not sortable. */
function sortHead(request: PageRequest, { key, label, isNumber, first = 'up', mark }: SortHead, sorting: Sorting, anchor: string): Html {
  const isSorted = key !== '' && sorting.key === key
  const order = isSorted ? (sorting.order === 'up' ? 'down' : 'up') : first
  const classes = [isNumber ? 'n' : '', mark ?? ''].filter(Boolean).join(' ')
  const name = key === '' ? label : html`<a href="${hrefWith(request, { sort: key, order, page: null })}${anchor}">${label}</a>`
  return html`
    <th scope="col"${classes ? html` class="${classes}"` : null}${isSorted ? html` aria-sort="${direction[sorting.order]}"` : null}>
      ${name}
    </th>
  `
}

/** Values that were not measured come last in both directions. */
export function sorted<T>(items: readonly T[], keyOf: (item: T) => string | number | null, order: 'up' | 'down'): T[] {
  const sign = order === 'up' ? 1 : -1
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  const inOrder = keyed.toSorted(({ key: a }, { key: b }) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return a < b ? -sign : a > b ? sign : 0
  })
  return inOrder.map(({ item }) => item)
}

/** Text from data becomes a link only if it is a web address. */
export function outsideLink(url: string, label: string): Html {
  const protocol = URL.parse(url)?.protocol
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb ? html`<a href="${url}" rel="noopener noreferrer nofollow" target="_blank">${label}</a>` : html`${label}`
}

/** One page of a list; the address may ask for any page number. */
export interface ListSlice<T> {
  readonly items: readonly T[]
  readonly page: number
  readonly last: number
}

/** Nobody would read a longer print. */
export const mostPrinted = 1_000

export function sliceOf<T>(request: PageRequest, name: string, items: readonly T[], size: number): ListSlice<T> {
  if (request.query.get('print') === 'all') return { items: items.slice(0, mostPrinted), page: 1, last: 1 }
  const last = Math.max(1, Math.ceil(items.length / size))
  const page = Math.min(last, Math.max(1, Math.floor(Number(request.query.get(name)) || 1)))
  return { items: items.slice((page - 1) * size, page * size), page, last }
}

/** Says on paper that a list goes on, and where all of it is; null if all of it is there. */
export function leftOffPaper(
  words: Words,
  shown: number,
  all: number,
  noun: string,
  where = all > mostPrinted ? 'the CSV file' : 'the print view',
): Html | null {
  if (shown === all) return null
  return html`<p class="only-print note">This sheet holds ${words.whole(shown)} of ${words.whole(all)} ${noun}; ${where} holds all.</p>`
}

/** Links to the neighbouring pages of a list; in print, a note that there are more. */
export function pageLinks(request: PageRequest, name: string, { page, last }: { page: number; last: number }, anchor: string): Html | null {
  if (last <= 1) return null
  const to = (number: number) => `${hrefWith(request, { [name]: number === 1 ? null : String(number) })}#${anchor}`
  return html`
    <nav class="pages" aria-label="Pages of ${anchor}">
      ${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">Previous</a>` : null}
      <span class="quiet">Page ${page} of ${last}</span>
      ${page < last ? html`<a href="${to(page + 1)}" rel="next">Next</a>` : null}
    </nav>
  `
}

/** A phone shows the first ten rows of a table; the stylesheet hides the others until this link is followed. */
export function showAllOnPhone(request: PageRequest, amount: number, anchor: string): Html | null {
  if (amount <= 10 || request.query.get('rows') === 'all') return null
  return html`<p class="pages only-phone"><a href="${hrefWith(request, { rows: 'all' })}${anchor}">Show all ${amount} of this page</a></p>`
}

/** Hidden fields that keep the rest of the query when a form is sent. */
export function keptFields(request: PageRequest, without: readonly string[]): Html[] {
  const kept = [...request.query].filter(([name]) => !without.includes(name))
  return kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

/** Matches texts that contain every word of a search. */
export function matcherOf(sought: string): (text: string) => boolean {
  const needles = sought.toLowerCase().split(/\s+/).filter(Boolean)
  return (text) => needles.every((needle) => text.toLowerCase().includes(needle))
}

/** Text such as `4 of 25`. */
export function ofAll(words: Words, amount: number, all: number): string {
  return `${words.whole(amount)} of ${words.whole(all)}`
}
