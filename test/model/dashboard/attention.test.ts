/** Attention is earned: of 98 ordinary sites, to which nothing happens but chance, few need any. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayNumber, daysLater } from '../../../src/lib/time/days.ts'
import { type Reason, reasonsOf, thresholds, urgencyOf } from '../../../src/model/dashboard/attention/attention.ts'
import { CourseOf, noCourse } from '../../../src/model/dashboard/attention/course.ts'
import { type DayRange, dayRangeOf, rankBefore, rankNow } from '../../../src/model/dashboard/positions.ts'
import { StandingsOf } from '../../../src/model/dashboard/standing.ts'

const to = '2026-10-31'
const range = dayRangeOf({ from: daysLater(to, -89), to, before: { from: daysLater(to, -179), to: daysLater(to, -90) } })
const google = { code: 1, engine: 'Google', locale: 'en-us', device: '', location: '' }

test('of 98 ordinary sites few need attention, where three of four did', () => {
  const chance = randomFrom(7)
  const sites = Array.from({ length: 98 }, () => ordinarySite(chance))
  const needing = sites.filter((site) => reasonsOf(site).length > 0).length
  const neededBefore = sites.filter(needsByAnyChange).length
  assert.ok(neededBefore >= 70, `by any change: ${neededBefore} of 98`)
  assert.ok(needing <= 20, `by the thresholds: ${needing} of 98`)
})

test('a loss, a gap and bad reviews of such a site are seen all the same, the gravest first', () => {
  const chance = randomFrom(11)
  const site = ordinarySite(chance)
  const lost = ordinarySite(chance, (day) => (day >= range.end - 20 ? 0 : 5))
  assert.ok(kinds(lost).includes('lost'))
  assert.ok(kinds({ ...site, badReviews: 9, badReviewsBefore: 1 }).includes('bad-reviews'))
  assert.ok(kinds(ordinarySite(chance, (day) => (day > range.start + 20 && day < range.start + 45 ? 0 : 5))).includes('lost-inside'))
  const stale = {
    ...ordinarySite(chance),
    standings: new StandingsOf().standings(),
    measuredOn: '2026-01-01',
    course: noCourse,
    rating: 4,
    ratingBefore: 4.2,
  }
  assert.deepEqual(kinds(stale), ['stale', 'rating'])
  assert.ok(urgencyOf(reasonsOf(stale)) > urgencyOf([{ kind: 'rating', from: 5, to: 4.8, severity: 1 }]))
})

test('every threshold says why', () => {
  for (const [kind, { why, least, grave }] of Object.entries(thresholds)) assert.ok(why.length > 20 && grave >= least, kind)
})

function kinds(site: Parameters<typeof reasonsOf>[0]): Reason['kind'][] {
  return reasonsOf(site).map(({ kind }) => kind)
}

/** The rules of before: whatever is less than it was. */
function needsByAnyChange({
  standings: { compared },
  badReviews,
  badReviewsBefore,
  rating,
  ratingBefore,
}: ReturnType<typeof ordinarySite>) {
  const hasMoved = (compared?.lost ?? 0) > 0 || (compared !== null && compared.left > compared.entered)
  return hasMoved || badReviews > badReviewsBefore || ratingBefore - rating >= 0.1
}

/** Twenty keywords that wander about a place of their own, measured daily, and about thirty reviews a quarter, one of eight bad. */
function ordinarySite(chance: () => number, firstRank?: (day: number) => number) {
  const [standings, course] = [new StandingsOf(), new CourseOf(range)]
  for (let k = 0; k < 20; k++) {
    const ranks = k === 0 && firstRank ? ranksBy(range, firstRank) : wanderingRanks(range, chance)
    standings.add(`keyword ${k}`, rankNow(ranks, range), rankBefore(ranks, range))
    course.add(`keyword ${k}`, google, ranks)
  }
  const [badReviews, badReviewsBefore] = [badOf(30, chance), badOf(30, chance)]
  const [rating, ratingBefore] = [4.4 + (chance() - 0.5) / 10, 4.4]
  return { standings: standings.standings(), course: course.course(), measuredOn: to, rating, ratingBefore, badReviews, badReviewsBefore }
}

function badOf(reviews: number, chance: () => number): number {
  return Array.from({ length: reviews }, () => chance()).filter((one) => one < 1 / 8).length
}

function ranksBy({ end }: DayRange, rankOn: (day: number) => number): Int32Array {
  return Int32Array.from({ length: end }, (_, day) => rankOn(day))
}

/** A place beyond the hundredth is not found. */
function wanderingRanks({ end }: DayRange, chance: () => number): Int32Array {
  const home = 4 + Math.floor(chance() ** 2 * 90)
  let away = 0
  return Int32Array.from({ length: end }, () => {
    away = away * 0.95 + (chance() - 0.5) * 0.24
    const rank = Math.round(home * Math.exp(away))
    return rank > 100 ? 0 : Math.max(1, rank)
  })
}

/** The same at each run. */
function randomFrom(seed: number): () => number {
  let state = seed + dayNumber(to)
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
