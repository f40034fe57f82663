/** The frame of a chart: heading, summary sentence, the drawing in two sizes, its legend, and its table. */

import { type Html, html, raw } from '../../lib/html.ts'
import { dayNumber } from '../../lib/time/days.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import { tableLinks } from '../components/csv.ts'
import type { Words } from '../components/number-format.ts'
import { type PageTable, tableHtml } from '../components/tables.ts'
import { round, type Size, timeScale, weekScale } from './axes.ts'

export interface LegendItem {
  readonly label: string
  /** The CSS class of the line or area it explains. */
  readonly mark: string
  readonly shape: 'line' | 'area'
  /** The address of its rows. */
  readonly href?: string
}

export interface Pin {
  readonly day: string
  readonly text: string
}

export interface Chart {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly notes?: readonly string[]
  /** Annotations on days of the time axis, which may be one of whole weeks. */
  readonly pins?: { readonly span: DaySpan; readonly days: readonly Pin[]; readonly isWeekly?: true }
  readonly keys?: readonly LegendItem[]
  /** A link to another way of drawing it. */
  readonly turn?: { readonly label: string; readonly href: string }
  readonly table: PageTable
  readonly csv?: string
  readonly draw: (size: Size) => Html
}

/** As wide as a card of that many columns at full width, so that text has the same size in all charts. */
const wideSizes = { 12: [820, 250], 8: [713, 270], 6: [518, 220], 4: [324, 210] } as const

function sizesOf(columns: keyof typeof wideSizes): readonly Size[] {
  const [width, height] = wideSizes[columns]
  return [
    ...(columns === 12 ? [{ name: 'broad' as const, width: 1104, height, left: 40, right: 8, top: 14, bottom: 26, labels: 12 }] : []),
    { name: 'wide', width, height, left: 40, right: 8, top: 14, bottom: 26, labels: Math.floor(width / 90) },
    { name: 'narrow', width: 324, height: columns === 4 ? 210 : 220, left: 40, right: 8, top: 14, bottom: 26, labels: 4 },
  ]
}

/** `tools` stand beside the button that opens the table. */
export function chartHtml(words: Words, chart: Chart, columns: keyof typeof wideSizes = 8, tools: Html | null = null): Html {
  return html`
    <figure class="chart" id="${chart.id}">
      <figcaption>
        <h2>${chart.title}</h2>
        <p>${chart.summary}${chart.turn ? html` <a class="no-print" href="${chart.turn.href}">${chart.turn.label}</a>` : null}</p>
      </figcaption>
      ${chart.keys && needsLegend(chart.keys) ? keysHtml(chart.keys) : null}
      <div class="plot" data-plot>${sizesOf(columns).map((size) => svgHtml(chart, size))}</div>
      ${chart.notes?.map((note) => html`<p class="note">${note}</p>`)}
      ${chart.pins && chart.pins.days.length > 0 ? pinList(words, chart.pins.days) : null}
      <div class="tools">
        <details class="behind">
          <summary>Show the numbers</summary>
          ${chart.csv ? html`<p>${tableLinks(chart.csv)}</p>` : null}
          ${tableHtml(words, chart.table)}
        </details>
        ${tools}
      </div>
    </figure>
  `
}

/** A single line is explained by the title; a single area says by its colour which of several it is. */
function needsLegend(keys: readonly LegendItem[]): boolean {
  return keys.length > 1 || keys.some(({ shape }) => shape === 'area')
}

/** A pattern of slanted lines, by which "not found" can be recognized without colour. */
export function hatching(name: string, size: Size): Html {
  return html`
    <defs>
      <pattern id="hatch-${name}-${size.name}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="hatch" d="M0 0V5"/>
      </pattern>
    </defs>
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
      ${chart.pins?.days.map((pin, index) => pinHtml(pin, index + 1, chart.pins as NonNullable<Chart['pins']>, size))}
    </svg>
  `
}

function pinHtml({ day }: Pin, number: number, { span, isWeekly }: NonNullable<Chart['pins']>, size: Size): Html {
  const scale = isWeekly ? weekScale(span, size) : timeScale(span.from, span.to, size)
  const x = round(scale(dayNumber(day)))
  return html`
    <path class="pin" d="M${x} ${size.top}V${size.height - size.bottom}"/>
    <text class="strong" x="${x}" y="${size.top - 2}" text-anchor="middle">${number}</text>
  `
}

function pinList(words: Words, pins: readonly Pin[]): Html {
  return html`
    <ol class="pins">
      ${pins.map(({ day, text }) => html`<li><b>${words.day(day)}</b> <span dir="auto">${text}</span></li>`)}
    </ol>
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
