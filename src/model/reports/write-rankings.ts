/** Writes rankings directly from packed months without creating an object for each; the table of fields stays the only list of fields. */

import type { PackedItems, PackedWriter, PackedWriters } from '../../fields/streaming.ts'
import { csvCells } from '../../fields/to-csv.ts'
import { compileJsonMembers } from '../../fields/to-json.ts'
import { compileXmlFields, indent } from '../../fields/to-xml.ts'
import { memo, memoByObject } from '../../lib/memo.ts'
import type { ChunkWriter } from '../../lib/streams/chunks.ts'
import { dayText } from '../../lib/time/days.ts'
import { ranking } from '../../resources/seo-report.ts'
import { maxRank, rankAt, rankingLayout, sourceAt, timeAt } from '../../store/packed-months.ts'

/** The sources by their code in packed months. */
export type Labels = readonly Label[]

export interface Label {
  readonly locale: string
  readonly search_engine: string
  /** Given where the ranking is printed with its device and location. */
  readonly device?: string
  readonly location?: string
}

export interface PackedRankings extends PackedItems {
  readonly words: Uint32Array
  readonly labels: Labels
}

/** The text of a ranking in three parts: for its source, its time and its rank. */
interface Pieces {
  /** The text between two rankings. */
  readonly separator: string
  source(label: Label): string
  time(text: string): string
  rank(rank: number | null): string
}

const { ranked_at, rank, ...byTracked } = ranking
const { device: _device, location: _location, ...bySource } = byTracked
// The three parts are joined in this order, so the table must have it.
if (Object.keys(ranking).join() !== 'locale,search_engine,device,location,ranked_at,rank')
  throw new Error('The table of rankings has changed: so must their writer.')

const options = { nulls: 'untyped' } as const

export const xmlRankings: PackedWriters = {
  at(depth, item) {
    const [open, close] = item === null ? ['', ''] : [`${indent(depth)}<${item}>\n`, `${indent(depth)}</${item}>\n`]
    const source = sourceWriter((fields) => compileXmlFields(fields, depth + 1, options))
    const time = compileXmlFields({ ranked_at }, depth + 1, options)
    const place = compileXmlFields({ rank }, depth + 1, options)
    return writerOf({
      separator: '',
      source: (label) => open + source(label),
      time: (text) => time({ ranked_at: text }),
      rank: (value) => place({ rank: value }) + close,
    })
  },
}

export const jsonRankings: PackedWriters = {
  at() {
    const source = sourceWriter(compileJsonMembers)
    const [time, place] = [compileJsonMembers({ ranked_at }), compileJsonMembers({ rank })]
    return writerOf({
      separator: ',',
      source: (label) => `{${source(label)},`,
      time: (text) => `${time({ ranked_at: text })},`,
      rank: (value) => `${place({ rank: value })}}`,
    })
  },
}

/** Of a ranking with or without device and location. */
function sourceWriter(compile: (fields: typeof byTracked) => (label: Required<Label>) => string): Pieces['source'] {
  const [tracked, plain] = [compile(byTracked), compile(bySource as typeof byTracked)]
  return (label) => (label.device === undefined ? plain : tracked)(label as Required<Label>)
}

export function csvRankings(series: 'one' | 'all'): PackedWriter {
  const cells = ({ locale, search_engine, device = '', location = '' }: Label) =>
    series === 'one' ? [locale, search_engine] : [locale, search_engine, device, location]
  return writerOf({
    separator: '',
    source: (label) => `${csvCells(cells(label))},`,
    time: (text) => `${text},`,
    rank: (value) => `${value ?? ''}\r\n`,
  })
}

const maxRankKept = 4_096
const daysKept = 1_024
/** The limit is small, because each may grow to 300 kB, and an account may have tens of thousands of sources. */
const maxStartsKept = 32
const secondsPerDay = 86_400
const encoder = new TextEncoder()

