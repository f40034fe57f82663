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
const daysKept = 1_024
const secondsPerDay = 86_400

function writerOf(pieces: Pieces): SpanWriter {
  const startsOf = new WeakMap<Labels, Start[]>()
  const [beforeTime = '', behindTime = ''] = pieces.time('\0').split('\0')
  const tails: string[] = []
  const tailOf = (value: number) => {
    const tail = flat(behindTime + pieces.rank(value === 0 ? null : value))
    if (value < maxRankKept) tails[value] = tail
    return tail
  }
  const startsFor = (labels: Labels) => {
    const starts = labels.map((label) => startWith(pieces.source(label) + beforeTime))
    startsOf.set(labels, starts)
    return starts
  }
  const write = (written: string, span: RankingSpan, drain: Drain, lead: string, open: string, close: string): string => {
    const { words, to, labels } = span
    const starts = startsOf.get(labels) ?? startsFor(labels)
    let s = written
    let before = lead
    for (let i = span.from; i < to; i += rankingLayout.words) {
      const time = words[i] as number
      const word = words[i + 1] as number
      const value = word & 0xffff
      const day = Math.floor(time / secondsPerDay)
      const start = (starts[word >>> 16] as Start)(day)
      s += before + start + clockText(time - day * secondsPerDay) + (tails[value] ?? tailOf(value)) + close
      before = open
      if (s.length > drainAbove) s = drain(s)
    }
    return s
  }
  return write as SpanWriter
}

/** What stands before the time of day: all of the source, and the day. */
type Start = (day: number) => string

function startWith(source: string): Start {
  const numbers = new Int32Array(daysKept).fill(-1)
  const texts: string[] = []
  return (day) => {
    const place = day & (daysKept - 1)
    if (numbers[place] !== day) {
      numbers[place] = day
      texts[place] = flat(`${source}${dayText(day)} `)
    }
    return texts[place] as string
  }
}

const clockTexts: string[] = new Array(secondsPerDay)

/** The time of day, `04:10:00`; there are few enough to keep each that was ever written. */
function clockText(second: number): string {
  clockTexts[second] ??= flat([Math.floor(second / 3_600), Math.floor(second / 60) % 60, second % 60].map(twoDigits).join(':'))
  return clockTexts[second]
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** A text put together of others is a tree that would be walked again for every ranking; this one is not. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}
