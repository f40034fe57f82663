/** Compares how long two things take: by their medians, and by Welch's t. */
import { percentile } from './client.ts'
import type { Chance } from './random.ts'

/** In pairs, now this one first and now that, so that whatever else goes on hits both alike. */
export async function compareTimes(chance: Chance, count: number, one: () => Promise<number>, other: () => Promise<number>) {
  const [left, right]: [number[], number[]] = [[], []]
  for (let index = 0; index < count; index += 1) {
    const isFirst = chance.next() < 0.5
    if (isFirst) left.push(await one())
    right.push(await other())
    if (!isFirst) left.push(await one())
  }
  return {
    difference: Math.round((exact(left) - exact(right)) * 1000) / 1000,
    welch: Math.round(welch(trimmed(left), trimmed(right)) * 100) / 100,
  }
}

function exact(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Without the slowest twentieth, which tells of the machine and not of the service. */
function trimmed(values: readonly number[]): number[] {
  const limit = percentile(values, 0.95)
  return values.filter((value) => value <= limit)
}

function welch(left: readonly number[], right: readonly number[]): number {
  const [a, b] = [momentsOf(left), momentsOf(right)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / left.length + b.variance / right.length)
}

function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1)
  return { mean, variance }
}
