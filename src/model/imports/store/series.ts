/** Stores records that are packed by month: sorts them by series, merges chunk by chunk, and counts the changes. */

import type { SourceOrder } from '../../../store/packed-months.ts'
import { type Doubled, inOrder } from '../../../store/packed-order.ts'
import type { Series, SeriesOwner } from '../../../store/series.ts'
import { newWords } from '../../../store/word-slabs.ts'
import type { References } from '../references.ts'
import type { SourceRef } from '../sources.ts'
import { seriesGroups, spooledWords } from '../spools.ts'
import { addCounts, noCounts } from '../summary.ts'
import type { Applying } from './applying.ts'
import { applyBatch, type PackedSeries } from './chunks.ts'
import type { SourceCodes } from './code-sources.ts'

/** The numbers that stand for names in packed months. */
interface Codes extends SourceCodes {
  /** The codes by the index of an address. */
  readonly urls: Uint32Array
}

/** The id of the owner whose index was set aside. */
const ownerAt: Readonly<Record<SeriesOwner, (reach: References, index: number) => number>> = {
  keyword_id: ({ keywordIds }, index) => keywordIds[index] as number,
  page_id: ({ pages }, index) => pages[index]?.id as number,
  subject_id: ({ subjects }, index) => subjects[index]?.id as number,
}

const wordsPerWrite = 60_000
const seriesPerWrite = 500
/** The most entries of one series in one transaction, so that it is short. */
const entriesPerSeries = 2_000

export async function applySeries(work: Applying, kind: Series, codes: Codes): Promise<void> {
  const isPart = kind.name !== kind.record
  const parts = noCounts()
  const doubled = { updated: 0 }
  for (const batch of batches(seriesIn(work, kind, codes, doubled))) {
    const counts = await work.write((tx) => applyBatch(work, tx, kind, batch, codes.orders))
    if (isPart) addCounts(parts, counts)
    else work.count(kind.record, counts)
  }
  if (isPart) work.counts.countParts(kind.record, parts)
  else work.count(kind.record, doubled)
}

function* seriesIn({ spools, reach }: Applying, kind: Series, codes: Codes, doubled: Doubled): Generator<PackedSeries> {
  for (const block of spools.series[kind.name].blocks()) yield* seriesOf(kind, reach, block, codes, doubled)
}

function* seriesOf(kind: Series, reach: References, block: Uint32Array, codes: Codes, doubled: Doubled): Generator<PackedSeries> {
  const { layout } = kind
  for (const group of seriesGroups(block, spooledWords(kind))) {
    const words = packed(kind, block, group, codes)
    const first = group[0] as number
    const { account_id } = reach.sources.all[block[first + 2] as number] as SourceRef
    const order = codes.orders.get(account_id) as SourceOrder
    const owner = ownerAt[kind.owner](reach, block[first] as number)
    yield* inPieces({ account_id, owner, words: inOrder(words, layout, order, doubled) }, entriesPerSeries * layout.words)
  }
}

/** The entries of a series, from the records that were set aside for it. */
function packed({ layout, figures }: Series, block: Uint32Array, group: Uint32Array, { codes, urls }: Codes): Uint32Array {
  const entries = newWords(group.length * layout.words)
  const isAddress = Object.values(figures).includes('address')
  let to = 0
  for (let i = 0; i < group.length; i++) {
    const from = group[i] as number
    entries[to] = block[from + 1] as number
    entries[to + 1] = ((codes[block[from + 2] as number] as number) << 16) | (block[from + 3] as number)
    for (let k = 2; k < layout.words; k++) {
      const word = block[from + 2 + k] as number
      entries[to + k] = isAddress ? (urls[word] as number) : word
    }
    to += layout.words
  }
  return entries
}

function* inPieces({ words, ...series }: PackedSeries, most: number): Generator<PackedSeries> {
  for (let at = 0; at < words.length; at += most) yield { ...series, words: words.subarray(at, at + most) }
}

/** Each batch is one transaction with series of one account; the continuation of a series waits for the next batch. */
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
