/** The beginning of the reputation page: a summary sentence, and the current figures. */

import { ratingOf, type Stars } from '../../model/dashboard/reputation/review-counts.ts'
import type { Figure } from '../components/components.ts'
import { amountChange, ratingChange, shareChange, type Words } from '../components/number-format.ts'
import type { ReaderPageRequest } from '../page-request.ts'
import { type ReputationContent, sourceFigures } from './reputation-tables.ts'

export function reputationFigureList({ words }: ReaderPageRequest, content: ReputationContent): Figure[] {
  const { period, figures } = content
  const { before } = period
  const [all, allBefore] = [figures.own.total(period.to), before && figures.own.total(before.to)]
  const fresh = figures.own.total(period.to, period.from).count
  const freshBefore = before && figures.own.total(before.to, before.from).count
  const [rating, stars] = [ratingOf(all), figures.own.stars(period.from, period.to)]
  const [bad, listed] = [badShare(stars), stars.reduce((sum, amount) => sum + amount, 0)]
  return [
    {
      label: 'Rating, of 5',
      value: rating === null ? null : words.decimal(rating),
      change: ratingChange(words, rating, allBefore && ratingOf(allBefore)),
      href: '#ratings',
      note:
        rating === null
          ? 'no reviews'
          : `from ${words.count(all.count, 'review')}${lastTold(words, figures.own.lastDay(period.to), period.from)}`,
    },
    {
      label: 'New reviews',
      value: all.count === 0 ? null : words.whole(fresh),
      // Before the first known review there is nothing to compare with.
      change: all.count === 0 || allBefore?.count === 0 ? null : amountChange(words, fresh, freshBefore),
      href: '#reviews',
      ...(all.count === 0 && { note: 'no reviews' }),
    },
    {
      label: 'Share of 1–2 stars',
      value: bad === null ? null : words.percent(bad),
      change: shareChange(words, bad, before && badShare(figures.own.stars(before.from, before.to))),
      href: '#stars',
      note: bad === null ? 'no review is listed' : `of ${words.count(listed, 'listed review')}`,
    },
    ...sourceFigures(words, content),
  ]
}

/** Said only where it is before the days that are shown. */
function lastTold(words: Words, last: string | null, from: string): string {
  return last === null || last >= from ? '' : `, the last on ${words.day(last)}`
}

function badShare(stars: Stars): number | null {
  const total = stars.reduce((sum, amount) => sum + amount, 0)
  return total === 0 ? null : (stars[0] + stars[1]) / total
}

export function reputationLead({ words }: ReaderPageRequest, { period, figures: { own } }: ReputationContent): string {
  const [rating, fresh] = [ratingOf(own.total(period.to)), own.total(period.to, period.from)]
  if (rating === null && period.isOver) return `No review of this business is known up to ${words.day(period.to)}.`
  if (rating === null) return 'No review of this business is known.'
  const change = period.before && ratingChange(words, rating, ratingOf(own.total(period.before.to)))
  const moved = !change || !period.before ? '' : `, ${change.words} since ${words.day(period.before.to)}`
  const news =
    fresh.count === 0
      ? 'No new reviews in this period.'
      : `${words.count(fresh.count, 'new review')}, ${averageOf(words, fresh)} on average.`
  return `Rated ${words.decimal(rating)} of 5${moved}. ${news}`
}

function averageOf(words: Words, fresh: { count: number; sum: number }): string {
  const stars = words.decimal(ratingOf(fresh) ?? 0)
  return `${stars} ${stars === words.decimal(1) ? 'star' : 'stars'}`
}
