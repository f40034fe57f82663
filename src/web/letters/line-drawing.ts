/** A line chart over time for mail and PDF: broken where nothing was measured, on an axis that fits the data, over the same days of the time before. */

import { fittedScale, timeScale } from '../charts/axes.ts'
import { type Point as DayPoint, runsOf } from '../charts/line.ts'
import type { Words } from '../components/number-format.ts'
import type { Drawing, Drawn, DrawnPoint } from './drawing.ts'
import { inks } from './inks.ts'

/** A mail program shrinks the picture to the width of a phone, so that its labels are larger than those on paper. */
const sizes = {
  mail: { name: 'narrow', width: 440, height: 190, top: 26, right: 14, bottom: 34, left: 46, labels: 2, label: 17 },
  paper: { name: 'wide', width: 580, height: 150, top: 20, right: 12, bottom: 24, left: 36, labels: 2, label: 11 },
} as const
/** Points of visibility that the axis spans at least. */
const leastSpan = 10

export type DrawnFor = keyof typeof sizes

export interface LineChart {
  readonly words: Words
  readonly from: string
  readonly to: string
  readonly points: readonly DayPoint[]
  /** The values of the days that are compared, on the days of the period. */
  readonly before: readonly DayPoint[]
  readonly color: string
}

/** Null if there is nothing to draw. */
export function lineDrawing({ words, from, to, points, before, color }: LineChart, place: DrawnFor): Drawing | null {
  const size = sizes[place]
  const values = [...points, ...before].flatMap(({ value }) => value ?? [])
  const runs = runsOf(points)
  const last = runs.at(-1)?.at(-1)
  if (last === undefined) return null
  const { scale: y, ticks } = fittedScale(values.reduce(least), values.reduce(most), leastSpan, size)
  const x = timeScale(from, to, size)
  const drawn = (some: ReturnType<typeof runsOf>, ink: string, width: number) =>
    some.map((run) =>
      lineOrDot(
        run.map(({ at, value }): DrawnPoint => [x(at), y(value)]),
        ink,
        width,
      ),
    )
  const text = (at: DrawnPoint, said: string, anchor: 'start' | 'end', ink: string = inks.quiet): Drawn => ({
    kind: 'text',
    at,
    text: said,
    size: size.label,
    color: ink,
    anchor,
  })
  return {
    width: size.width,
    height: size.height,
    shapes: [
      ...ticks.map((tick): Drawn => rulerAt(y(tick), size)),
      ...ticks.map((tick) => text([size.left - 6, y(tick) + size.label / 3], words.whole(tick), 'end')),
      text([size.left, size.height - 6], words.shortDay(from), 'start'),
      text([size.width - size.right, size.height - 6], words.shortDay(to), 'end'),
      ...drawn(runsOf(before), inks.before, 1.5),
      ...drawn(runs, color, 2.5),
      text(
        [Math.min(size.width - size.right, x(last.at) + size.label), Math.max(size.label, y(last.value) - 8)],
        words.decimal(last.value),
        'end',
        color,
      ),
    ],
  }
}

function least(a: number, b: number): number {
  return Math.min(a, b)
}

function most(a: number, b: number): number {
  return Math.max(a, b)
}

function lineOrDot(run: readonly DrawnPoint[], color: string, width: number): Drawn {
  const [only] = run
  return run.length === 1 && only ? { kind: 'dot', at: only, radius: 3, color } : { kind: 'line', points: run, color, width }
}

function rulerAt(y: number, { left, width, right }: (typeof sizes)[DrawnFor]): Drawn {
  const points: DrawnPoint[] = [
    [left, y],
    [width - right, y],
  ]
  return { kind: 'line', points, color: inks.ruler, width: 0.75 }
}
