/** The figures in entries of packed months: how many words each takes, how it is put into them, and how it is read again. */

import type { Value } from '../fields/incoming.ts'
import { momentText, secondsOfMoment } from '../lib/time/moments.ts'
import { at, maxRank, untold } from './packed-months.ts'

/**
 * `rank` is 0 where the phrase was looked for and not found. `address` is the subject's code of a ranked page, 0 where there is none. Of two times that are a
 * `first time`, the earlier one is kept. `up or down` is 1 where down is good.
 */
export type FigureKind = 'rank' | 'whole' | 'decimal' | 'address' | 'first time' | 'up or down'

/** What takes no word of its own stands beside the source, in 16 bits. */
export const wordsOfFigure: Readonly<Record<FigureKind, 0 | 1 | 2>> = {
  rank: 0,
  whole: 1,
  decimal: 2,
  address: 1,
  'first time': 1,
  'up or down': 0,
}

/** Adds a figure to the words of a record: its series, time, source and the 16 bits beside it, then its other words. */
export const putFigure: Readonly<Record<FigureKind, (record: number[], value: Value | undefined) => void>> = {
  rank: (record, value) => {
    record[besideSource] = (value as number | null) ?? 0
  },
  whole: (record, value) => {
    record.push(value as number)
  },
  // 0 is added, because -0 has other words.
  decimal: (record, value) => {
    const words = new Uint32Array(Float64Array.of((value as number) + 0).buffer)
    record.push(at(words, 0), at(words, 1))
  },
  address: (record, value) => {
    record.push(value as number)
  },
  'first time': (record, value) => {
    record.push(value === undefined ? untold : (secondsOfMoment(value as string) as number))
  },
  'up or down': (record, value) => {
    record[besideSource] = value === 'down' ? 1 : 0
  },
}

const besideSource = 3

/** Reads a figure of the entry at `index`, whose own words begin at `own`. */
export const readFigure: Readonly<Record<FigureKind, (words: Uint32Array, index: number, own: number) => Value>> = {
  rank: (words, index) => at(words, index + 1) & maxRank || null,
  whole: (words, _, own) => at(words, own),
  decimal: (words, _, own) => new Float64Array(words.slice(own, own + 2).buffer)[0] as number,
  address: (words, _, own) => at(words, own),
  'first time': (words, _, own) => momentText(at(words, own)),
  'up or down': (words, index) => ((at(words, index + 1) & maxRank) === 1 ? 'down' : 'up'),
}
