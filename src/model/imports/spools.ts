/** Keeps the checked records of an import by kind until all are checked: in memory while they are few, then in nameless temporary files. */

import { closeSync, readSync, writeSync } from 'node:fs'
import type { Value } from '../../fields/incoming.ts'
import type { Values } from '../../fields/read-incoming.ts'
import { openNamelessFileSync } from '../../lib/streams/nameless-file.ts'
import { type Series, type SeriesName, series, seriesNames } from '../../store/series.ts'

export const rowKindNames = ['competitor', 'keyword', 'location', 'snapshot', 'backlink', 'page', 'review', 'period'] as const
export type RowKindName = (typeof rowKindNames)[number]

/** A record with the index of its owner in `sites`, `pages` or `subjects` of the references. */
export interface SpooledRow {
  readonly owner: number
  readonly values: Values
  /** It is the first record of a new keyword or competitor, which is created with what it says. */
  readonly isFirst?: boolean
}

/** A new keyword with the data of its first record. */
export interface SpooledKeyword {
  readonly subject: number
  readonly phrase: string
  readonly keyword: number
  readonly search_volume: Value
  readonly tags: Value
}

/** An address in the import, in the order of the indexes. */
export interface SpooledUrl {
  readonly subject: number
  readonly url: string
  readonly key_hash: string
}

/** An entry is set aside as the index of its owner, its time, the index of its source, what stands beside the source, and its other words. */
export function spooledWords({ layout }: Series): number {
  return layout.words + 2
}

export class ImportSpools {
  readonly sites = new RowSpool<number>()
  readonly subjects = new RowSpool<{ subject: number; created_at: Value | undefined }>()
  readonly keywords = new RowSpool<SpooledKeyword>()
  readonly rankedUrls = new RowSpool<SpooledUrl>()
  readonly rows = Object.fromEntries(rowKindNames.map((kind) => [kind, new RowSpool<SpooledRow>()])) as Record<
    RowKindName,
    RowSpool<SpooledRow>
  >
  readonly series = Object.fromEntries(seriesNames.map((name) => [name, new SeriesSpool(spooledWords(series[name]))])) as Record<
    SeriesName,
    SeriesSpool
  >

  addRow(kind: RowKindName, owner: number, values: Values, isFirst = false): void {
    this.rows[kind].add({ owner, values, ...(isFirst && { isFirst }) })
  }

  close(): void {
    const all = [...Object.values(this.series), ...Object.values(this.rows)]
    for (const spool of [this.sites, this.subjects, this.keywords, this.rankedUrls, ...all]) spool.close()
  }
}

const bufferedWords = 8_192
/** The first size of a bucket is small, because there are many buckets and most pushes have few records. */
const firstRecords = 32
const blockWords = 1 << 22
const bufferedText = 1 << 18
/** The most characters of a block, so that storing a block of long texts takes little time. */
const blockText = 1 << 18
const bucketBits = 6

/** Records of fixed size, distributed into buckets by series: a series is in one block or in successive ones, so that it can be sorted in memory. */
export class SeriesSpool {
  readonly #words: number
  readonly #buckets: Bucket[] = []

  constructor(words: number) {
    this.#words = words
  }

