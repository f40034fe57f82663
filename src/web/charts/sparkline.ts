/** A sparkline of ranks with the best at the top: broken where nothing was measured, with marks at the bottom where nothing was found. */

import { type Html, raw } from '../../lib/html.ts'

const width = 84
const height = 22
const foot = 20

/** One value per part of the period: 0 if it was not found, null if it was not measured. */
export function sparkline(values: readonly (number | null)[]): Html | null {
  if (values.every((value) => value === null)) return null
  const [line, lost] = pathsOf(values)
  return raw(
    `<svg class="spark" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${
      line === '' ? '' : `<path d="${line}"/>`
    }${lost === '' ? '' : `<path class="lost" d="${lost}"/>`}</svg>`,
  )
}

function pathsOf(values: readonly (number | null)[]): [line: string, lost: string] {
  const { best, depth } = spread(values)
  const step = (width - 4) / Math.max(1, values.length - 1)
  const room = values.includes(0) ? height - 9 : height - 4
  const reach = usualStep(values) * 1.5
  let [line, lost] = ['', '']
  let foundAt = Number.NEGATIVE_INFINITY
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? null
    const x = Math.round(2 + index * step)
    if (value === 0) {
      lost += `M${Math.max(1, x - 1)} ${foot}h2`
      foundAt = Number.NEGATIVE_INFINITY
    } else if (value !== null) {
      const at = `${x} ${Math.round(2 + ((Math.log(value) - best) / depth) * room)}`
      // A single value is drawn as a dot: a line of no length with round ends.
      line += index - foundAt <= reach ? `L${at}` : `M${at}h0`
      foundAt = index
    }
  }
  return [line, lost]
}

/** The usual number of slots between two measurements, so that weekly measurements make a line and not a row of dots. */
function usualStep(values: readonly (number | null)[]): number {
  const steps: number[] = []
  let last = -1
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    if (last >= 0) steps.push(index - last)
    last = index
  }
  return steps.sort((a, b) => a - b)[(steps.length - 1) >> 1] ?? 1
}

/** The range from best to worst, but at least two fifths, so that small changes do not look large. */
function spread(values: readonly (number | null)[]): { best: number; depth: number } {
  let [best, worst] = [Number.POSITIVE_INFINITY, 1]
  for (const value of values) {
    if (value && value < best) best = value
    if (value && value > worst) worst = value
  }
  const depth = Math.max(Math.log(1.4), Math.log(worst) - Math.log(best))
  return { best: Math.log(worst) - depth, depth }
}
