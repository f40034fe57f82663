/** Columns that hold one field each for a day, an engine or a device of their own: every such column of a row becomes a record. */

import type { Incoming } from '../../../fields/incoming.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { dayWithin } from './days.ts'
import { folded } from './folded.ts'

/** What a group of columns says of a row: the values that its columns stand for, and the cells. */
export interface Spread {
  readonly values: Readonly<Record<string, string>>
  readonly cells: readonly { readonly at: number; readonly field: string }[]
}

const rankWords = new Set(['', 'rank', 'ranking', 'position', 'pos', 'average_position', 'avg_position'])
const urlWords = /(?:^|_)(?:url|landing|landing_page|page)$/
/** What trackers write beside a rank, for the same day. */
const otherWords = /(?:^|_)(?:type|difference|diff|change|traffic|cpc|volume|visibility|features|intents?|estimated|share)$/

const engines: Readonly<Record<string, string>> = {
  google: 'Google',
  bing: 'Bing',
  yahoo: 'Yahoo',
  duckduckgo: 'DuckDuckGo',
  yandex: 'Yandex',
  baidu: 'Baidu',
  naver: 'Naver',
  seznam: 'Seznam',
  ecosia: 'Ecosia',
}
const devices: Readonly<Record<string, string>> = { desktop: 'desktop', mobile: 'mobile', tablet: 'tablet' }

export interface WideTable {
  readonly header: readonly string[]
  /** The field of each column that holds one of every row. */
  readonly fields: readonly (string | undefined)[]
  readonly time: string | undefined
  readonly table: Readonly<Record<string, Incoming>>
  readonly mapping: CsvMapping
}

/** The columns told as `rank[search_engine=Google]`, those named by a day, and those named by an engine or a device alone. */
export function spreadsOf(wide: WideTable): readonly Spread[] {
  const told = toldSpreads(wide)
  const value = wide.mapping.unpivot ?? impliedValue(wide)
  if (told.length > 0 || value === undefined || !Object.hasOwn(wide.table, value)) return told
  const days = daySpreads(wide, value)
  return days.length > 0 || wide.mapping.unpivot !== undefined ? days : sourceSpreads(wide, value)
}

/** Ranks are what wide tables hold where nothing else is told. */
function impliedValue({ fields, table }: WideTable): string | undefined {
  return Object.hasOwn(table, 'rank') && !fields.includes('rank') ? 'rank' : undefined
}

function toldSpreads({ header, mapping }: WideTable): readonly Spread[] {
  return (mapping.spread ?? []).flatMap(({ column, field, values }) => {
    const at = header.findIndex((name) => folded(name) === folded(column))
    return at < 0 ? [] : [{ values, cells: [{ at, field }] }]
  })
}

function daySpreads({ header, fields, time, mapping, table }: WideTable, value: string): readonly Spread[] {
  if (time === undefined || (mapping.unpivot === undefined && fields.includes(time))) return []
  const columns = header.flatMap((name, at) => {
    const found = fields[at] === undefined ? dayWithin(name, mapping.dateFormat) : undefined
    const field = found && fieldOfRest(folded(found.rest), value, table)
    return found === undefined || field === undefined ? [] : [{ at, day: found.day, field }]
  })
  // Columns of one field and day stay apart, so that the plan can tell of both.
  const values = columns.filter(({ field }) => field === value)
  const others = (day: string) => columns.filter((column) => column.day === day && column.field !== value)
  return values.map(({ at, day }) => ({
    values: { [time]: time === 'ranked_at' ? `${day} 00:00:00` : day },
    cells: [
      { at, field: value },
      ...others(day)
        .slice(0, 1)
        .map((other) => ({ at: other.at, field: other.field })),
    ],
  }))
}

/** What a column named by a day holds, by the rest of its name. */
function fieldOfRest(rest: string, value: string, table: WideTable['table']): string | undefined {
  if (rankWords.has(rest)) return value
  if (urlWords.test(rest)) return Object.hasOwn(table, 'url') ? 'url' : undefined
  return otherWords.test(rest) ? undefined : value
}

function sourceSpreads({ header, fields, table, mapping }: WideTable, value: string): readonly Spread[] {
  const free = (field: string) => Object.hasOwn(table, field) && !fields.includes(field) && mapping.set?.[field] === undefined
  const of = (field: string, names: Readonly<Record<string, string>>) =>
    header.flatMap((name, at) => {
      const word = folded(name).replace(/_?(?:rank|ranking|position|pos)_?/, '')
      const isOne = fields[at] === undefined && Object.hasOwn(names, word)
      return isOne ? [{ values: { [field]: names[word] as string }, cells: [{ at, field: value }] }] : []
    })
  const byEngine = free('search_engine') ? of('search_engine', engines) : []
  return byEngine.length > 0 || !free('device') ? byEngine : of('device', devices)
}