  /** The first number identifies the series. */
  add(record: readonly number[]): void {
    const bucket = this.#bucketOf(record[0] as number)
    if (bucket.length === bucket.buffer.length) makeRoom(bucket)
    for (let i = 0; i < this.#words; i++) bucket.buffer[bucket.length++] = record[i] as number
  }

  #bucketOf(series: number): Bucket {
    const number = series & ((1 << bucketBits) - 1)
    const known = this.#buckets[number]
    if (known !== undefined) return known
    const fresh = { buffer: new Uint32Array(firstRecords * this.#words), length: 0 }
    this.#buckets[number] = fresh
    return fresh
  }

  /** A block is valid until the next one is requested: all are read into the same buffer, because the garbage collector does not see how much memory they hold. */
  *blocks(): Generator<Uint32Array> {
    const limit = 4 * (blockWords - (blockWords % this.#words))
    const buckets = this.#buckets.filter((bucket) => bucket !== undefined)
    for (const bucket of buckets.filter(({ file }) => file)) {
      flush(bucket)
      // What is in the file needs no memory any more.
      bucket.buffer = new Uint32Array(firstRecords * this.#words)
    }
    const largest = Math.max(0, ...buckets.map(({ file }) => file?.size ?? 0))
    const place = Buffer.from(new ArrayBuffer(Math.min(limit, largest)))
    for (const bucket of buckets) {
      for (let at = 0; bucket.file && at < bucket.file.size; at += limit) yield wordsIn(bucket.file.readTo(place, at))
      yield bucket.buffer.subarray(0, bucket.length)
    }
  }

  close(): void {
    for (const bucket of this.#buckets) bucket?.file?.close()
  }
}

/** For each series of a block, the positions of its records in the order of arrival. */
export function* seriesGroups(block: Uint32Array, words: number): Generator<Uint32Array> {
  // All series of a block are in one bucket, so their numbers without the bucket's bits are dense enough for a counting sort.
  const number = (at: number) => (block[at] as number) >>> bucketBits
  let last = 0
  for (let at = 0; at < block.length; at += words) last = Math.max(last, number(at))
  const ends = new Uint32Array(last + 1)
  for (let at = 0; at < block.length; at += words) ends[number(at)] = (ends[number(at)] as number) + 1
  for (let i = 1; i <= last; i++) ends[i] = (ends[i] as number) + (ends[i - 1] as number)
  const starts = new Uint32Array(block.length / words)
  const next = new Uint32Array(last + 1)
  next.set(ends.subarray(0, last), 1)
  for (let at = 0; at < block.length; at += words) {
    const place = next[number(at)] as number
    starts[place] = at
    next[number(at)] = place + 1
  }
  for (let i = 0, start = 0; i <= last; start = ends[i++] as number) if ((ends[i] as number) > start) yield starts.subarray(start, ends[i])
}

/** A spool of JSON values, which are read back in blocks. */
export class RowSpool<T> {
  #pending: string[] = []
  #pendingLength = 0
  #file: SpoolFile | undefined

  add(value: T): void {
    const text = JSON.stringify(value)
    this.#pending.push(text)
    this.#pendingLength += text.length
    if (this.#pendingLength > bufferedText) this.#flush()
  }

  *blocks(size: number): Generator<T[]> {
    let block: T[] = []
    let length = 0
    for (const text of this.#texts()) {
      block.push(JSON.parse(text) as T)
      length += text.length
      if (block.length === size || length > blockText) {
        yield block
        block = []
        length = 0
      }
    }
    if (block.length > 0) yield block
  }

  close(): void {
    this.#file?.close()
  }

  #flush(): void {
    this.#file ??= new SpoolFile()
    this.#file.append(Buffer.from(`${this.#pending.join('\n')}\n`))
    this.#pending = []
    this.#pendingLength = 0
  }

  *#texts(): Generator<string> {
    let rest: Buffer = Buffer.alloc(0)
    for (let at = 0; this.#file && at < this.#file.size; at += bufferedText) {
      const bytes = Buffer.concat([rest, this.#file.read(at, bufferedText)])
      const end = bytes.lastIndexOf(10) + 1
      rest = bytes.subarray(end)
      if (end > 0) yield* bytes.toString('utf8', 0, end - 1).split('\n')
    }
    yield* this.#pending
  }
}

interface Bucket {
  buffer: Uint32Array
  length: number
  file?: SpoolFile
}

function makeRoom(bucket: Bucket): void {
  if (2 * bucket.buffer.length > bufferedWords) flush(bucket)
  else bucket.buffer = twiceAsLong(bucket.buffer)
}

function twiceAsLong(words: Uint32Array): Uint32Array {
  const longer = new Uint32Array(2 * words.length)
  longer.set(words)
  return longer
}

function flush(bucket: Bucket): void {
  bucket.file ??= new SpoolFile()
  bucket.file.append(Buffer.from(bucket.buffer.buffer, 0, bucket.length * 4))
  bucket.length = 0
}

function wordsIn(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}

class SpoolFile {
  readonly #file = openNamelessFileSync()
  size = 0

  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done, bytes.length - done, this.size + done)
    this.size += bytes.length
  }

  read(at: number, length: number): Buffer {
    return this.readTo(Buffer.alloc(length), at)
  }

  /** Reads from `at` on, as much as the buffer holds. */
  readTo(place: Buffer, at: number): Buffer {
    const bytes = place.subarray(0, this.size - at)
    for (let done = 0; done < bytes.length; ) done += readSync(this.#file, bytes, done, bytes.length - done, at + done)
    return bytes
  }

  close(): void {
    closeSync(this.#file)
  }
}
