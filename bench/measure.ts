/** Measuring side by side: contenders take turns, round after round, so that a busy moment meets them all. */

import { setTimeout as sleep } from 'node:timers/promises'

const settleMilliseconds = 50

export type Contender = () => Promise<number> | number

/** The median of each contender over the rounds, in whatever it measures; the first rounds only warm up. */
export async function compare<N extends string>(
  contenders: Readonly<Record<N, Contender>>,
  rounds: number,
  warmUp = 3,
): Promise<Record<N, number>> {
  const names = Object.keys(contenders) as N[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const name of names) {
      await settle()
      const value = await contenders[name]()
      if (round >= warmUp) taken[name].push(value)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken[name])])) as Record<N, number>
}

/** What one contender leaves behind, garbage above all, must not burden the next. */
async function settle(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error('Benchmarks are run with --expose-gc.')
  globalThis.gc()
  await sleep(settleMilliseconds)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** A line of the table of results. */
export interface Line {
  readonly work: string
  readonly ours: string
  readonly against: string
  readonly theirs: string
  readonly ratio: string
  readonly goal: string
}

interface Comparison {
  readonly work: string
  readonly against: string
  readonly unit: 'ms' | 'µs' | 'MB' | 'requests/s' | 'creates' | 'bytes a ranking' | 'bytes a keyword-month' | 'pages a site-month'
  readonly ours: number
  readonly theirs: number
  /** `<= 1.2`: our value by theirs; `>= 10x`: so many times quicker. */
  readonly goal: string
}

export function line({ work, against, unit, ours, theirs, goal }: Comparison): Line {
  const isFactor = goal.includes('x')
  const ratio = isFactor ? theirs / ours : ours / theirs
  const bound = Number(/[\d.]+/.exec(goal)?.[0])
  const isMet = goal === '' ? '' : (goal.startsWith('<=') ? ratio <= bound : ratio >= bound) ? ' (met)' : ' (missed)'
  const written = (value: number) => `${value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)} ${unit}`
  return {
    work,
    ours: written(ours),
    against,
    theirs: written(theirs),
    ratio: `${ratio.toFixed(2)}${isFactor ? 'x' : ''}`,
    goal: goal + isMet,
  }
}

export function missing(work: string, against: string, reason: string, goal: string): Line {
  return { work, ours: '', against, theirs: reason, ratio: 'not measured', goal }
}
