/** Sets the entries of packed series, and the figures of periods, aside while an import is checked. */

import type { Value } from '../../../fields/incoming.ts'
import type { Values } from '../../../fields/read-incoming.ts'
import { secondsOfDay } from '../../../lib/time/moments.ts'
import type { LineError } from '../../../resources/imports/import-fault.ts'
import { type FigureKind, putFigure } from '../../../store/figures.ts'
import { type Series, type SeriesRecord, seriesOf, sourceText } from '../../../store/series.ts'
import type { PlainWish } from '../import-line.ts'
import type { References } from '../references.ts'
import type { SubjectRef } from '../refs.ts'
import { maxSources } from '../sources.ts'
import type { ImportSpools } from '../spools.ts'
import { maxRankedUrls } from './ranked-urls.ts'

/** Where records go and to whom they belong. `owner` returns the index of the keyword or page, if it exists or may be created. */
interface Filing {
  readonly reach: References
  readonly spools: ImportSpools
  readonly subject: SubjectRef
  readonly plain: PlainWish | undefined
  owner(): number | undefined
}

/** The field by which a record names the owner of its entries. */
const namedBy = { keyword_id: 'phrase', page_id: 'page_url', subject_id: 'site' } as const

/** The source comes first, because an owner that is missing may be created. */
export function fileSeries(filing: Filing, record: SeriesRecord, values: Values): LineError | undefined {
  const all = seriesOf(record)
  const [main] = all
  const engine = sourceText(main, values)
  const locale = main.locale === undefined ? '' : ((values[main.locale] ?? '') as string)
  const { reach, subject, plain } = filing
  const source =
    plain !== undefined && record === 'ranking'
      ? reach.plain.place(subject.site, values as Record<string, string>, plain)
      : reach.sources.place(subject.site.account_id, engine, locale)
  if (source === undefined) return { field: main.locale ?? main.source[0], code: 'too_many', max: maxSources }
  const owner = filing.owner()
  if (owner === undefined) return { field: namedBy[main.owner], code: 'unknown' }
  const time = main.to === 'second' ? (values[main.time] as number) : (secondsOfDay(values[main.time] as string) as number)
  for (const one of all) {
    const fault = fileEntry(filing, one, [owner, time, source, 0], values)
    if (fault !== undefined) return fault
  }
  return undefined
}

function fileEntry({ reach, spools, subject }: Filing, kind: Series, words: number[], values: Values): LineError | undefined {
  for (const field in kind.figures) {
    const figure = kind.figures[field] as FigureKind
    let value: Value | undefined = values[field]
    if (figure === 'address') {
      if (value === undefined) return undefined
      value = value === null ? 0 : reach.rankedUrls.place(spools, subject.index, value as string)
      if (value === undefined) return { field, code: 'too_many', max: maxRankedUrls }
    }
    putFigure[figure](words, value)
  }
  spools.series[kind.name].add(words)
  return undefined
}

/** The figures of several days together are a row of the keyword, which is created only for a record that is good. */
export function filePeriod(
  spools: ImportSpools,
  subject: number,
  values: Values,
  keywordOf: () => number | undefined,
): LineError | undefined {
  if ((values['end_date'] as string) < (values['start_date'] as string)) return { field: 'end_date', code: 'before_start' }
  const keyword = keywordOf()
  if (keyword === undefined) return { field: 'phrase', code: 'unknown' }
  spools.addRow('period', keyword, { ...values, subject })
  return undefined
}
