/** A word-sized line: ranks with 1 at the top; broken where nothing was measured. */

import { type Html, raw } from '../../lib/html.ts'

const width = 84
const height = 22

/** One value per slot of the period, null where the slot has none. */
export function sparkline(values: readonly (number | null)[]): Html | null {
  const path = pathOf(values)
  return path === ''
    ? null
    : raw(
        `<svg class="spark" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true"><path d="${path}"/></svg>`,
      )
}

function pathOf(values: readonly (number | null)[]): string {
  const { best, depth } = spread(values)
  const step = (width - 4) / Math.max(1, values.length - 1)
  let path = ''
  let isOpen = false
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (value === null || value === undefined) isOpen = false
    else {
      const at = `${Math.round(2 + index * step)} ${Math.round(2 + ((Math.log(value) - best) / depth) * (height - 4))}`
      // A slot that stands alone is drawn as a dot: a line of no length with round ends.
      path += isOpen ? `L${at}` : `M${at}h0`
      isOpen = true
    }
  }
  return path
}

/** From the best to the worst, but never less than two fifths: small changes must not look like great ones. */
function spread(values: readonly (number | null)[]): { best: number; depth: number } {
  let [best, worst] = [Number.POSITIVE_INFINITY, 1]
  for (const value of values) {
    if (value !== null && value < best) best = value
    if (value !== null && value > worst) worst = value
  }
  const depth = Math.max(Math.log(1.4), Math.log(worst) - Math.log(best))
  return { best: Math.log(worst) - depth, depth }
}
