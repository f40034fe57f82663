/** Generates search data for the demo: rankings, figures and links with trends, jumps, losses and missing days. */

import { dayText } from '../lib/time/days.ts'
import { between, chance, pick, type Seed, seedOf, wander } from './chance.ts'
import { engines, places, type Trade, trades } from './phrases.ts'

export type Line = Readonly<Record<string, unknown>>

export interface DemoSubject {
  readonly account: number
  readonly site: string
  readonly competitor?: string
}

/** Day numbers, both included. */
export interface DemoDays {
  readonly first: number
  readonly last: number
  /** The day of the first run, from which the stories of the demo count back; later runs go on from there. */
  readonly told: number
}

/** A site that got better since it was rebuilt, and one where something is wrong: what a page should show at a glance. */
export const improved = { site: 'chicago.harbordental.example', daysAgo: 38, note: 'New home page' }
export const troubled = { site: 'evanston.harbordental.example', daysAgo: 11, lostShare: 0.24 }

export function phrasesOf(site: string, trade: Trade, count: number): string[] {
  const words = trades[trade]
  const all = words.flatMap((word) => [
    word,
    ...places.map((place) => (place === 'best' || place === 'cheap' ? `${place} ${word}` : `${word} ${place}`)),
  ])
  const seed = seedOf(site, 'phrases')
  return all
    .map((phrase, i) => ({ phrase, place: chance(seed, i) }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ phrase }) => phrase)
}

export function* rankingsOf(subject: DemoSubject, phrase: string, days: DemoDays): Generator<Line> {
  const name = subject.competitor ?? subject.site
  const seed = seedOf(name, phrase)
  // Most phrases rank well, a few badly; all of a site's phrases rise and fall together, as they do when a search engine changes its algorithm.
  const strength = 2 + 40 * chance(seed) ** 2
  const isOwn = subject.competitor === undefined
  for (let day = days.first; day <= days.last; day++) {
    if (chance(seedOf(name, 'pause'), day) < 0.03) continue
    const tide = (1 + 0.45 * wander(seedOf(name, 'tide'), day, 110)) * (isOwn ? progressOf(name, day, days) : 1)
    const isGone = isOwn && name === troubled.site && day > days.told - troubled.daysAgo && chance(seed, 7) < troubled.lostShare
    for (const [i, search_engine] of engines.entries()) {
      if (chance(seed, day, i + 11) < 0.01) continue
      const ranked_at = `${dayText(day)} 0${4 + i}:${10 + Math.floor(chance(seed, day) * 40)}:00`
      yield {
        type: 'ranking',
        ...subject,
        phrase,
        search_engine,
        locale: 'en-us',
        ranked_at,
        rank: isGone ? null : rankOn(seed, day, i, strength * tide),
      }
    }
  }
}

/** Less than 1 is better: the site that was rebuilt climbs for three weeks, and then stays there. */
function progressOf(name: string, day: number, { told }: DemoDays): number {
  if (name !== improved.site) return 1
  const since = day - (told - improved.daysAgo)
  return 1.25 - 0.6 * Math.max(0, Math.min(1, since / 21))
}

/** Null from time to time where the keyword stands far down: looked for, and not among the first hundred. */
function rankOn(seed: Seed, day: number, engine: number, strength: number): number | null {
  const isOut = strength > 18 && chance(seed, Math.floor((day + (seed % 5)) / 5), engine + 21) < 0.06
  const trend = wander(seed + engine, day, 150) * strength * 0.5
  const jump = chance(seed, Math.floor(day / 30), engine + 31) < 0.2 ? 12 : 0
  const rank = Math.round(strength + trend + jump + engine * 2 + wander(seed, day, 6) * 1.5)
  return isOut || rank > 100 ? null : Math.max(1, rank)
}

/** Some figures every day, some every week, authority once a month. */
export function* figuresOf(subject: DemoSubject, days: DemoDays): Generator<Line> {
  const seed = seedOf(subject.competitor ?? subject.site, 'figures')
  const size = between(80, 2400, seed)
  for (let day = days.first; day <= days.last; day++) {
    if (chance(seed, day) < 0.04 || (subject.competitor && day % 7 !== 0)) continue
    const grown = (share: number, number: number) =>
      Math.max(1, Math.round(size * share * (1 + 0.2 * wander(seed + number, day, 200) + (day - 20_000) / 4000)))
    const daily = subject.competitor ? {} : { download_time: Number((0.9 + 0.6 * wander(seed, day, 40)).toFixed(2)) }
    const weekly =
      day % 7 === 0
        ? { pages_indexed_in_google: grown(1, 1), pages_indexed_in_bing: grown(0.7, 2), pages_indexed_in_yahoo: grown(0.4, 3) }
        : {}
    const monthly =
      day % 28 === 0 ? { domain_authority: Math.min(100, Math.round(20 + chance(seed) * 40 + 4 * wander(seed, day, 300))) } : {}
    yield {
      type: 'snapshot',
      ...subject,
      day: dayText(day),
      ...daily,
      ...weekly,
      ...monthly,
      backlink_count: grown(0.3, 4),
      domain_count: grown(0.06, 5),
      domain_age: day - 14_000 - between(0, 3000, seed),
    }
  }
}

const linkers = [
  'blog.cityguide.example',
  'news.lakeview.example',
  'directory.local.example',
  'forum.neighbours.example',
  'reviews.tips.example',
  'chamber.example',
]
const anchors = [
  'their website',
  'read more',
  'great service',
  'open on Saturdays',
  'here',
  'our partners',
  'local businesses',
  'recomendado',
] as const

export function* backlinksOf(subject: DemoSubject, days: DemoDays): Generator<Line> {
  const seed = seedOf(subject.competitor ?? subject.site, 'links')
  const rate = subject.competitor ? 0.12 : 0.45
  for (let day = days.first; day <= days.last; day++) {
    if (chance(seed, day) > rate) continue
    const source_url = `https://${pick(linkers, seed, day, 1)}/${dayText(day).replaceAll('-', '/')}?from=${between(1, 99, seed, day, 2)}&page=2`
    const anchor_text = pick(anchors, seed, day, 3)
    yield {
      type: 'backlink',
      ...subject,
      found_on: dayText(day),
      link_strength: between(8, 92, seed, day, 4),
      source_url,
      domain_authority: between(5, 80, seed, day, 5),
      anchor_text,
    }
  }
}