/** Copies bytes that were encoded before; strings would be concatenated, flattened and encoded again for each ranking (docs/decisions/2026-11-15-report-thread.md). */
function writerOf(pieces: Pieces): PackedWriter {
  const { separator } = pieces
  const [beforeTime = '', behindTime = ''] = pieces.time('\0').split('\0')
  const startWith = memo({ most: maxStartsKept, longest: 1_000 }, (source): Start => new Start(source))
  const startsOf = memoByObject((labels: Labels) => new Starts(labels, (label) => startWith(separator + pieces.source(label) + beforeTime)))
  const endFor = (rank: number) => encoder.encode(behindTime + pieces.rank(rank === 0 ? null : rank))
  const longestEnd = Math.max(endFor(0).length, endFor(maxRank).length)
  const ends: Uint8Array[] = []
  const endOf = (rank: number) => {
    const end = endFor(rank)
    if (rank < maxRankKept) ends[rank] = end
    return end
  }
  const write = (span: PackedRankings, out: ChunkWriter, open: string, close: string): void => {
    const { words, to, labels } = span
    const starts = startsOf(labels)
    const [before, behind] = [bytesOf(open), bytesOf(close)]
    const around = before.length + clockLength + longestEnd + behind.length
    let chunk = out.roomFor(around)
    let at = out.filled
    let skipped = separator.length
    for (let i = span.from; i < to; i += rankingLayout.words) {
      const source = starts.of(sourceAt(words, i))
      if (chunk.length - at < around + source.length) {
        out.fillTo(at)
        chunk = out.roomFor(around + source.length)
        at = out.filled
      }
      const time = timeAt(words, i)
      const rank = rankAt(words, i)
      const day = Math.floor(time / secondsPerDay)
      const start = source.on(day)
      if (before.length > 0) at = put(chunk, at, before)
      at = put(chunk, at, skipped === 0 ? start : start.subarray(skipped))
      at = putClock(chunk, at, time - day * secondsPerDay)
      at = put(chunk, at, ends[rank] ?? endOf(rank))
      if (behind.length > 0) at = put(chunk, at, behind)
      skipped = 0
    }
    out.fillTo(at)
  }
  return write as PackedWriter
}

/** The starts of an account's sources by code, made when a ranking first needs them. */
class Starts {
  readonly #labels: Labels
  readonly #make: (label: Label) => Start
  #byCode: Start[] = []
  #kept = 0

  constructor(labels: Labels, make: (label: Label) => Start) {
    this.#labels = labels
    this.#make = make
  }

  of(code: number): Start {
    return this.#byCode[code] ?? this.#keep(code)
  }

  #keep(code: number): Start {
    if (this.#kept++ >= maxStartsKept) {
      this.#byCode = []
      this.#kept = 1
    }
    const start = this.#make(this.#labels[code] as Label)
    this.#byCode[code] = start
    return start
  }
}

const nothing = new Uint8Array()

function bytesOf(text: string): Uint8Array {
  return text === '' ? nothing : encoder.encode(text)
}

function put(chunk: Uint8Array, at: number, bytes: Uint8Array): number {
  chunk.set(bytes, at)
  return at + bytes.length
}

/** The text before the time of day: the source and the day. */
class Start {
  readonly length: number
  readonly #source: string
  #day = -1
  #start: Uint8Array = nothing
  #days: Days | null = null

  constructor(source: string) {
    this.#source = source
    this.length = Buffer.byteLength(source) + '2026-11-14 '.length
  }

  on(day: number): Uint8Array {
    if (this.#day === day) return this.#start
    // Most of very many sources are seen on one day only, and need no room for more.
    if (this.#day >= 0) this.#days ??= new Days(this.#source)
    this.#day = day
    this.#start = this.#days === null ? startOn(this.#source, day) : this.#days.on(day)
    return this.#start
  }
}

/** The starts of one source on many days. */
class Days {
  readonly #source: string
  readonly #days = new Int32Array(daysKept).fill(-1)
  readonly #starts: Uint8Array[] = []

  constructor(source: string) {
    this.#source = source
  }

  on(day: number): Uint8Array {
    const place = day & (daysKept - 1)
    if (this.#days[place] !== day) {
      this.#days[place] = day
      this.#starts[place] = startOn(this.#source, day)
    }
    return this.#starts[place] as Uint8Array
  }
}

function startOn(source: string, day: number): Uint8Array {
  return encoder.encode(`${source}${dayText(day)} `)
}

const clockLength = '04:10:00'.length
const zero = '0'.charCodeAt(0)
const colon = ':'.charCodeAt(0)

function putClock(chunk: Uint8Array, at: number, second: number): number {
  const minute = Math.floor(second / 60)
  const hour = Math.floor(minute / 60)
  putTwoDigits(chunk, at, hour)
  chunk[at + 2] = colon
  putTwoDigits(chunk, at + 3, minute - hour * 60)
  chunk[at + 5] = colon
  putTwoDigits(chunk, at + 6, second - minute * 60)
  return at + clockLength
}

function putTwoDigits(chunk: Uint8Array, at: number, number: number): void {
  const tens = Math.floor(number / 10)
  chunk[at] = zero + tens
  chunk[at + 1] = zero + number - tens * 10
}
