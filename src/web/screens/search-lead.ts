/** The beginning of the search page: a summary sentence that is true for any data, and the current figures. */

import { type Html, html } from '../../lib/html.ts'
import type { Standing } from '../../model/dashboard/standing.ts'
import { type Figure, ofAll } from '../components/components.ts'
import { amountChange, type Change, pointsChange, positionChange, type Words } from '../components/number-format.ts'
import type { ReaderPageRequest } from '../page-request.ts'
import { courseSentences, isUnlikeMean } from './course-words.ts'
import type { SearchContent } from './search/content.ts'
import { summedFigures } from './search/summed.ts'

const visibilityExplained: Html = html`
  <details class="explain no-print">
    <summary>What is this?</summary>
    <p class="drop">
      Each keyword on each engine and locale is worth 100 points where it stands first, 76 in the third place, 50 in the tenth,
      35 in the twentieth, 15 in the fiftieth, and nothing beyond the hundredth or where it is not found;
      a place after the first thousand results counts as not found:
      100 × (1 − log rank ÷ log 101). Visibility is the average of all that are measured, so a keyword that is lost lowers it.
      Each counts with its latest measurement, as long as that is no older than a week or twice its own usual step.
      Changes compare the keywords that were measured at both times.
    </p>
  </details>
`

export function searchLead({ words }: ReaderPageRequest, content: SearchContent): string {
  const { search, period } = content
  const { now, compared } = search.standings
  const average = search.averages.at(-1)
  if (search.measuredOn === null && average !== undefined)
    return `Average position ${words.decimal(average.average)} on ${words.day(average.day)}, of ${words.count(average.measured, 'keyword')}. No ranks of keywords have been measured.`
  if (search.measuredOn === null && period.isOver) return `No keyword of this site had been measured by ${words.day(period.to)}.`
  if (search.measuredOn === null) return 'No keyword of this site has been measured yet.'
  if (search.keywords.length === 0 && search.sources.length > 0) return 'Nothing was measured for this choice of engine and locale.'
  if (now.pairs === 0) return `Not measured since ${words.day(search.measuredOn)}.`
  const missing = now.keywords - now.keywordsFound
  if (now.found === 0)
    return `None of the ${words.count(now.keywords, 'keyword')} is found now. ${[lostSince(words, content), ...courseSentences(words, search.course)].join(' ')}`.trim()
  const since = period.before ? ` than on ${words.day(period.before.to)}` : ''
  const change = compared ? pointsChange(words, compared.now.visibility, compared.before.visibility) : null
  return [
    `Visibility ${words.decimal(now.visibility ?? 0)} of 100${period.before ? moved(words, change, period.before.to) : ''}.`,
    `${ofAll(words, now.keywordsTop10, now.keywords)} ${now.keywords === 1 ? 'keyword' : 'keywords'} ${now.keywords === 1 || now.keywordsTop10 === 1 ? 'stands' : 'stand'} in the top 10${compared ? top10Change(words, compared, since) : ''}.`,
    missing > 0 ? `${words.count(missing, 'keyword is', 'keywords are')} not found.` : '',
    ...courseSentences(words, search.course),
    meanSentence(words, content),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Only where the end of the period does not speak for the whole. */
function meanSentence(words: Words, { search }: SearchContent): string {
  const mean = search.trend.mean()
  return isUnlikeMean(search.standings.now.visibility, mean) ? `Visibility was ${words.decimal(mean)} on average in this period.` : ''
}

function moved(words: Words, change: Change | null, day: string): string {
  if (change === null) return ', with nothing to compare it with'
  return change.arrow === 'same' ? `, the same as on ${words.day(day)}` : `, ${change.words} since ${words.day(day)}`
}

function top10Change(words: Words, { now, before }: { now: Standing; before: Standing }, since: string): string {
  const change = amountChange(words, now.keywordsTop10, before.keywordsTop10)
  return change === null || change.arrow === 'same' ? '' : `, ${change.words}${since}`
}

/** The day since which nothing was found. */
function lostSince(words: Words, { search }: SearchContent): string {
  const last = search.keywords.reduce((latest, { lostSince: day }) => (day !== null && day > latest ? day : latest), '')
  return last === '' ? '' : `Not found since ${words.day(last)}.`
}

export function searchFigureList(request: ReaderPageRequest, { search, figures }: SearchContent): Figure[] {
  const { words } = request
  const { now, compared } = search.standings
  const isMeasured = now.pairs > 0
  const [then, same] = [compared?.before, compared?.now]
  const single = now.pairs === now.keywords
  const links = figures.now.backlink_count
  return [
    {
      label: 'Visibility, of 100',
      value: now.visibility === null ? null : words.decimal(now.visibility),
      change: pointsChange(words, same?.visibility ?? null, then?.visibility ?? null),
      tab: 'visibility',
      ...visibilityNote(words, search),
      explained: visibilityExplained,
    },
    {
      label: 'Keywords in the top 10',
      value: isMeasured ? ofAll(words, now.keywordsTop10, now.keywords) : null,
      change: amountChange(words, same?.keywordsTop10 ?? null, then?.keywordsTop10 ?? null),
      tab: 'top10',
      ...(isMeasured && !single && { note: `${ofAll(words, now.top10, now.pairs)} over all engines` }),
    },
    {
      label: 'Average position',
      value: averageOf(words, search),
      change: positionChange(words, compared?.averages?.now ?? null, compared?.averages?.before ?? null),
      tab: 'position',
      ...(isMeasured && now.found < now.pairs && { note: foundNote(words, now) }),
    },
    {
      label: single ? 'Keywords not found' : 'Not found, over all engines',
      value: isMeasured ? ofAll(words, now.pairs - now.found, now.pairs) : null,
      change: amountChange(words, same ? same.pairs - same.found : null, then ? then.pairs - then.found : null, 'worse'),
      tab: 'missing',
    },
    {
      label: 'Backlinks',
      value: links === null ? null : words.whole(links),
      change: amountChange(words, links, figures.before.backlink_count),
      tab: 'backlinks',
    },
    ...summedFigures(words, search),
  ]
}

/** How many the average is of, where not all were found. */
function foundNote(words: Words, { found, pairs, keywords }: Standing): string {
  if (found === 0) return 'none found'
  return pairs === keywords ? `of ${words.count(found, 'keyword')} found` : `of ${words.whole(found)} found over all engines`
}

/** Of the ranks, or what search engines tell where no ranks are measured. */
function averageOf(words: Words, search: SearchContent['search']): string | null {
  const { now } = search.standings
  const average = now.pairs > 0 ? now.average : (search.averages.at(-1)?.average ?? null)
  return average === null ? null : words.decimal(average)
}

/** The average of the period, and how many pairs were measured at both ends and are therefore compared. */
function visibilityNote(words: Words, { standings: { now, compared }, trend }: SearchContent['search']): { note?: string } {
  const [mean, same] = [trend.mean(), compared?.now]
  const notes = [
    now.visibility !== null && mean !== null ? `${words.decimal(mean)} on average in this period` : '',
    same && same.pairs < now.pairs ? `changes compare ${ofAll(words, same.pairs, now.pairs)} measured then and now` : '',
  ].filter(Boolean)
  return notes.length === 0 ? {} : { note: notes.join('; ') }
}
