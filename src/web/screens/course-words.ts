/** The course of a period in words: what was lost and found again, which days were not measured, and the average. */

import type { Course, Gap, Loss } from '../../model/dashboard/attention/course.ts'
import { sourceName } from '../components/names.ts'
import type { Words } from '../components/number-format.ts'

/** Less than this is not worth a sentence. */
const leastDifference = 2

/** Whether the end of a period does not speak for the whole. */
export function isUnlikeMean(now: number | null, mean: number | null): mean is number {
  return now !== null && mean !== null && Math.abs(now - mean) >= leastDifference
}

export function courseSentences(words: Words, course: Course): string[] {
  return [...gapSentences(words, course), ...lossSentences(words, course)]
}

/** A shorter gap is named by the charts alone. */
const leastGapDays = 3

/** The longest gap of the site by itself, or else that of one engine; the charts name the others. */
function gapSentences(words: Words, course: Course): string[] {
  const gaps = course.gaps.filter(({ days }) => days >= leastGapDays)
  const longest = gaps.toSorted((a, b) => Number(a.engine !== null) - Number(b.engine !== null) || b.days - a.days)[0]
  if (longest === undefined) return []
  const others = gaps.filter(({ engine }) => engine === longest.engine).length - 1
  const more = others > 0 ? ` and at ${words.count(others, 'other time')}` : ''
  const counted =
    course.step === 1 && longest.engine === null
      ? `; measured on ${words.whole(course.measuredDays)} of ${words.count(course.days, 'day')}`
      : ''
  return [`${gapText(words, longest)}${more}${counted}.`]
}

function gapText(words: Words, { from, to, days, at, engine }: Gap): string {
  if (at === 'last' && days > 1) return `Not measured from ${words.day(from)} on`
  const where = engine === null ? '' : ` on ${sourceName(engine)}`
  return `Not measured${where} ${spanText(words, from, to, days)}`
}

function lossSentences(words: Words, { losses, lostAndBack }: Course): string[] {
  const [worst] = losses
  if (worst === undefined) return []
  const others = lostAndBack - worst.keywords
  const more = others > 0 ? ` ${words.count(others, 'other keyword was', 'other keywords were')} lost for a time and found again.` : ''
  return [`${words.count(worst.keywords, 'keyword was', 'keywords were')} ${lossText(words, worst)}.${more}`]
}

/** Text such as `not found 4–24 Oct (21 days), back since 25 Oct`. */
export function lossText(
  words: Words,
  loss: Pick<Loss, 'from' | 'to' | 'back' | 'days' | 'misses'> & Partial<Pick<Loss, 'engines'>>,
): string {
  const { from, to, back, days, misses, engines = [] } = loss
  const where = engines.length === 0 ? '' : ` on ${engines.map(sourceName).join(' and ')}`
  const looked = misses === days ? '' : `, looked for ${words.whole(misses)} times`
  return `not found${where} ${spanText(words, from, to, days, looked)}, back since ${words.day(back)}`
}

export function spanText(words: Words, from: string, to: string, days: number, more = ''): string {
  return days === 1 ? words.day(from) : `${words.span(from, to)} (${words.count(days, 'day')}${more})`
}
