/** Writes rankings straight from packed months: no object is made on the way, and the table of fields stays the only list of them. */

import type { Span, SpanWriter, SpanWriters } from '../fields/flow.ts'
import type { Drain } from '../fields/straight-line.ts'
import { csvCells } from '../fields/to-csv.ts'
import { compileJsonMembers } from '../fields/to-json.ts'
import { compileXmlFields, indent } from '../fields/to-xml.ts'
import { dayText } from '../lib/days.ts'
import { ranking } from '../resources/seo-report.ts'
import { rankingLayout } from '../store/packed-months.ts'

/** A source by its code in packed months. */
export type Labels = readonly Label[]

export interface Label {
  readonly locale: string
  readonly search_engine: string
}

export interface RankingSpan extends Span {
  readonly words: Uint32Array
  readonly labels: Labels
}

/** The texts of which a ranking is made: one for its source, one for its time, one for its rank. */
interface Pieces {
  source(label: Label): string
  time(text: string): string
  rank(rank: number | null): string
}

const { locale, search_engine, ranked_at, rank } = ranking
const bySource = { locale, search_engine }
// The three texts are put together in this order, so the table must have it.
if (Object.keys(ranking).join() !== 'locale,search_engine,ranked_at,rank')
  throw new Error('The table of rankings has changed: so must their writer.')

const options = { nulls: 'untyped' } as const

export const xmlRankings: SpanWriters = {
  at(depth, item) {
    const [open, close] = item === null ? ['', ''] : [`${indent(depth)}<${item}>\n`, `${indent(depth)}</${item}>\n`]
    const source = compileXmlFields(bySource, depth + 1, options)
    const time = compileXmlFields({ ranked_at }, depth + 1, options)
    const place = compileXmlFields({ rank }, depth + 1, options)
    return writerOf({
      source: (label) => open + source(label),
      time: (text) => time({ ranked_at: text }),
      rank: (value) => place({ rank: value }) + close,
    })
  },
}

export const jsonRankings: SpanWriters = {
  at() {
    const [source, time, place] = [compileJsonMembers(bySource), compileJsonMembers({ ranked_at }), compileJsonMembers({ rank })]
    return writerOf({
      source: (label) => `{${source(label)},`,
      time: (text) => `${time({ ranked_at: text })},`,
      rank: (value) => `${place({ rank: value })}}`,
    })
  },
}

export function csvRankings(): SpanWriter {
  return writerOf({
    source: (label) => `${csvCells([label.locale, label.search_engine])},`,
    time: (text) => `${text},`,
    rank: (value) => `${value ?? ''}\r\n`,
  })
}

const drainAbove = 16_384
const maxRankKept = 4_096
const daysKept = 4_096
const secondsPerDay = 86_400

function writerOf(pieces: Pieces): SpanWriter {
  const headsOf = new WeakMap<Labels, string[]>()
  const tails: string[] = []
  const { dayOf, minutes, seconds } = momentTexts(pieces.time)
  const tailOf = (value: number) => {
    const tail = flat(pieces.rank(value === 0 ? null : value))
    if (value < maxRankKept) tails[value] = tail
    return tail
  }
  const write = (written: string, span: RankingSpan, drain: Drain, lead: string, open: string, close: string): string => {
    const { words, to, labels } = span
    const heads = headsOf.get(labels) ?? headsFor(labels, pieces, headsOf)
    let s = written
    let before = lead
    for (let i = span.from; i < to; i += rankingLayout.words) {
      const time = words[i] as number
      const word = words[i + 1] as number
      const value = word & 0xffff
      const day = Math.floor(time / secondsPerDay)
      const minute = Math.floor((time - day * secondsPerDay) / 60)
      const second = time - day * secondsPerDay - minute * 60
      s += before + heads[word >>> 16] + dayOf(day) + minutes[minute] + seconds[second] + (tails[value] ?? tailOf(value)) + close
      before = open
      if (s.length > drainAbove) s = drain(s)
    }
    return s
  }
  return write as SpanWriter
}

function headsFor(labels: Labels, { source }: Pieces, headsOf: WeakMap<Labels, string[]>): string[] {
  const heads: string[] = []
  for (const code in labels) heads[Number(code)] = flat(source(labels[code] as Label))
  headsOf.set(labels, heads)
  return heads
}

/** A moment in three texts that were made before: the day with what stands before it, hour and minute, the second with what follows. */
function momentTexts(write: (text: string) => string) {
  const [before = '', behind = ''] = write('\0').split('\0')
  const dayNumbers = new Int32Array(daysKept).fill(-1)
  const days: string[] = new Array(daysKept).fill('')
  const minutes = Array.from({ length: 1_440 }, (_, minute) => flat(` ${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:`))
  const seconds = Array.from({ length: 60 }, (_, second) => flat(twoDigits(second) + behind))
  const dayOf = (day: number) => {
    const place = day & (daysKept - 1)
    if (dayNumbers[place] !== day) {
      dayNumbers[place] = day
      days[place] = flat(before + dayText(day))
    }
    return days[place] as string
  }
  return { dayOf, minutes, seconds }
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** A text put together of others is a tree that would be walked again for every ranking; this one is not. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}
