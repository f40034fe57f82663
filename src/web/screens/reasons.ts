/** Why a site needs attention, in words. */

import { type Html, html } from '../../lib/html.ts'
import type { Reason } from '../../model/dashboard/attention/attention.ts'
import type { Words } from '../components/number-format.ts'
import { card } from '../components/site-frame.ts'
import { lossText, spanText } from './course-words.ts'

export function reasonText(words: Words, reason: Reason): string {
  if (reason.kind === 'stale') return `not measured since ${words.day(reason.since)}`
  if (reason.kind === 'gap')
    return `not measured ${spanText(words, reason.from, reason.to, reason.days)}, measured on ${words.whole(reason.measured)} of ${words.count(reason.of, 'day')}`
  if (reason.kind === 'lost-inside') return `${words.count(reason.keywords, 'keyword')} ${lossText(words, reason)}`
  if (reason.kind === 'rating') return `rating fell from ${words.hundredths(reason.from)} to ${words.hundredths(reason.to)}`
  if (reason.kind === 'lost') return `${words.count(reason.amount, 'keyword is', 'keywords are')} no longer found`
  if (reason.kind === 'left-top-10') return `${words.count(reason.amount, 'keyword')} left the top 10`
  return `${words.count(reason.amount, 'new review')} of one or two stars`
}

/** For printed pages, which have no list of sites. */
export function attentionCard(words: Words, reasons: readonly Reason[]): Html | null {
  if (reasons.length === 0) return null
  const lines = reasons.map((reason) => html`<li>${reasonText(words, reason)}</li>`)
  return card(html`<h2>Needs attention</h2><ul class="told">${lines}</ul>`, 'w12')
}
