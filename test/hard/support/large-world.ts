/** The middle account of a world with much of everything: a site of very many keywords, a page of very many reviews, very many sites, and long texts. */
import { dayNumber, dayText } from '../../../src/lib/time/days.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import type { World } from '../../guards/bystanders/world.ts'

export interface Largeness {
  /** Of one site. */
  readonly keywords: number
  /** Of one page. */
  readonly reviews: number
  /** Of one account. */
  readonly sites: number
}

export const wholeWorld: Largeness = { keywords: 100_000, reviews: 100_000, sites: 5_000 }
export const tenthOfWorld: Largeness = { keywords: 10_000, reviews: 10_000, sites: 500 }

const linesPerImport = 50_000
/** Every so many texts are long ones. */
const longEvery = 10

export async function growLarge({ operator, acme, target }: World, { keywords, reviews, sites }: Largeness): Promise<void> {
  const site = target.sites[1]?.domain ?? ''
  const today = dayNumber(operator.app.clock.now().slice(0, 10))
  const many = (count: number, make: (n: number) => object[]) => Array.from({ length: count }, (_, n) => make(n)).flat()
  const lines = [
    ...many(sites, (n) => [{ type: 'site', site: `s${n}.large.example`, business: `Business ${n}` }]),
    ...many(keywords, (n) => searchedFor(site, phraseOf(n), today)),
    ...many(reviews, (n) => [reviewed(site, n, dayText(today - (n % 1_000)))]),
  ]
  for (let at = 0; at < lines.length; at += linesPerImport) {
    const bytes = Buffer.from(
      lines
        .slice(at, at + linesPerImport)
        .map((line) => JSON.stringify(line))
        .join('\n'),
    )
    const place = { partnerId: acme.id, accountId: target.accountId }
    const taken = await importObservations(operator, place, readNdjson([bytes]), { createMissing: true })
    if (taken.refused > 0) throw new Error(JSON.stringify(taken.faults.slice(0, 3)))
  }
}

function phraseOf(n: number): string {
  return n % longEvery === 0 ? `keyword ${n} ${'of many words '.repeat(12)}`.trim() : `keyword ${n}`
}

function searchedFor(site: string, phrase: string, today: number): object[] {
  const of = { site, phrase, search_engine: 'Google' }
  const ranked = [1, 8].map((ago) => ({
    type: 'ranking',
    ...of,
    locale: 'en-us',
    ranked_at: `${dayText(today - ago)} 04:05:06`,
    rank: 1 + ((phrase.length + ago) % 90),
  }))
  return [...ranked, { type: 'click_count', ...of, date: dayText(today - 1), clicks: 3, impressions: 30 }]
}

function reviewed(site: string, n: number, date: string): object {
  const detail = n % longEvery === 0 ? 'It was very good, and I shall come again. '.repeat(100) : 'It was good.'
  return {
    type: 'review',
    site,
    source: 'google',
    page_url: 'https://maps.example/place',
    ref: `large ${n}`,
    rating: 1 + (n % 5),
    date,
    user: `Reviewer ${n}`,
    header: 'Good',
    detail,
  }
}
