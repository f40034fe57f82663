/** The frame a chart stands in: heading, summary sentence, the drawing in two sizes, its key, and the table behind it. */

import { type Html, html, raw } from '../../lib/html.ts'
import type { Words } from '../components/number-format.ts'
import { type PageTable, tableHtml } from '../components/tables.ts'

/** A drawing is made twice, so that its letters stay readable on a phone; the stylesheet shows one. */
export interface Size {
  readonly name: 'wide' | 'narrow'
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  /** How many labels fit below. */
  readonly labels: number
}

export interface LegendItem {
  readonly label: string
  /** The class of the line or area it explains. */
  readonly mark: string
  readonly shape: 'line' | 'area'
  /** Where its rows are. */
  readonly href?: string
}

export interface Chart {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly notes?: readonly string[]
  readonly keys?: readonly LegendItem[]
  readonly table: PageTable
  readonly csv?: string
  readonly draw: (size: Size) => Html
}

const sizes: readonly Size[] = [
  { name: 'wide', width: 600, height: 230, left: 36, right: 8, top: 12, bottom: 26, labels: 7 },
  { name: 'narrow', width: 340, height: 210, left: 36, right: 6, top: 12, bottom: 24, labels: 4 },
]

export function chartHtml(words: Words, chart: Chart): Html {
  return html`
    <figure class="chart" id="${chart.id}">
      <figcaption>
        <h2>${chart.title}</h2>
        <p>${chart.summary}</p>
      </figcaption>
      ${chart.keys && chart.keys.length > 1 ? keysHtml(chart.keys) : null}
      <div class="plot" data-plot>${sizes.map((size) => svgHtml(chart, size))}</div>
      ${chart.notes?.map((note) => html`<p class="note">${note}</p>`)}
      <details class="behind">
        <summary>Show the numbers</summary>
        ${chart.csv ? html`<p><a href="${chart.csv}" download>Download as CSV</a></p>` : null}
        ${tableHtml(words, chart.table)}
      </details>
    </figure>
  `
}

function svgHtml(chart: Chart, size: Size): Html {
  const id = `${chart.id}-${size.name}`
  return html`
    <svg class="${size.name}" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}"
      role="img" aria-labelledby="${id}-t ${id}-d" data-left="${size.left}" data-right="${size.width - size.right}"
      data-top="${size.top}" data-bottom="${size.height - size.bottom}">
      <title id="${id}-t">${chart.title}</title>
      <desc id="${id}-d">${chart.summary}</desc>
      ${chart.draw(size)}
    </svg>
  `
}

function keysHtml(keys: readonly LegendItem[]): Html {
  return html`
    <ul class="keys">
      ${keys.map((key) => html`<li>${keyMark(key)}${key.href ? html`<a href="${key.href}">${key.label}</a>` : key.label}</li>`)}
    </ul>
  `
}

function keyMark(key: LegendItem): Html {
  const shape = key.shape === 'line' ? raw('<path d="M1 6H23"') : raw('<rect x="6" y="0" width="12" height="12" rx="2"')
  return html`<svg width="24" height="12" viewBox="0 0 24 12" aria-hidden="true">${shape} class="${key.mark}"/></svg>`
}
