/** Generates reviews for the demo: pages of a site or competitor, reviews in all moods, and daily counts. */

import { dayText } from '../lib/time/days.ts'
import { between, chance, pick, type Seed, seedOf, wander } from './chance.ts'
import type { Trade } from './phrases.ts'
import { complaints, moods, reviewers, tradeSentences } from './review-texts.ts'
import { type DemoDays, type DemoSubject, type Line, troubled } from './search.ts'

const sources = ['google', 'bing', 'facebook', 'citysearch'] as const

interface Page {
  readonly source: string
  readonly page_url: string
}

interface Written {
  readonly rating: number
  readonly line: Line
}

export function* reputationOf(subject: DemoSubject, trade: Trade, days: DemoDays): Generator<Line> {
  if (subject.competitor === undefined) yield { type: 'location', ...subject, ...profilesOf(subject.site) }
  for (const page of pagesOf(subject)) {
    yield { type: 'page', ...subject, ...page, match_confidence: between(92, 100, seedOf(page.page_url)), last_updated: dayText(days.last) }
    for (let day = days.first; day <= days.last; day++) {
      const reviews = reviewsOn({ ...subject, trade, told: days.told }, page, day)
      if (subject.competitor === undefined) yield* reviews.map(({ line }) => line)
      const rating_sum = reviews.reduce((sum, { rating }) => sum + rating, 0)
      yield { type: 'review_count', ...subject, ...page, date: dayText(day), count: reviews.length, rating_sum }
    }
  }
}

function profilesOf(site: string): Line {
  const name = site.split('.')[0]
  return {
    twitter_page: chance(seedOf(site)) < 0.7 ? `https://twitter.example/${name}` : null,
    facebook_page: `https://facebook.example/${name}`,
  }
}

function pagesOf({ site, competitor }: DemoSubject): Page[] {
  const name = competitor ?? site
  const known = competitor === undefined ? sources : sources.slice(0, 1)
  return known.map((source) => ({ source, page_url: `https://${source}.example/place/${name}?ref=1&view=all` }))
}

interface Reviewed extends DemoSubject {
  readonly trade: Trade
  readonly told: number
}

/** Between 60 and 400 in half a year, over all pages of a site; ratings rise and fall over the months. */
function reviewsOn(reviewed: Reviewed, page: Page, day: number): Written[] {
  const seed = seedOf(page.page_url)
  const yearly = between(150, 760, seedOf(reviewed.competitor ?? reviewed.site, 'reviews'))
  const share = page.source === 'google' ? 0.55 : 0.15
  const expected = (yearly / 365) * share
  const count = Math.floor(expected + chance(seed, day))
  return Array.from({ length: count }, (_, i) => reviewOf(reviewed, page, seed, day, i))
}

function reviewOf({ trade, told, ...subject }: Reviewed, page: Page, seed: Seed, day: number, i: number): Written {
  const isTroubled = subject.competitor === undefined && subject.site === troubled.site && day > told - troubled.daysAgo
  const luck = chance(seed, day, i + 41) + 0.18 * wander(seed, day, 120) - (isTroubled ? 0.5 : 0)
  const mood = luck < 0.12 ? 0 : luck < 0.24 ? 1 : 2
  const { ratings, sentiment, headers, details } = moods[mood] as (typeof moods)[number]
  const rating = between(...ratings, seed, day, i + 51)
  const own = isTroubled && mood === 0 ? complaints : tradeSentences[trade][mood]
  const also = chance(seed, day, i + 75) < 0.6 ? [pick(details, seed, day, i + 76)] : []
  const text = {
    header: pick(headers, seed, day, i + 61),
    detail: [pick(own, seed, day, i + 71), ...also].join(' '),
    user: pick(reviewers, seed, day, i + 81),
  }
  const facts = {
    ref: `${page.source}-${day}-${i}`,
    rating,
    date: dayText(day),
    sentiment_score: between(...sentiment, seed, day, i + 91),
    total: between(1, 60, seed, day, i + 95),
  }
  return { rating, line: { type: 'review', ...subject, ...page, ...facts, ...text, url: `${page.page_url}&review=${day}-${i}` } }
}
