/** Stores records that are packed by month: sorts them by series, merges chunk by chunk, and counts the changes. */

import { setImmediate as otherWork } from 'node:timers/promises'
import { encodeClickCount, encodeRankedUrl, encodeRanking, encodeReviewCount, type SourceOrder } from '../../../store/packed-months.ts'
import { inOrder } from '../../../store/packed-order.ts'
import { newWords } from '../../../store/word-slabs.ts'
import type { SeriesName } from '../journal.ts'
import type { References } from '../references.ts'
import type { SourceRef } from '../sources.ts'
import { clickCountWords, reviewCountWords, seriesGroups } from '../spools.ts'
import { addCounts, noCounts } from '../summary.ts'
import type { Applying } from './applying.ts'
import { applyBatch, type PackedSeries, type SeriesTable, seriesTables } from './chunks.ts'
import type { SourceCodes } from './code-sources.ts'

/** The numbers that stand for names in packed months. */
interface Codes extends SourceCodes {
  /** The codes by the index of an address. */
  readonly urls: Uint32Array
}

interface SeriesKind {
  readonly spool: 'rankings' | 'rankedUrlEntries' | 'clickCounts' | 'reviewCounts'
  readonly spooledWords: number
  ownerAt(reach: References, index: number): number
  /** Packs the spooled record at `from` into the entry at `to`. */
  pack(record: Uint32Array, from: number, entry: Uint32Array, to: number, source: number, urls: Uint32Array): void
}

const keywordAt: SeriesKind['ownerAt'] = ({ keywordIds }, index) => keywordIds[index] as number

const seriesKinds: Readonly<Record<SeriesName, SeriesKind>> = {
  ranking: {
    spool: 'rankings',
    spooledWords: 4,
    ownerAt: keywordAt,
    pack: (record, from, entry, to, source) => {
      encodeRanking(entry, to, { time: record[from + 1] as number, source, rank: record[from + 3] as number })
    },
  },
  ranked_url: {
    spool: 'rankedUrlEntries',
    spooledWords: 4,
    ownerAt: keywordAt,
    pack: (record, from, entry, to, source, urls) => {
      encodeRankedUrl(entry, to, { time: record[from + 1] as number, source, code: urls[record[from + 3] as number] as number })
    },
  },
  click_count: {
    spool: 'clickCounts',
    spooledWords: clickCountWords,
    ownerAt: keywordAt,
    pack: (record, from, entry, to, source) => {
      const [time = 0, , clicks = 0, impressions = 0] = record.subarray(from + 1, from + 5)
      encodeClickCount(entry, to, { time, source, clicks, impressions })
    },
  },
  review_count: {
    spool: 'reviewCounts',
    spooledWords: reviewCountWords,
    ownerAt: ({ pages }, index) => pages[index]?.id as number,
    pack: (record, from, entry, to, source) => {
      const [time = 0, , count = 0, ratingSum = 0, createdAt = 0] = record.subarray(from + 1, from + 6)
      encodeReviewCount(entry, to, { time, source, count, ratingSum, createdAt })
    },
  },
}

export const seriesNames = Object.keys(seriesKinds) as SeriesName[]

const wordsPerWrite = 60_000
const seriesPerWrite = 500
/** The most entries of one series in one transaction: as many as are merged within a time slice. */
const entriesPerSeries = 2_000

export async function applySeries(work: Applying, name: SeriesName, codes: Codes): Promise<void> {
  const kind = { ...seriesKinds[name], ...seriesTables[name] }
  const urls = noCounts()
  for (const batch of batches(seriesIn(work, kind, codes))) {
    // Packing and sorting a long series takes time slices of its own.
    await otherWork()
    if (batch === undefined) continue
    const counts = await work.write((tx) => applyBatch(work, tx, kind, batch, codes.orders))
    if (name === 'ranked_url') addCounts(urls, counts)
    else work.count(name, counts)
  }
  if (name === 'ranked_url') work.counts.countRankedUrls(urls)
}

/** Undefined stands where other work may come first. */
type SeriesOrPause = PackedSeries | undefined

function* seriesIn({ spools, reach }: Applying, kind: SeriesKind & SeriesTable, codes: Codes): Generator<SeriesOrPause> {
  for (const block of spools[kind.spool].blocks()) yield* seriesOf(kind, reach, block, codes)
}

function* seriesOf(
  kind: SeriesKind & SeriesTable,
  reach: References,
  block: Uint32Array,
  { codes, orders, urls }: Codes,
): Generator<SeriesOrPause> {
  const { layout } = kind
  for (const group of seriesGroups(block, kind.spooledWords)) {
    const words = newWords(group.length * layout.words)
    for (let i = 0; i < group.length; i++) {
      const from = group[i] as number
      kind.pack(block, from, words, i * layout.words, codes[block[from + 2] as number] as number, urls)
    }
    const first = group[0] as number
    const { account_id } = reach.sources.all[block[first + 2] as number] as SourceRef
    const order = orders.get(account_id) as SourceOrder
    const owner = kind.ownerAt(reach, block[first] as number)
    if (group.length > entriesPerSeries) yield
    yield* inPieces({ account_id, owner, words: yield* inOrder(words, layout, order) }, entriesPerSeries * layout.words)
  }
}

function* inPieces({ words, ...series }: PackedSeries, most: number): Generator<PackedSeries> {
  for (let at = 0; at < words.length; at += most) yield { ...series, words: words.subarray(at, at + most) }
}

/** Each batch is one transaction with series of one account; the continuation of a series waits for the next batch. */
function* batches(all: Iterable<SeriesOrPause>): Generator<PackedSeries[] | undefined> {
  let batch = new Map<number, PackedSeries>()
  let words = 0
  let account: number | undefined
  for (const series of all) {
    if (series === undefined) {
      yield
      continue
    }
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
