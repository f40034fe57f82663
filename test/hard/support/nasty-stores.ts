/** Good pushes of as many records as fit, each of a kind that is stored in its own way: what is checked in slices must be stored in slices too. */
import type { NastyRequest } from './nasty-requests.ts'

const ndjson = { 'content-type': 'application/x-ndjson' }

// biome-ignore format: a table reads by its columns
const stores = (site: string): readonly (readonly [name: string, query: string, count: number, record: (index: number) => object])[] => [
  ['rankings of one keyword, stored',  '',          80_000, (i) => ({ type: 'ranking', site, phrase: 'by the second', search_engine: 'Google', locale: 'en-us', ranked_at: momentOf(i), rank: 1 + (i % 100) })],
  ['rankings in disorder, stored',     '',          80_000, (i) => ({ type: 'ranking', site, phrase: 'disorder', search_engine: 'Google', locale: 'en-us', ranked_at: momentOf((i * 7_919) % 80_000), rank: 1 })],
  ['rankings in one transaction',      '&atomic=1', 80_000, (i) => ({ type: 'ranking', site, phrase: 'at once', search_engine: 'Google', locale: 'en-us', ranked_at: momentOf(i), rank: 2 })],
  ['rankings of many phrases, stored', '',          80_000, (i) => ({ type: 'ranking', site, phrase: `phrase ${i}`, search_engine: 'Google', locale: 'en-us', ranked_at: '2026-01-01 00:00:00', rank: 3 })],
  ['rankings of 60,000 engines',       '',          60_000, (i) => ({ type: 'ranking', site, phrase: 'engines', search_engine: `Engine ${i}`, locale: 'en-us', ranked_at: '2026-01-01 00:00:00', rank: 4 })],
  ['new sites, stored',                '',           4_000, (i) => ({ type: 'site', site: `new${i}.example`, business: 'Chain' })],
  ['new competitors, stored',          '',          40_000, (i) => ({ type: 'competitor', site, competitor: `rival${i}.example` })],
  ['links, stored',                    '',          50_000, (i) => ({ type: 'backlink', site, found_on: '2026-01-01', link_strength: 1, source_url: `https://blog.example/${i}`, domain_authority: 2, anchor_text: 'x' })],
  ['links of long texts, stored',      '',           1_500, (i) => ({ type: 'backlink', site, found_on: '2026-01-02', link_strength: 1, source_url: `https://long.example/${i}`, domain_authority: 2, anchor_text: 'x'.repeat(9_990) })],
  ['snapshots of 200 rivals, stored',  '',          70_000, (i) => ({ type: 'snapshot', site, competitor: `rival${i % 200}.example`, day: dayOf(Math.floor(i / 200)), backlink_count: i })],
  ['snapshots of many days, stored',   '',          15_000, (i) => ({ type: 'snapshot', site, day: dayOf(i), backlink_count: i })],
  ['pages, stored',                    '',          40_000, (i) => ({ type: 'page', site, source: 'google', page_url: `https://maps.example/${i}` })],
  ['reviews of one page, stored',      '',          50_000, (i) => ({ type: 'review', site, page_url: 'https://p.example/1', source: 'google', date: dayOf(i % 5_000), rating: 5, user: `u${i}`, detail: 'fine' })],
  ['long reviews, stored',             '',             150, (i) => ({ type: 'review', site, page_url: 'https://p.example/1', source: 'google', date: '2026-01-01', rating: 5, user: `long ${i}`, detail: 'é'.repeat(50_000) })],
  ['review counts, stored',            '',          60_000, (i) => ({ type: 'review_count', site, page_url: 'https://p.example/1', source: `s${i % 8}`, date: dayOf(i >> 3), count: 1, rating_sum: 5 })],
]

export function nastyStores(site: string): NastyRequest[] {
  return stores(site).map(([name, query, count, record]) => ({
    name: `${count.toLocaleString('en-US')} ${name}`,
    as: 'partner',
    method: 'POST',
    path: `/api/observations.json?create_missing=1${query}`,
    headers: ndjson,
    body: () => Buffer.from(Array.from({ length: count }, (_, index) => JSON.stringify(record(index))).join('\n')),
  }))
}

/** In the catalogue it is deleted: each time another one. */
export const largeSite: NastyRequest = {
  name: 'a large site',
  as: 'partner',
  method: 'POST',
  path: '/api/observations.json?create_missing=1',
  headers: ndjson,
  body: () => Buffer.from(Array.from({ length: 20_000 }, (_, i) => JSON.stringify(rankingOf('large.example', `phrase ${i}`))).join('\n')),
}

function rankingOf(site: string, phrase: string): object {
  return { type: 'ranking', site, phrase, search_engine: 'Google', locale: 'en-us', ranked_at: '2026-01-01 00:00:00', rank: 3 }
}

function momentOf(seconds: number): string {
  return new Date(Date.UTC(2026, 8, 1) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

function dayOf(days: number): string {
  return new Date(Date.UTC(1980, 0, 1) + days * 86_400_000).toISOString().slice(0, 10)
}
