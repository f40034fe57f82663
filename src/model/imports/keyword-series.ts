/** Sets the rankings and clicks of keywords aside while an import is checked. */

import type { Values } from '../../fields/read-incoming.ts'
import { secondsOfDay } from '../../lib/time/moments.ts'
import type { LineError } from '../../resources/import-fault.ts'
import { maxRankedUrls } from './ranked-urls.ts'
import type { References } from './references.ts'
import type { SubjectRef } from './refs.ts'
import { maxSources } from './sources.ts'
import type { ImportSpools } from './spools.ts'

/** Where records go and to whom they belong. `keyword` returns the index of the keyword, if it exists or may be created. */
interface Filing {
  readonly reach: References
  readonly spools: ImportSpools
  readonly subject: SubjectRef
  keyword(): number | undefined
}

export function fileRanking({ reach, spools, subject, keyword: find }: Filing, values: Values): LineError | undefined {
  const source = reach.sources.place(subject.site.account_id, values.search_engine as string, values.locale as string)
  if (source === undefined) return { field: 'locale', code: 'too_many', max: maxSources }
  const keyword = find()
  if (keyword === undefined) return { field: 'phrase', code: 'unknown' }
  const time = values.ranked_at as number
  spools.rankings.add([keyword, time, source, (values.rank as number | null) ?? 0])
  if (values.url === undefined) return undefined
  const url = values.url === null ? 0 : reach.rankedUrls.place(spools, subject.index, values.url as string)
  if (url === undefined) return { field: 'url', code: 'too_many', max: maxRankedUrls }
  spools.rankedUrlEntries.add([keyword, time, source, url])
  return undefined
}

export function fileClickCount({ reach, spools, subject, keyword: find }: Filing, values: Values): LineError | undefined {
  const source = reach.sources.place(subject.site.account_id, values.search_engine as string, '')
  if (source === undefined) return { field: 'search_engine', code: 'too_many', max: maxSources }
  const keyword = find()
  if (keyword === undefined) return { field: 'phrase', code: 'unknown' }
  const time = secondsOfDay(values.date as string) as number
  spools.clickCounts.add([keyword, time, source, values.clicks as number, values.impressions as number])
  return undefined
}
