/** Detects review counts that are running totals, and turns them into daily counts. */

import { refuse } from '../../../lib/failures.ts'
import { series } from '../../../store/series.ts'
import { SeriesSpool, seriesGroups, spooledWords } from '../spools.ts'

const wordsEach = spooledWords(series.review_count)
/** Where the figures stand among these words. */
const [countAt, sumAt] = [4, 5]

/** Counts that rise so often and never fall are hardly daily counts: five random ones rise all the way once in a hundred times. */
const tellingRises = 4

/** Whether the counts of no page ever fall, and those of some page rise again and again. */
export function lookLikeTotals(counts: SeriesSpool): boolean {
  let doRise = false
  for (const { block, starts } of seriesIn(counts)) {
    const figures = starts.map((start) => block[start + countAt] as number)
    if (figures.some((figure, i) => i > 0 && figure < (figures[i - 1] as number))) return false
    doRise ||= figures.filter((figure, i) => i > 0 && figure > (figures[i - 1] as number)).length >= tellingRises
  }
  return doRise
}

/**
 * Subtracts from each total the one before it. The first total of a page only starts the counting and becomes no count, because it is not known how many of
 * its reviews are of that day. A total that falls (reviews were removed) counts as 0.
 */
export function dailyCounts(totals: SeriesSpool): SeriesSpool {
  const daily = new SeriesSpool(wordsEach)
  const seen = new Set<string>()
  for (const { block, starts } of seriesIn(totals)) {
    const [page, , source] = block.subarray(starts[0] as number)
    const name = `${page} ${source}`
    if (seen.has(name)) refuse('too_large', 'There are too many running totals for one import: cut the file into several')
    seen.add(name)
    for (let i = 1; i < starts.length; i++) daily.add(difference(block, starts[i - 1] as number, starts[i] as number))
  }
  totals.close()
  return daily
}

/** Limits the stars to the number of reviews: ratings that were changed later must not make 20 stars of 3 reviews. */
function difference(block: Uint32Array, before: number, after: number): number[] {
  const [page = 0, time = 0, source = 0, beside = 0, count = 0, sum = 0, created = 0] = block.subarray(after, after + wordsEach)
  const many = Math.max(0, count - (block[before + countAt] as number))
  const stars = Math.min(5 * many, Math.max(many, sum - (block[before + sumAt] as number)))
  return [page, time, source, beside, many, stars, created]
}

/** The counts of one page and source, by date; of two with the same date, the later one. */
function* seriesIn(counts: SeriesSpool): Generator<{ block: Uint32Array; starts: number[] }> {
  for (const block of counts.blocks()) {
    for (const group of seriesGroups(block, wordsEach)) {
      for (const starts of Map.groupBy(group, (start) => block[start + 2]).values()) {
        const byDate = new Map(starts.map((start) => [block[start + 1] as number, start]))
        yield { block, starts: [...byDate].sort(([a], [b]) => a - b).map(([, start]) => start) }
      }
    }
  }
}
