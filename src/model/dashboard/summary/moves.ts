/** What moved: how many places each keyword gained between the ends of a period. */

import type { KeywordLine } from '../own-lines.ts'
import type { DaySpan } from '../positions.ts'

/** Sorts "not found" after every rank. */
export const afterEveryRank = 1_000_000

export function rankToSort(rank: number | null): number {
  return rank === null ? afterEveryRank + 1 : rank === 0 ? afterEveryRank : rank
}

/** Above 0 is better; null where it was not measured at both ends. */
export function placesGained({ now, before }: Pick<KeywordLine, 'now' | 'before'>): number | null {
  return now === null || before === null ? null : rankToSort(before) - rankToSort(now)
}

/** What moved most comes first; null where nothing moved, or nothing is compared. */
export function movedLines(keywords: readonly KeywordLine[], { before }: { readonly before: DaySpan | null }) {
  const gained = (line: KeywordLine) => placesGained(line) ?? 0
  const moved = keywords.filter((line) => gained(line) !== 0).toSorted((a, b) => gained(b) - gained(a))
  if (moved.length === 0 || before === null) return null
  const [better, worse] = [moved.filter((line) => gained(line) > 0), moved.filter((line) => gained(line) < 0).reverse()]
  return { since: before.to, better, worse }
}
