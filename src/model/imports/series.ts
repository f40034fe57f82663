/** Applies records that are packed by the month: sorted by series, merged chunk by chunk, and counted exactly. */

import { setImmediate as otherWork } from 'node:timers/promises'
import { encodeRanking, encodeReviewCount, inOrder, rankingLayout, reviewCountLayout, type SourceOrder } from '../../store/packed-months.ts'
import type { Applying } from './apply.ts'
import { applyBatch, type PackedSeries, type SeriesTable } from './chunks.ts'
import type { References } from './references.ts'
import type { SourceCodes, SourceRef } from './sources.ts'
import { reviewCountWords, seriesGroups } from './spools.ts'

interface SeriesKind extends SeriesTable {
  readonly spool: 'rankings' | 'reviewCounts'
  readonly spooledWords: number
  ownerAt(reach: References, index: number): number
  /** Writes the entry of the spooled record at `from` to `to`. */
  pack(record: Uint32Array, from: number, entry: Uint32Array, to: number, code: number): void
}

const seriesKinds = {
  ranking: {
    name: 'ranking',
    table: 'ranking_months',
    owner: 'keyword_id',
    layout: rankingLayout,
    spool: 'rankings',
    spooledWords: 4,
    ownerAt: ({ keywordIds }, index) => keywordIds[index] as number,
    pack: (record, from, entry, to, code) => {
      encodeRanking(entry, to, { time: record[from + 1] as number, source: code, rank: record[from + 3] as number })
    },
  },
  review_count: {
    name: 'review_count',
    table: 'review_count_months',
    owner: 'page_id',
    layout: reviewCountLayout,
    spool: 'reviewCounts',
    spooledWords: reviewCountWords,
    ownerAt: ({ pages }, index) => pages[index]?.id as number,
    pack: (record, from, entry, to, code) => {
      const [time = 0, , count = 0, ratingSum = 0, createdAt = 0] = record.subarray(from + 1, from + 6)
      encodeReviewCount(entry, to, { time, source: code, count, ratingSum, createdAt })
    },
  },
} as const satisfies Record<string, SeriesKind>

const wordsPerWrite = 60_000
const seriesPerWrite = 500

export async function applySeries(work: Applying, name: keyof typeof seriesKinds, sources: SourceCodes): Promise<void> {
  const kind: SeriesKind = seriesKinds[name]
  for (const batch of batches(seriesIn(work, kind, sources))) {
    work.count(name, await work.write((tx) => applyBatch(work, tx, kind, batch, sources.orders)))
    await otherWork()
  }
}

function* seriesIn({ spools, reach }: Applying, kind: SeriesKind, sources: SourceCodes): Generator<PackedSeries> {
  for (const block of spools[kind.spool].blocks()) yield* seriesOf(kind, reach, block, sources)
}

function* seriesOf(kind: SeriesKind, reach: References, block: Uint32Array, { codes, orders }: SourceCodes): Generator<PackedSeries> {
  const { layout } = kind
  for (const group of seriesGroups(block, kind.spooledWords)) {
    const words = new Uint32Array(group.length * layout.words)
    for (let i = 0; i < group.length; i++) {
      const from = group[i] as number
      kind.pack(block, from, words, i * layout.words, codes[block[from + 2] as number] as number)
    }
    const first = group[0] as number
    const { account_id } = reach.sources.all[block[first + 2] as number] as SourceRef
    const order = orders.get(account_id) as SourceOrder
    yield { account_id, owner: kind.ownerAt(reach, block[first] as number), words: inOrder(words, layout, order) }
  }
}

/** Each batch is one transaction: of one account, and a series that goes on in the next block waits for the next one. */
function* batches(all: Iterable<PackedSeries>): Generator<PackedSeries[]> {
  let batch = new Map<number, PackedSeries>()
  let words = 0
  let account: number | undefined
  for (const series of all) {
    const isOther = account !== undefined && series.account_id !== account
    account = series.account_id
    if (isOther || words >= wordsPerWrite || batch.size >= seriesPerWrite || batch.has(series.owner)) {
      yield [...batch.values()]
      batch = new Map()
      words = 0
    }
    batch.set(series.owner, series)
    words += series.words.length
  }
  if (batch.size > 0) yield [...batch.values()]
}
