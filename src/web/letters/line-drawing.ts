/** A line chart over time for mail and PDF: broken where nothing was found, on an axis that fits the data. */

import { dayNumber } from '../../lib/time/days.ts'
import { usualInterval } from '../../model/dashboard/slots.ts'
import { amountScale, rankScale, ratingScale, timeScale } from '../charts/axes.ts'
import { type Point as DayPoint, type Missing, runsOf } from '../charts/line.ts'
import type { Words } from '../components/number-format.ts'
import type { Drawing, Drawn, DrawnPoint } from './drawing.ts'

const size = { name: 'wide' as const, width: 580, height: 200, top: 14, right: 14, bottom: 30, left: 52, labels: 4 }
/** Large enough to be read where a mail program shrinks the picture to the width of a phone. */
const labelSize = 15
const ruler = '#d9d9d4'
const footHeight = 18
const hatchStep = 5
const label = '#5a5d66'
const scales = {
  rank: (values: readonly number[], room: typeof size) => rankScale(Math.min(...values), Math.max(...values), room),
  rating: (_: readonly number[], room: typeof size) => ratingScale(room),
  amount: (values: readonly number[], room: typeof size) => amountScale(Math.max(...values), room),
}

export interface LineChart {
  readonly words: Words
  readonly from: string
  readonly to: string
  readonly kind: keyof typeof scales
  readonly points: readonly DayPoint[]
  /** Days on which a share of the keywords was not found; drawn as a hatched strip at the bottom. */
  readonly missing: readonly Missing[]
  readonly color: string
}

/** Null if there is nothing to draw. */
export function lineDrawing({ words, from, to, kind, points, missing, color }: LineChart): Drawing | null {
  const values = points.flatMap(({ value }) => value ?? [])
  if (values.length === 0 && missing.length === 0) return null
  const room = missing.length === 0 ? size : { ...size, bottom: size.bottom + footHeight + 12 }
  const { scale: y, ticks } = values.length === 0 ? { scale: () => 0, ticks: [] } : scales[kind](values, room)
  const x = timeScale(from, to, size)
  const runs = runsOf(points).map((run) => run.map(({ at, value }): DrawnPoint => [x(at), y(value)]))
  return {
    width: size.width,
    height: size.height,
    shapes: [
      ...ticks.flatMap((tick) => rulerOf(y(tick), words.whole(tick))),
      dayLabel(size.left, words.shortDay(from), 'start'),
      dayLabel(size.width - size.right, words.shortDay(to), 'end'),
      ...footOf(missing, x),
      ...runs.map((run): Drawn => lineOrDot(run, color)),
    ],
  }
}

/** The higher the strip of a day, the larger the share that was not found. Slanted lines, as on the pages, make it recognizable without colour. */
function footOf(missing: readonly Missing[], x: (day: number) => number): Drawn[] {
  if (missing.length === 0) return []
  const floor = size.height - size.bottom
  const half = usualInterval(missing.map(({ day }) => dayNumber(day))) / 2
  const boxes = missing.flatMap(({ day, share }) => {
    const [from, to] = [Math.max(size.left, x(dayNumber(day) - half)), Math.min(size.width - size.right, x(dayNumber(day) + half))]
    return hatchedBox(from, to, floor, Math.max(3, share * footHeight))
  })
  return [...boxes, ...rulerOf(floor, 'none')]
}

function hatchedBox(from: number, to: number, floor: number, tall: number): Drawn[] {
  const box: Drawn = { kind: 'box', at: [from, floor - tall], size: [Math.max(1.5, to - from), tall], color: '#f0f0ec' }
  const slants: Drawn[] = []
  for (let start = Math.ceil((from - tall) / hatchStep) * hatchStep; start < to; start += hatchStep) {
    const [left, right] = [Math.max(from, start), Math.min(to, start + tall)]
    const points: DrawnPoint[] = [
      [left, floor - (left - start)],
      [right, floor - (right - start)],
    ]
    if (right > left) slants.push({ kind: 'line', points, color: label, width: 0.6 })
  }
  return [box, ...slants]
}

function lineOrDot(run: readonly DrawnPoint[], color: string): Drawn {
  const [only] = run
  return run.length === 1 && only ? { kind: 'dot', at: only, radius: 3, color } : { kind: 'line', points: run, color, width: 2 }
}

function rulerOf(y: number, text: string): Drawn[] {
  return [
    {
      kind: 'line',
      points: [
        [size.left, y],
        [size.width - size.right, y],
      ],
      color: ruler,
      width: 0.75,
    },
    { kind: 'text', at: [size.left - 6, y + 4], text, size: labelSize, color: label, anchor: 'end' },
  ]
}

function dayLabel(x: number, text: string, anchor: 'start' | 'end'): Drawn {
  return { kind: 'text', at: [x, size.height - 6], text, size: labelSize, color: label, anchor }
}
