/** A sparkline of ranks or of visibility with the best at the top: broken where nothing was measured, with marks at the bottom where nothing was found. */

import { type Html, raw } from '../../lib/html.ts'
import { notDue } from '../../model/dashboard/slots.ts'

const width = 84
const height = 22
const foot = 20

/** One value per part of the period: a rank of 0 if it was not found, null if it was not measured, `notDue` if no measurement was due. */
export function sparkline(values: readonly (number | null)[], kind: keyof typeof scales = 'rank'): Html | null {
  if (values.every((value) => value === null || value === notDue)) return null
  const { line, dots, lost } = pathsOf(values, scales[kind])
  const path = (mark: string, d: string) => (d === '' ? '' : `<path${mark} d="${d}"/>`)
  return raw(
    `<svg class="spark" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${path('', line)}${path(' class="lone"', dots)}${path(' class="lost"', lost)}</svg>`,
  )
}

/** How far down a value stands, and the least range from best to worst, so that small changes do not look large. */
interface SparkScale {
  readonly depthOf: (value: number) => number
  readonly leastRange: number
  /** Whether 0 means that nothing was found, and has a mark of its own instead of a place on the line. */
  readonly isZeroLost: boolean
}

const scales = {
  rank: { depthOf: Math.log, leastRange: Math.log(1.4), isZeroLost: true },
  visibility: { depthOf: (value: number) => -value, leastRange: 10, isZeroLost: false },
} as const satisfies Record<string, SparkScale>

function pathsOf(
  values: readonly (number | null)[],
  { depthOf, leastRange, isZeroLost }: SparkScale,
): { line: string; dots: string; lost: string } {
  const isLost = (value: number | null) => value === 0 && isZeroLost
  const isDrawn = (value: number | null): value is number => value !== null && value !== notDue && !isLost(value)
  const depths = values.filter(isDrawn).map(depthOf)
  const worst = Math.max(...depths)
  const range = Math.max(leastRange, worst - Math.min(...depths))
  const step = (width - 4) / Math.max(1, values.length - 1)
  const room = values.some(isLost) ? height - 9 : height - 4
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
    if (isDrawn(value)) run.push(`${x} ${Math.round(2 + (1 - (worst - depthOf(value)) / range) * room)}`)
    else endRun()
    if (isLost(value)) lost += `M${Math.max(1, x - 1)} ${foot}h2`
  }
  endRun()
  return { line, dots, lost }
}
