/** A change on paper: its sign is drawn, because few fonts have it, and its colour says whether it is good. */

import type { Change } from '../../components/number-format.ts'
import { tones } from '../inks.ts'
import { widthOfText, writeText } from '../sheet-text.ts'
import type { Sheet } from './paper.ts'

interface Placed {
  readonly size: number
  readonly x: number
  readonly y: number
  readonly fitInto: number
}

/** On a soft fill of its tone. Returns how wide it is. */
export function writePill(sheet: Sheet, change: Change, text: string, { size, x, y, fitInto }: Placed): number {
  const { ink, fill } = tones[change.tone]
  const sign = change.arrow === 'same' ? 0 : size
  const width = Math.min(fitInto, widthOfText(sheet, text, { size }) + sign + 8)
  sheet.roundedRect(x, y - 1, width, size * 1.5, 3).fill(fill)
  if (change.arrow !== 'same') drawSign(sheet, change.arrow, ink, { x: x + 4, y: y + size * 0.35, size: size * 0.7 })
  writeText(sheet, text, { size, color: ink, x: x + 4 + sign, y, fitInto: width - 6 - sign })
  return width
}

function drawSign(sheet: Sheet, arrow: 'up' | 'down', color: string, { x, y, size }: { x: number; y: number; size: number }): void {
  const [base, tip] = arrow === 'up' ? [y + size, y] : [y, y + size]
  sheet
    .moveTo(x, base)
    .lineTo(x + size, base)
    .lineTo(x + size / 2, tip)
    .fill(color)
}
