/** The keywords of a site as rows, one per phrase with its engines: searched, filtered and sorted by the query. */

import type { KeywordFacts } from '../../model/dashboard/keyword-facts.ts'
import type { KeywordLine } from '../../model/dashboard/own-lines.ts'
import type { Source } from '../../model/dashboard/ranking-series.ts'
import { afterEveryRank, placesGained, rankToSort } from '../../model/dashboard/summary/moves.ts'
import { bandOf } from '../../model/dashboard/week-bands.ts'
import { bands } from '../charts/bands.ts'
import { matcherOf, type SortHead, type Sorting, sorted, sortingOf } from '../components/components.ts'
import type { ReaderPageRequest } from '../page-request.ts'

/** One phrase with its lines, one for each source. */
export interface GridRow {
  readonly phrase: string
  readonly keywordId: number
  readonly facts: KeywordFacts
  readonly lines: readonly KeywordLine[]
}

// biome-ignore format: a table reads by its columns
const sortKeys: readonly { key: string; keyOf: (row: GridRow) => string | number | null }[] = [
  { key: 'keyword',  keyOf: (row) => row.phrase },
  { key: 'now',      keyOf: (row) => least(row.lines.map((line) => rankToSort(line.now))) },
  { key: 'change',   keyOf: (row) => placesGained(bestOf(row)) },
  { key: 'best',     keyOf: (row) => least(row.lines.map((line) => line.best)) },
  { key: 'movers',   keyOf: (row) => most(gainsOf(row).map(Math.abs)) },
  { key: 'volume',   keyOf: (row) => row.facts.searchVolume },
  { key: 'clicks',   keyOf: (row) => row.facts.clicks },
  { key: 'shown',    keyOf: (row) => row.facts.impressions },
  { key: 'measured', keyOf: (row) => row.lines.map((line) => line.measuredOn ?? '').toSorted().at(-1) || null },
]

/** What moved most comes first; keywords that were not measured at both ends come last, in the order of their names. */
export const byMovement: Sorting = { key: 'movers', order: 'down' }

/** The keywords that the query selects, in its order: shown page by page in the table, and completely in the CSV file. */
export function chosenKeywords(request: ReaderPageRequest, all: readonly KeywordLine[]): KeywordLine[] {
  return chosenRows(request, all).rows.flatMap((row) => row.lines)
}

/** The rows that fit, and how many there are in all. */
export function chosenRows(request: ReaderPageRequest, all: readonly KeywordLine[]): { rows: GridRow[]; total: number } {
  const [isSought, isInBand] = [matcherOf(request.query.get('q') ?? ''), bandFilter(request.query.get('band'))]
  const tag = request.query.get('tag')
  const isTagged = ({ facts }: GridRow) => !tag || facts.tags.includes(tag)
  const every = rowsOf(all)
  const rows = every.filter((row) => isSought(row.phrase) && isTagged(row) && row.lines.some(isInBand))
  const { key, order } = sortingOf(request, [...keywordHeads([]), ...factHeads], byMovement)
  const inOrder = sorted(rows, sortKeys.find((one) => one.key === key)?.keyOf ?? ((row) => row.phrase), order)
  return { rows: inOrder, total: every.length }
}

/** The lines of a keyword come one after the other. */
function rowsOf(all: readonly KeywordLine[]): GridRow[] {
  const rows: (GridRow & { readonly lines: KeywordLine[] })[] = []
  for (const line of all) {
    const { phrase, keywordId, facts } = line
    const last = rows.at(-1)
    if (last?.keywordId === keywordId) last.lines.push(line)
    else rows.push({ phrase, keywordId, facts, lines: [line] })
  }
  return rows
}

function bandFilter(name: string | null): (line: KeywordLine) => boolean {
  const band = bands.findIndex((one) => one.name === name)
  return ({ now }) => band < 0 || (now !== null && bandOf(now) === band)
}

export function keywordHeads(sources: readonly Source[]): SortHead[] {
  return [
    { key: 'keyword', label: 'Keyword' },
    { key: 'now', label: sources.length > 1 ? 'Best now' : 'Now', isNumber: true, mark: sources.length > 1 ? 'hide-s' : '' },
    { key: 'change', label: 'Change', isNumber: true, first: 'down', mark: sources.length > 1 ? 'hide-s' : '' },
    { key: 'best', label: 'Best of the period', isNumber: true, mark: 'hide-m' },
    { key: 'movers', label: 'Trend', first: 'down' },
    { key: 'measured', label: 'Last measured', first: 'down', mark: 'hide-m' },
  ]
}

// biome-ignore format: a table reads by its columns
const factHeads: readonly (SortHead & { readonly factOf: (facts: KeywordFacts) => number | null })[] = [
  { key: 'volume', label: 'Searches a month', isNumber: true, first: 'down', mark: 'hide-m', factOf: (facts) => facts.searchVolume },
  { key: 'clicks', label: 'Clicks',           isNumber: true, first: 'down', mark: 'hide-m', factOf: (facts) => facts.clicks },
  { key: 'shown',  label: 'Impressions',      isNumber: true, first: 'down', mark: 'hide-m', factOf: (facts) => facts.impressions },
]

/** The columns that have a value for one of these keywords at least. */
export function knownFacts(all: readonly KeywordLine[]): typeof factHeads {
  return factHeads.filter(({ factOf }) => all.some(({ facts }) => factOf(facts) !== null))
}

/** A longer choice could not be used. */
const mostTags = 200

export function tagsOf(all: readonly KeywordLine[]): string[] {
  const tags = new Set(all.flatMap(({ facts }) => facts.tags))
  return [...tags].sort().slice(0, mostTags)
}

/** The best rank on any engine in each part of the period. */
export function trendOf(row: GridRow): (number | null)[] {
  const [first, ...others] = row.lines.map(({ slots }) => slots)
  const better = (a: number | null, b: number | null) => {
    if (a === null || b === null) return a ?? b
    return a > 0 && b > 0 ? Math.min(a, b) : Math.max(a, b)
  }
  return others.reduce<(number | null)[]>((all, slots) => all.map((one, index) => better(one, slots[index] ?? null)), [...(first ?? [])])
}

type Moved = Pick<KeywordLine, 'now' | 'before' | 'lostSince'>

/** The best rank on any engine, now and before, of the engines measured both times. */
export function bestOf(row: GridRow): Moved {
  const both = row.lines.filter(({ now, before }) => now !== null && before !== null)
  const [now, before] = [least(both.map((line) => rankToSort(line.now))), least(both.map((line) => rankToSort(line.before)))]
  const rank = (key: number | null) => (key === afterEveryRank ? 0 : key)
  const lostSince = both.reduce<string | null>((day, line) => (line.lostSince && line.lostSince > (day ?? '') ? line.lostSince : day), null)
  return { now: rank(now), before: rank(before), lostSince }
}

function gainsOf(row: GridRow): number[] {
  return row.lines.flatMap((line) => placesGained(line) ?? [])
}

function least(values: readonly (number | null)[]): number | null {
  return values.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b)), null)
}

function most(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values)
}
