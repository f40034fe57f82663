/** A sparkline of ranks with the best at the top: broken where nothing was measured, with marks at the bottom where nothing was found. */

import { type Html, raw } from '../../lib/html.ts'
import { notDue } from '../../model/dashboard/slots.ts'

const width = 84
const height = 22
const foot = 20

/** One value per part of the period: 0 if it was not found, null if it was not measured, `notDue` if no measurement was due. */
export function sparkline(values: readonly (number | null)[]): Html | null {
  if (values.every((value) => value === null || value === notDue)) return null
  const { line, dots, lost } = pathsOf(values)
  const path = (mark: string, d: string) => (d === '' ? '' : `<path${mark} d="${d}"/>`)
  return raw(
    `<svg class="spark" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${path('', line)}${path(' class="lone"', dots)}${path(' class="lost"', lost)}</svg>`,
  )
}

function pathsOf(values: readonly (number | null)[]): { line: string; dots: string; lost: string } {
  const { best, depth } = spread(values)
  const step = (width - 4) / Math.max(1, values.length - 1)
  const room = values.includes(0) ? height - 9 : height - 4
  let [line, dots, lost] = ['', '', '']
  let run: string[] = []
  const endRun = () => {
    if (run.length === 1) dots += `M${run[0]}h0`
    else if (run.length > 1) line += `M${run.join('L')}`
    run = []
  }
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? null
    const x = Math.round(2 + index * step)
    if (value === notDue) continue
    if (value) run.push(`${x} ${Math.round(2 + ((Math.log(value) - best) / depth) * room)}`)
    else endRun()
    if (value === 0) lost += `M${Math.max(1, x - 1)} ${foot}h2`
  }
  endRun()
  return { line, dots, lost }
}

/** The range from best to worst, but at least two fifths, so that small changes do not look large. */
function spread(values: readonly (number | null)[]): { best: number; depth: number } {
  let [best, worst] = [Number.POSITIVE_INFINITY, 1]
  for (const value of values) {
    if (!value || value === notDue) continue
    if (value < best) best = value
    if (value > worst) worst = value
  }
  const depth = Math.max(Math.log(1.4), Math.log(worst) - Math.log(best))
  return { best: Math.log(worst) - depth, depth }
}
