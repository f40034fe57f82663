/**
 * What is packed by the month: a row for each series, from which imports, exports, undo, removal, retention, the placement of tables and the documentation
 * know it. A series of a new kind is a row here, its record in `resources/observation.ts`, and the migration and row type of its table.
 */

import type { ObservationKind } from '../resources/observation.ts'
import type { Tracked } from '../resources/tracked.ts'
import { type FigureKind, wordsOfFigure } from './figures.ts'
import type { Layout } from './packed-months.ts'

interface SeriesRow {
  /** The kind of record that brings its entries. A second series of a record has an entry where the record has its figures. */
  readonly record: ObservationKind
  readonly table: string
  readonly owner: keyof typeof ownersOf
  /**
   * The fields that tell apart entries of one owner and time, besides `locale`. The account has a code for all of them together, and stores them as one text:
   * those after the first may be empty.
   */
  readonly source: readonly [string, ...string[]]
  /** The field of the locale, which some records may leave out. */
  readonly locale?: string
  /** The field that tells the time of an entry, to the second or to the day. */
  readonly time: string
  readonly to: 'second' | 'day'
  readonly figures: Readonly<Record<string, FigureKind>>
  /** What its entries are called where old months are removed. */
  readonly plural: string
  /** What its rows are called where it is counted what goes with their owner, if they are counted. */
  readonly counted?: string
}

const ownersOf = { keyword_id: 'keywords', page_id: 'pages', subject_id: 'subjects' } as const

/** Of what is looked for on an engine: where, on what and from where. */
const tracked = ['search_engine', 'device', 'location'] as const

// biome-ignore format: a table reads by its columns
const rows = {
  ranking: {
    record: 'ranking',      table: 'ranking_months',      owner: 'keyword_id', source: tracked,           locale: 'locale', time: 'ranked_at', to: 'second',
    figures: { rank: 'rank' },
    plural: 'rankings',      counted: 'months_of_rankings',
  },
  ranked_url: {
    record: 'ranking',      table: 'ranked_url_months',   owner: 'keyword_id', source: tracked,           locale: 'locale', time: 'ranked_at', to: 'second',
    figures: { url: 'address' },
    plural: 'ranked_pages',
  },
  click_count: {
    record: 'click_count',  table: 'click_count_months',  owner: 'keyword_id', source: tracked,           locale: 'locale', time: 'date',      to: 'day',
    figures: { clicks: 'whole', impressions: 'whole' },
    plural: 'clicks',
  },
  average_position: {
    record: 'average_position', table: 'average_position_months', owner: 'keyword_id', source: tracked,      locale: 'locale', time: 'date',      to: 'day',
    figures: { average_position: 'decimal' },
    plural: 'average_positions',
  },
  review_count: {
    record: 'review_count', table: 'review_count_months', owner: 'page_id',    source: ['source'],                          time: 'date',      to: 'day',
    figures: { count: 'whole', rating_sum: 'whole', created_at: 'first time' },
    plural: 'review_counts', counted: 'months_of_counts',
  },
  own_figure: {
    record: 'own_figure',   table: 'own_figure_months',   owner: 'subject_id', source: ['figure', 'unit'],                  time: 'date',      to: 'day',
    figures: { better: 'up or down', value: 'decimal' },
    plural: 'own_figures',   counted: 'months_of_own_figures',
  },
} as const satisfies Readonly<Record<string, SeriesRow>>

export type SeriesName = keyof typeof rows
export type MonthTable = (typeof rows)[SeriesName]['table']
/** The kinds of records that are packed by the month. */
export type SeriesRecord = (typeof rows)[SeriesName]['record']
/** The column that names the owner of a series. */
export type SeriesOwner = keyof typeof ownersOf

export interface Series extends SeriesRow {
  readonly name: SeriesName
  readonly record: SeriesRecord
  readonly table: MonthTable
  readonly owner: SeriesOwner
  readonly owners: (typeof ownersOf)[SeriesOwner]
  readonly layout: Layout
}

export const seriesNames = Object.keys(rows) as readonly SeriesName[]

export const series = Object.fromEntries(seriesNames.map((name) => [name, whole(name, rows[name])])) as Readonly<Record<SeriesName, Series>>

export const allSeries: readonly Series[] = Object.values(series)

const byRecord = Map.groupBy(allSeries, ({ record }) => record)

/** The series that the records of a kind bring, the one that each of them brings first. */
export function seriesOf(record: SeriesRecord): readonly [Series, ...Series[]] {
  return byRecord.get(record) as [Series, ...Series[]]
}

export function isSeriesRecord(kind: ObservationKind): kind is SeriesRecord {
  return (byRecord as ReadonlyMap<ObservationKind, unknown>).has(kind)
}

export function isSeriesName(word: string): word is SeriesName {
  return Object.hasOwn(rows, word)
}

/** A character that no text of a record may hold. */
export const betweenWords = '\u001f'

/** The text of a source: of its only word, that word. This runs for every record of an import. */
export function sourceText({ source }: Series, values: Readonly<Record<string, unknown>>): string {
  let text = values[source[0]] as string
  let empty = ''
  for (let place = 1; place < source.length; place++) {
    const word = values[source[place] as string] as string | undefined
    empty += betweenWords
    if (word === undefined || word === '') continue
    text += empty + word
    empty = ''
  }
  return text
}

/** The engine, device and location of what is looked for on an engine. */
export function trackedIn(text: string): Tracked {
  const [engine = '', device = '', location = ''] = text.split(betweenWords)
  return { engine, device, location }
}

/** The fields of a source, of which an empty one is left out. */
export function sourceFields({ source }: Series, text: string): Record<string, string> {
  const words = text.split(betweenWords)
  return Object.fromEntries(source.flatMap((field, place) => (words[place] ? [[field, words[place]]] : [])))
}

function whole(name: SeriesName, row: (typeof rows)[SeriesName]): Series {
  const kinds: readonly FigureKind[] = Object.values(row.figures)
  const kept = kinds.filter((kind) => kind === 'first time').length
  const words = kinds.reduce((sum, kind) => sum + wordsOfFigure[kind], 2)
  return { ...row, name, owners: ownersOf[row.owner], layout: { words, compared: words - kept } }
}
