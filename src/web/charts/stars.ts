/** The distribution of stars in this period, and as thin bars in the one before. */

import { type Html, html } from '../../lib/html.ts'
import type { Words } from '../components/number-format.ts'
import { round, type Size } from './axes.ts'

export interface StarsRow {
  readonly stars: number
  readonly now: number
  readonly before: number
}

export function drawStars(words: Words, rows: readonly StarsRow[], size: Size): Html {
  const most = Math.max(1, ...rows.flatMap((row) => [row.now, row.before]))
  const room = size.width - size.left - size.right - 90
  const step = (size.height - size.top - 6) / rows.length
  return html`${rows.map((row, index) => starsRow(words, row, round(size.top + index * step), round(step), room / most, size))}`
}

function starsRow(words: Words, row: StarsRow, top: number, step: number, unit: number, size: Size): Html {
  const left = size.left + 26
  const tall = round(step * 0.46)
  return html`
    <text x="${left - 8}" y="${top + tall / 2}" dy="0.35em" text-anchor="end" class="strong">${row.stars} ★</text>
    ${bar('own', left, top, row.now * unit, tall)}
    ${bar('before', left, round(top + tall + 2), row.before * unit, round(step * 0.14))}
    <text x="${round(left + Math.max(1, row.now * unit) + 8)}" y="${top + tall / 2}" dy="0.35em">
      ${words.whole(row.now)}
    </text>
  `
}

/** Zero has no bar; a small value is still visible. */
function bar(mark: 'own' | 'before', x: number, y: number, width: number, height: number): Html | null {
  if (width === 0) return null
  return html`<rect class="bar ${mark}" x="${x}" y="${y}" width="${round(Math.max(1, width))}" height="${height}"/>`
}
